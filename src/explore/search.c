#include "explore/search.h"

static bool ask(bool (*question)(void *self), void *self)
{
	return !question || question(self);
}

enum evr_search_end evr_search(const struct evr_program *p, struct evr_engine *e, const struct evr_policy *policy,
			       void *self)
{
	for (;;) {
		if (!ask(policy->begin, self))
			return EVR_ENOUGH;
		if (!p->run(p, e))
			return EVR_STOPPED;
		bool more = true;
		if (!evr_learned(p->world)) {
			if (!ask(policy->visit, self))
				return EVR_ENOUGH;
			if (e->failure)
				return EVR_FAILED;
			more = e->ops->advance(e);
		}
		e->abandoned = false;
		if (evr_learned(p->world)) {
			if (!ask(policy->restart, self))
				return EVR_OUTDATED;
			e->ops->restart(e);
			e->prefix = 0;
			continue;
		}
		if (!more)
			return e->failure ? EVR_FAILED : EVR_EXHAUSTED;
		if (!ask(policy->go_on, self))
			return EVR_ENOUGH;
	}
}
