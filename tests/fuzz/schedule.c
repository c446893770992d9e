/* A schedule, as --replay and reports hold it. */
#include "fuzz.h"

#include "runtime/main.h"
#include "runtime/memory/shadow.h"
#include "runtime/runtime.h"
#include "runtime/search.h"

/* What the checker's main program has; nothing of the program under test is run here. */
const struct evr_program evr_tested;

void evr_on_tick(void)
{
}

void evr_stop_search(const char *reason)
{
	(void)reason;
}

bool evr_search_stopped(void)
{
	return false;
}

void evr_progress(void)
{
}

bool evr_no_progress(void)
{
	return false;
}

void evr_main_thread(void)
{
}

static void forget_threads(void)
{
	while (evr_rt.thread_count) {
		struct evr_thread *t = evr_rt.threads[--evr_rt.thread_count];
		evr_coroutine_release(&t->coroutine);
		free(t);
	}
}

static void parse(char *text)
{
	char *error = NULL;
	struct evr_engine *e = evr_schedule_engine(text, &error);
	EVR_ASSERT(!e == !!error);
	if (e)
		e->ops->destroy(e);
	evr_knowledge_release(&evr_rt.world.knowledge);
	free(error);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static bool mapped;
	if (!mapped) {
		evr_shadow_init();
		evr_rt.world.model = evr_model_find("sc");
	}
	mapped = true;
	fuzz_try(parse, data, size);
	forget_threads();
	return 0;
}
