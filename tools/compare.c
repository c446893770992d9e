#include "compare.h"

#include "compare_await.h"
#include "compare_c11.h"
#include "explore/engine.h"
#include "interpret.h"
#include "interpret_fault.h"
#include "races.h"

#include <string.h>

/* Which classes an exhaustive engine explores, one execution for each. A new engine needs a line here. */
static const struct rule {
	const char *engine;
	enum evr_class_kind classes;
	bool exact; /* as many executions as classes, these very ones, none in vain; else at most so many, and the same outcomes */
} rules[] = {
	{ "traces", EVR_CLASS_TRACE, true },
	{ "rf", EVR_CLASS_RF, true },
	{ "revisit", EVR_CLASS_RF, true },
	{ "rvf", EVR_CLASS_RVF, false },
};

static char *command_of(const struct run *r)
{
	char *more = r->unroll ? evr_format(" --unroll %u", r->unroll)
			       : evr_format("%s%s%s", r->spurious ? " --spurious-cas" : "",
					    r->c11_sequences ? " --release-sequences=c11" : "",
					    r->skips ? "" : " --every-access");
	char *text = evr_format("everett check -m %s -e %s%s%s%s%s --classes FILE THIS.c -- 0 %u %d", r->model,
				r->engine, r->first ? "" : " -k", r->races ? " --races" : " --no-races",
				r->check ? " --check" : "", more, r->order, (int)r->fences);
	free(more);
	return text;
}

static enum verdict mismatch(struct judgement *j, const struct run *a, const struct run *b, char *check, char *why)
{
	struct evr_strbuf text;
	evr_strbuf_init(&text);
	evr_strbuf_printf(&text, "%s\n  1: ", why);
	char *command = command_of(a);
	evr_strbuf_puts(&text, command);
	free(command);
	if (b) {
		command = command_of(b);
		evr_strbuf_printf(&text, "\n  2: %s", command);
		free(command);
	}
	free(why);
	j->check = check;
	j->why = evr_strbuf_take(&text);
	return MISMATCH;
}

/* A class of a that b does not have, or NULL. */
static const char *missing(const struct run *a, const struct run *b, unsigned k)
{
	for (size_t i = 0, l = 0; i < a->classes[k].len; i++) {
		const struct one_class *c = &a->classes[k].data[i];
		while (l < b->classes[k].len && class_compare(&b->classes[k].data[l], c) < 0)
			l++;
		if (l == b->classes[k].len || class_compare(&b->classes[k].data[l], c) != 0)
			return c->text;
	}
	return NULL;
}

static char *differing_classes(const struct run *a, const struct run *b, unsigned k)
{
	const char *only_a = missing(a, b, k), *only_b = missing(b, a, k);
	if (!only_a && !only_b && a->classes[k].len == b->classes[k].len)
		return NULL;
	return evr_format("%zu and %zu %s classes\n  only 1: %s\n  only 2: %s", a->classes[k].len, b->classes[k].len,
			  evr_class_names[k], only_a ? only_a : "-", only_b ? only_b : "-");
}

static char *differing_findings(const struct run *a, const struct run *b)
{
	size_t n = a->findings.len > b->findings.len ? a->findings.len : b->findings.len;
	for (size_t i = 0; i < n; i++) {
		const char *x = i < a->findings.len ? a->findings.data[i] : "none";
		const char *y = i < b->findings.len ? b->findings.data[i] : "none";
		if (strcmp(x, y) != 0)
			return evr_format("findings differ: %s; %s", x, y);
	}
	return NULL;
}

static char *differing_results(const uint64_t *a, size_t n, const uint64_t *b, size_t m)
{
	for (size_t i = 0; i < n || i < m; i++)
		if (i >= n || i >= m || a[i] != b[i]) {
			bool first = i >= m || (i < n && a[i] < b[i]);
			return evr_format("%zu and %zu results\n  only %s: %#llx", n, m, first ? "1" : "2",
					  (unsigned long long)(first ? a[i] : b[i]));
		}
	return NULL;
}

/* The outcomes of a run, each once, without saying of any that a loop waited in vain. */
static struct run without_progress(const struct run *r)
{
	struct run other = { 0 };
	for (size_t i = 0; i < r->classes[EVR_CLASS_OUTCOME].len; i++) {
		struct one_class c = { .text = evr_strdup(r->classes[EVR_CLASS_OUTCOME].data[i].text) };
		for (char *at; (at = strstr(c.text, " no-progress@"));) {
			size_t n = 1 + strcspn(at + 1, " ");
			memmove(at, at + n, strlen(at + n) + 1);
		}
		c.key = evr_class_key(c.text);
		bool known = false;
		for (size_t k = 0; k < other.classes[EVR_CLASS_OUTCOME].len; k++)
			known |= !class_compare(&other.classes[EVR_CLASS_OUTCOME].data[k], &c);
		if (known)
			free(c.text);
		else
			evr_vec_push(&other.classes[EVR_CLASS_OUTCOME], c);
	}
	run_sort(&other);
	return other;
}

/*
 * Whether a loop waits in vain depends on which write came last, and reads-from classes do not tell that: one of them may
 * have executions of both kinds. The engine reports the finding, and shows one of the two outcomes.
 */
static char *differing_outcomes(const struct run *a, const struct run *b, enum evr_class_kind explored)
{
	if (explored == EVR_CLASS_TRACE)
		return differing_classes(a, b, EVR_CLASS_OUTCOME);
	struct run x = without_progress(a), y = without_progress(b);
	char *why = differing_classes(&x, &y, EVR_CLASS_OUTCOME);
	run_release(&x);
	run_release(&y);
	return why;
}

static char *differing(const struct run *a, const struct run *b)
{
	char *why = differing_findings(a, b);
	for (unsigned k = EVR_CLASS_KINDS; k-- > 0 && !why;)
		why = differing_classes(a, b, k);
	return why;
}

static bool has_result(const uint64_t *results, size_t n, uint64_t result)
{
	for (size_t i = 0; i < n; i++)
		if (results[i] == result)
			return true;
	return false;
}

/* Is the name in the list? NULL: all are. */
static bool is_wanted(const char *list, const char *name)
{
	for (const char *s = list; s;) {
		size_t n = strcspn(s, ",");
		if (n == strlen(name) && !strncmp(s, name, n))
			return true;
		s = s[n] ? s + n + 1 : NULL;
	}
	return !list;
}

struct judge {
	const struct judge_settings *settings;
	const char *checker;
	size_t index;
	const struct program *p;
	struct judgement *j;
	struct run base[EVR_MODELS]; /* by model, in the order of evr_models */
	struct await_meaning meaning[EVR_MODELS]; /* the same; of flavour `await` */
};

static unsigned number_of(const char *model)
{
	for (unsigned m = 0; evr_models[m]; m++)
		if (!strcmp(evr_models[m]->name, model))
			return m;
	evr_die("there is no model '%s'", model);
}

static struct run *base_of(struct judge *g, const char *model)
{
	return &g->base[number_of(model)];
}

/* Models that order whole locations refuse accesses that overlap without being to the same bytes. */
static bool is_for(const struct evr_model_ops *model, const struct program *p)
{
	return !(model->coherence_per_location && p->flavour == MIXED);
}

/* Has the program, of flavour `await`, a known meaning? A stored one is known only as C. */
static bool is_interpreted(const struct judge *g, const char *model)
{
	return g->p->flavour == AWAIT && g->p->layout && interpret_await_can(model);
}

/* Under RC11 a race is undefined behaviour: whoever finds one need not know what comes of it. */
static bool is_c11(const struct program *p, const char *model)
{
	return p->flavour == C11 && !strcmp(model, "rc11");
}

static bool is_undefined(const struct judge *g, const struct run *base)
{
	return is_c11(g->p, base->model) && run_findings(base, "race ");
}

/* May a race be found under rc11? A stored program is known only as C. */
static bool may_race(const struct judge *g)
{
	return g->p->flavour == RACE || (g->p->flavour == C11 && (!g->p->layout || c11_kinds_of(g->p).plain));
}

/* Explore r and see to it that it is sound by itself. */
static enum verdict try(struct judge *g, struct run *r)
{
	if (!r->limit)
		r->limit = g->settings->limit;
	r->races = g->p->flavour == RACE || is_c11(g->p, r->model);
	r->c11_sequences = g->settings->c11_sequences && is_c11(g->p, r->model);
	run_explore(r, g->checker, g->index, g->p);
	g->settings->counts->runs++;
	g->settings->counts->executions += run_executions(r);
	if (r->error)
		return mismatch(g->j, r, NULL, evr_format("self-check of %s/%s", r->model, r->engine),
				evr_strdup(r->error));
	if (r->complete || (r->first && r->findings.len))
		return AGREES;
	/* Of flavour `await`, those that need not end have been thrown away before. */
	bool ends = strcmp(r->engine, "none") != 0 || (is_interpreted(g, r->model) && !r->limited);
	return ends ? mismatch(g->j, r, NULL, evr_format("end of %s/%s", r->model, r->engine),
			       evr_strdup("did not end"))
		    : THROWN_AWAY;
}

/* A finding that one of two sorted lists does not have; deadlocks are left out. */
static char *differing_faults(const struct run *r, const struct fault_meaning *m)
{
	size_t k = 0;
	for (size_t i = 0; i < r->findings.len; i++) {
		const char *x = r->findings.data[i];
		if (!strncmp(x, "deadlock ", 9))
			continue;
		if (k < m->findings.len && strcmp(m->findings.data[k], x) < 0)
			break;
		if (k == m->findings.len || strcmp(m->findings.data[k], x) != 0)
			return evr_format("a finding that there should not be: %s", x);
		k++;
	}
	return k < m->findings.len ? evr_format("a finding is missing: %s", m->findings.data[k]) : NULL;
}

/* The same for programs that fault, where stores are buffered, too. */
static enum verdict judge_faults(struct judge *g, const struct run *base)
{
	struct fault_meaning m;
	if (!interpret_fault_can(g->p, base->model))
		return AGREES;
	interpret_fault(g->p, base->model, &m);
	size_t deadlocks = run_findings(base, "deadlock ");
	char *why = NULL;
	if (!m.too_large)
		why = differing_faults(base, &m);
	if (!m.too_large && !why && (deadlocks ? !m.deadlock && !m.maybe : m.deadlock))
		why = evr_format("%zu deadlocks, and there should be %s", deadlocks, m.deadlock ? "some" : "none");
	if (!m.too_large && !why)
		why = differing_results(base->results.data, base->results.len, m.results.data, m.results.len);
	g->settings->counts->interpreted += !m.too_large;
	fault_meaning_release(&m);
	return why ? mismatch(g->j, base, NULL, evr_format("meaning under %s", base->model), why) : AGREES;
}

/* What may be found or not is left out, unless it must be found for another reason. */
static char *differing_meanings(const struct run *base, const struct meaning *m)
{
	EVR_VEC(uint64_t) found = { 0 };
	for (size_t i = 0; i < base->results.len; i++) {
		uint64_t result = base->results.data[i];
		if (!has_result(m->possible.data, m->possible.len, result) ||
		    has_result(m->results.data, m->results.len, result))
			evr_vec_push(&found, result);
	}
	char *why = differing_results(found.data, found.len, m->results.data, m->results.len);
	evr_vec_release(&found);
	return why;
}

/* Two accesses to freed memory are no race but something else; which of the executions with one are explored is another matter. */
static bool has_freed(const struct run *r)
{
	return run_findings(r, "use-after-free ") || run_findings(r, "double-free ");
}

/* The races are those that the program has. A stored one is known only as C. */
static enum verdict judge_races(struct judge *g, const struct run *base)
{
	struct races found;
	if (g->p->flavour != RACE || !g->p->layout || strcmp(base->model, "sc") != 0)
		return AGREES;
	races_of(g->p, &found);
	char *why = NULL;
	if (!found.too_large && found.faulty != has_freed(base))
		why = evr_format("freed memory is%s used", found.faulty ? "" : " not");
	if (!found.too_large && !found.faulty && !why)
		why = races_differ(&found, (const char *const *)base->findings.data, base->findings.len, g->p->seed);
	g->settings->counts->interpreted += !found.too_large && !found.faulty;
	evr_vec_release(&found.pairs);
	return why ? mismatch(g->j, base, NULL, evr_strdup("races"), why) : AGREES;
}

/* ---- C11 ---- */

/* A round of a loop that fails is of no consequence, but it may race: with one that is kept, that is seen. */
static void find_races_in_rounds(struct c11_meaning *m, const struct program *p, const struct c11_options *options)
{
	struct c11_options once = *options;
	struct c11_kinds k = c11_kinds_of(p);
	struct c11_meaning rounds;
	if (m->too_large || m->racy || !k.loops || !k.plain)
		return;
	once.rounds = 1;
	define_c11(p, &once, &rounds);
	m->racy = rounds.racy;
	m->too_large = rounds.too_large;
	c11_meaning_release(&rounds);
}

/* The definition is asked a second time only where there is a difference. */
static char *differing_definition(const struct run *base, const struct c11_meaning *m, const struct program *p,
				  const struct c11_options *options, bool classes)
{
	char *why = c11_differing(base, m, p, classes);
	struct c11_meaning quiet;
	if (!why)
		return NULL;
	if (!define_c11_quiet(p, options, m, &quiet)) {
		free(why);
		why = quiet.too_large ? NULL : c11_differing_between(base, m, &quiet, p, classes);
	}
	c11_meaning_release(&quiet);
	return why;
}

/*
 * RC11 has the results of its definition, unless there is a race, which must be found. SC and RA ignore the orders that the
 * program declares; where all are as strong as these models take them to be, the definition is theirs, too.
 */
static enum verdict judge_definition(struct judge *g, const struct run *base)
{
	bool sc = !strcmp(base->model, "sc"), ra = !strcmp(base->model, "ra"), rc11 = !strcmp(base->model, "rc11");
	struct c11_options options = { .locks = sc   ? SEQ_CST
						: ra ? ACQ_REL
						     : PLAIN,
				       .spurious = RUN_SPURIOUS,
				       .every_access = !base->skips,
				       .c11_sequences = rc11 && g->settings->c11_sequences };
	struct c11_meaning m;
	struct program p;
	if (sc)
		c11_as_sc(&p, g->p);
	else if (ra)
		c11_as_ra(&p, g->p);
	else
		program_copy(&p, g->p);
	define_c11(&p, &options, &m);
	if (rc11)
		find_races_in_rounds(&m, &p, &options);
	char *why = NULL;
	size_t races = run_findings(base, "race ");
	if (!m.too_large && rc11 && !races != !m.racy)
		why = evr_format("%zu races, and there should be %s", races, m.racy ? "some" : "none");
	else if (!m.too_large && (sc || ra || (rc11 && !m.racy)))
		why = differing_definition(base, &m, &p, &options, g->settings->classes);
	else if (!m.too_large && !rc11)
		why = c11_surplus(base, &m);
	g->settings->counts->interpreted += !m.too_large;
	c11_meaning_release(&m);
	program_release(&p);
	return why ? mismatch(g->j, base, NULL, evr_format("definition of %s", base->model), why) : AGREES;
}

/* Another model's exploration by brute force, with findings and classes of its own. False: too large, or not sound. */
static bool explore_other(struct judge *g, struct run *r, const char *model, enum verdict *v)
{
	*r = (struct run){ .engine = "none", .model = model };
	*v = try(g, r);
	bool explored = *v == AGREES;
	if (*v == THROWN_AWAY)
		*v = AGREES;
	return explored;
}

/*
 * The same program under a model that is the same for it. Fences, and accesses that happens-before orders anyway, may be events of the one and not of
 * the other, so that classes are only counted. Of those who wait for ever there may be several of a class.
 */
static char *differing_models(const struct run *a, const struct run *b, const struct c11_kinds *k)
{
	size_t n = a->classes[EVR_CLASS_RF].len, m = b->classes[EVR_CLASS_RF].len;
	bool waits = run_findings(a, "no-progress ") || run_findings(b, "no-progress ");
	char *why = differing_findings(a, b);
	if (!why)
		why = differing_results(a->results.data, a->results.len, b->results.data, b->results.len);
	if (!why && !waits && k->counted && n != m)
		why = evr_format("%zu and %zu rf classes", n, m);
	return why;
}

static enum verdict judge_same(struct judge *g, const struct run *base, const char *model, const struct c11_kinds *k)
{
	struct run r;
	enum verdict v;
	if (explore_other(g, &r, model, &v)) {
		char *why = differing_models(base, &r, k);
		if (why)
			v = mismatch(g->j, base, &r, evr_format("rc11 is %s", model), why);
		g->settings->counts->same += v == AGREES;
	}
	run_release(&r);
	return v;
}

/* All that a stronger model prints, RC11 does. */
static enum verdict judge_stronger(struct judge *g, const struct run *base, const char *model)
{
	struct run r;
	enum verdict v;
	if (explore_other(g, &r, model, &v))
		for (size_t i = 0; i < r.results.len && v == AGREES; i++)
			if (!has_result(base->results.data, base->results.len, r.results.data[i]))
				v = mismatch(g->j, base, &r, evr_format("%s within rc11", model),
					     evr_format("a result that only 2 has: %#llx",
							(unsigned long long)r.results.data[i]));
	run_release(&r);
	return v;
}

/* Where orders are all alike RC11 is another model, and there are models that it always contains. */
static enum verdict judge_other_models(struct judge *g, const struct run *base)
{
	enum verdict v = AGREES;
	if (!is_c11(g->p, base->model) || is_undefined(g, base) || !g->p->layout || g->settings->engines)
		return v;
	struct c11_kinds k = c11_kinds_of(g->p);
	if (k.only_sc)
		v = judge_same(g, base, "sc", &k);
	if (v == AGREES && k.only_ra)
		v = judge_same(g, base, "ra", &k);
	if (v == AGREES)
		v = judge_stronger(g, base, "tso");
	if (v == AGREES)
		v = judge_stronger(g, base, "pso");
	return v;
}

/* ---- loops that wait or retry ---- */

static char *surplus_result(const struct run *r, const struct await_meaning *m)
{
	for (size_t i = 0; i < r->results.len; i++)
		if (!has_result(m->results.data, m->results.len, r->results.data[i]))
			return evr_format("a result that there should not be: %#llx",
					  (unsigned long long)r->results.data[i]);
	return NULL;
}

static enum verdict judge_awaits(struct judge *g, const struct run *base)
{
	const struct await_meaning *m = &g->meaning[number_of(base->model)];
	char *why = await_surplus(base, m);
	if (!why)
		why = differing_results(base->results.data, base->results.len, m->results.data, m->results.len);
	if (!why)
		why = await_missing(base, m);
	g->settings->counts->interpreted++;
	return why ? mismatch(g->j, base, NULL, evr_format("meaning under %s", base->model), why) : AGREES;
}

/* Interpret the program under all models for which that can be done. False: somewhere it need not end, or is too large. */
static bool find_meanings(struct judge *g)
{
	bool fine = true;
	for (unsigned m = 0; evr_models[m] && fine; m++) {
		if (!is_interpreted(g, evr_models[m]->name) || !is_wanted(g->settings->models, evr_models[m]->name))
			continue;
		interpret_await(g->p, evr_models[m]->name, &g->meaning[m]);
		fine = !g->meaning[m].endless && !g->meaning[m].too_large;
		g->settings->counts->endless += g->meaning[m].endless;
	}
	return fine;
}

/* With so many rounds of each loop all results are there: a round counts only if another thread has changed something before it. */
enum { ENOUGH_ROUNDS = 7 };

/* Brute force with bounded loops: all that it finds is part of the meaning, and all of it if the bound never mattered. */
static enum verdict judge_unrolled(struct judge *g, unsigned model)
{
	struct run *r = &g->base[model];
	const struct await_meaning *m = &g->meaning[model];
	*r = (struct run){ .engine = "none", .model = evr_models[model]->name, .unroll = g->settings->unroll };
	r->limit = g->settings->limit;
	run_explore(r, g->checker, g->index, g->p);
	g->settings->counts->runs++;
	g->settings->counts->executions += run_executions(r);
	char *why = r->error ? evr_strdup(r->error) : await_surplus(r, m);
	if (!why)
		why = surplus_result(r, m);
	if (!why && r->complete && !r->truncated)
		why = await_missing(r, m);
	if (!why && r->complete && (!r->truncated || r->unroll >= ENOUGH_ROUNDS))
		why = differing_results(r->results.data, r->results.len, m->results.data, m->results.len);
	g->settings->counts->unrolled++;
	g->settings->counts->cut += !r->complete || (r->truncated && r->unroll < ENOUGH_ROUNDS);
	return why ? mismatch(g->j, r, NULL, evr_format("unrolled under %s", r->model), why) : AGREES;
}

static enum verdict judge_all_unrolled(struct judge *g)
{
	enum verdict v = AGREES;
	for (unsigned m = 0; evr_models[m] && v == AGREES; m++)
		if (is_interpreted(g, evr_models[m]->name) && is_wanted(g->settings->models, evr_models[m]->name))
			v = judge_unrolled(g, m);
	return v;
}

/* The program has the meaning that it ought to have. A stored one is known only as C, which nobody here understands. */
static enum verdict judge_meaning(struct judge *g, const struct run *base)
{
	struct meaning m;
	if (g->p->flavour == FAULT && g->p->layout)
		return judge_faults(g, base);
	if (is_interpreted(g, base->model))
		return judge_awaits(g, base);
	if (g->p->flavour == C11 && g->p->layout)
		return judge_definition(g, base);
	if (!program_tells(g->p) || g->p->flavour == AWAIT || g->p->flavour == C11 || !g->p->layout ||
	    strcmp(base->model, "sc") != 0)
		return AGREES;
	interpret(g->p, &m);
	size_t assertions = run_findings(base, "assertion "), deadlocks = run_findings(base, "deadlock ");
	char *why = NULL;
	if (!m.too_large)
		why = differing_meanings(base, &m);
	if (!m.too_large && !why && (deadlocks ? !m.deadlock && !m.maybe : m.deadlock))
		why = evr_format("%zu deadlocks, and there should be %s", deadlocks, m.deadlock ? "some" : "none");
	if (!m.too_large && !why && assertions != m.failures.len)
		why = evr_format("%zu assertions fail, and %zu should", assertions, m.failures.len);
	if (!m.too_large && !why && base->findings.len != assertions + deadlocks)
		why = evr_format("a finding of another kind: %s", base->findings.data[base->findings.len - 1]);
	g->settings->counts->interpreted += !m.too_large;
	meaning_release(&m);
	return why ? mismatch(g->j, base, NULL, evr_strdup("meaning"), why) : AGREES;
}

/* Which of those who wait is woken, and where a thread's locals are, is told by numbers of threads: not all texts can be the same. */
static char *differing_but_for_numbers(const struct run *a, const struct run *b)
{
	char *why = differing_findings(a, b);
	for (unsigned k = EVR_CLASS_KINDS; k-- > 0 && !why;)
		if (a->classes[k].len != b->classes[k].len)
			why = evr_format("%zu and %zu %s classes", a->classes[k].len, b->classes[k].len,
					 evr_class_names[k]);
	return why ? why : differing_results(a->results.data, a->results.len, b->results.data, b->results.len);
}

static enum verdict judge_permutations(struct judge *g, const struct run *base)
{
	unsigned orders = program_orders(g->p);
	/* The reversed order, and one in between. */
	unsigned tried[] = { orders - 1, orders / 2 };
	enum verdict v = AGREES;
	for (unsigned i = 0; i < EVR_COUNT(tried) && v == AGREES && !is_undefined(g, base); i++) {
		if (!tried[i] || (i && tried[i] == tried[0]))
			continue;
		struct run r = { .engine = "none", .model = base->model, .order = tried[i] };
		v = try(g, &r);
		char *why = NULL;
		if (v == AGREES)
			why = g->p->flavour == SYNC || g->p->flavour == FAULT ? differing_but_for_numbers(base, &r)
									      : differing(base, &r);
		if (why)
			v = mismatch(g->j, base, &r, evr_format("permutation of %s", base->model), why);
		run_release(&r);
	}
	return v;
}

/* Whatever an engine makes of a program that has gone wrong: that it can, it must know. */
static enum verdict judge_first_finding(struct judge *g, const struct run *base, const struct rule *rule)
{
	struct run r = { .engine = rule->engine, .model = base->model, .check = true, .first = true };
	enum verdict v = try(g, &r);
	if (v == AGREES && !base->findings.len != !r.findings.len)
		v = mismatch(g->j, base, &r, evr_format("finding of %s/%s", base->model, rule->engine),
			     evr_format("%zu findings and %zu", base->findings.len, r.findings.len));
	run_release(&r);
	return v;
}

/* An engine that compares values, of a program that faults: the same findings, and no outcome that there is not. */
static enum verdict judge_findings(struct judge *g, const struct run *base, const struct rule *rule)
{
	struct run r = { .engine = rule->engine, .model = base->model, .check = true };
	enum verdict v = try(g, &r);
	char *why = v == AGREES ? differing_findings(base, &r) : NULL;
	for (size_t i = 0, k = 0; v == AGREES && !why && i < r.results.len; i++) {
		while (k < base->results.len && base->results.data[k] < r.results.data[i])
			k++;
		if (k == base->results.len || base->results.data[k] != r.results.data[i])
			why = evr_format("a result that there should not be: %#llx",
					 (unsigned long long)r.results.data[i]);
	}
	if (why)
		v = mismatch(g->j, base, &r, evr_format("engine %s/%s", base->model, rule->engine), why);
	run_release(&r);
	return v;
}

/* An engine that compares values, of a program with loops that wait: how often it is blocked is its own business. */
static enum verdict judge_results(struct judge *g, const struct run *base, const struct rule *rule)
{
	struct run r = { .engine = rule->engine, .model = base->model, .check = true };
	enum verdict v = try(g, &r);
	char *why = v == AGREES ? differing_findings(base, &r) : NULL;
	if (v == AGREES && !why)
		why = differing_results(base->results.data, base->results.len, r.results.data, r.results.len);
	if (why)
		v = mismatch(g->j, base, &r, evr_format("engine %s/%s", base->model, rule->engine), why);
	run_release(&r);
	return v;
}

/* Are there loops that wait? Of a stored program, nobody knows. */
static bool may_wait(const struct program *p)
{
	return p->flavour == AWAIT || (p->flavour == C11 && (!p->layout || c11_kinds_of(p).loops));
}

/*
 * With --check, each execution is run from the start of the program. Without, it begins where it differs from the one before (rollback), which must
 * make no difference.
 */
static enum verdict judge_rollback(struct judge *g, const struct run *checked)
{
	struct run r = { .engine = checked->engine, .model = checked->model };
	enum verdict v = run_divided ? AGREES : try(g, &r);
	char *why = NULL;
	if (v == AGREES && !run_divided)
		why = differing(checked, &r);
	if (v == AGREES && !run_divided && !why && run_executions(checked) != run_executions(&r))
		why = evr_format("%llu executions and %llu", (unsigned long long)run_executions(checked),
				 (unsigned long long)run_executions(&r));
	if (why)
		v = mismatch(g->j, checked, &r, evr_format("rollback of %s/%s", checked->model, checked->engine), why);
	run_release(&r);
	return v;
}

static enum verdict judge_engine(struct judge *g, const struct run *base, const struct rule *rule)
{
	if (g->settings->verdicts || is_undefined(g, base))
		return judge_first_finding(g, base, rule);
	if (g->p->flavour == FAULT && !rule->exact)
		return judge_findings(g, base, rule);
	if (may_wait(g->p) && !rule->exact)
		return judge_results(g, base, rule);
	struct run r = { .engine = rule->engine, .model = base->model, .check = true };
	enum verdict v = try(g, &r);
	if (v != AGREES)
		return v;
	char *why = differing_findings(base, &r);
	if (!why)
		why = differing_outcomes(base, &r, rule->classes);
	if (!why)
		why = differing_results(base->results.data, base->results.len, r.results.data, r.results.len);
	if (!why && rule->exact)
		why = differing_classes(base, &r, rule->classes);
	uint64_t n = run_executions(&r), classes = base->classes[rule->classes].len;
	/* Of executions in which a loop waits in vain there may be several of a class. */
	bool once = rule->exact && !base->blocked && !r.blocked;
	if (!why && (once ? n != classes : !rule->exact && n > classes))
		why = evr_format("%llu executions for %llu %s classes", (unsigned long long)n,
				 (unsigned long long)classes, evr_class_names[rule->classes]);
	uint64_t finer = base->classes[EVR_CLASS_RF].len;
	if (!why && !rule->exact && n > finer)
		why = evr_format("%llu executions for %llu rf classes", (unsigned long long)n,
				 (unsigned long long)finer);
	if (!why && rule->exact && r.redundant)
		why = evr_format("%llu redundant executions", (unsigned long long)r.redundant);
	if (why)
		v = mismatch(g->j, base, &r, evr_format("engine %s/%s", base->model, rule->engine), why);
	else
		v = judge_rollback(g, &r);
	run_release(&r);
	return v;
}

/*
 * Does it matter under RC11 whether psc sees memory that no two threads contend for? Then there may be more executions with fewer events; the definition
 * says how many at most.
 */
static bool is_between(const struct judge *g, const struct run *base)
{
	struct c11_options options = { .spurious = RUN_SPURIOUS, .c11_sequences = g->settings->c11_sequences };
	struct c11_meaning loud, quiet;
	if (g->p->flavour != C11 || strcmp(base->model, "rc11"))
		return false;
	define_c11(g->p, &options, &loud);
	bool between = !define_c11_quiet(g->p, &options, &loud, &quiet);
	c11_meaning_release(&loud);
	c11_meaning_release(&quiet);
	return between;
}

/*
 * Accesses that happens-before orders need no events: then, too, there are the same findings and results, and as many reads-from classes,
 * since what such an access reads is no matter of choice.
 */
static enum verdict judge_skipping(struct judge *g, const struct run *base, const char *engine)
{
	struct run r = { .engine = engine, .model = base->model, .check = true, .skips = true };
	if (!evr_model_find(base->model)->skips_ordered)
		return AGREES;
	enum verdict v = try(g, &r);
	char *why = NULL;
	if (v == AGREES && is_undefined(g, base)) {
		if (!run_findings(&r, "race "))
			why = evr_strdup("the race was not found");
	} else if (v == AGREES) {
		size_t n = r.classes[EVR_CLASS_RF].len, classes = base->classes[EVR_CLASS_RF].len;
		why = differing_findings(base, &r);
		if (!why)
			why = differing_results(base->results.data, base->results.len, r.results.data, r.results.len);
		/* Outside of atomic sections, an event at memory that they use is one, too: among them it has a place, which is part of its class. */
		bool fewer = g->p->flavour == SECTION && n < classes;
		if (!why && !base->blocked && !r.blocked && n != classes && !fewer)
			why = evr_format("%zu rf classes instead of %zu", n, classes);
	}
	if (why && is_between(g, base)) {
		free(why);
		why = NULL;
	}
	if (why)
		v = mismatch(g->j, base, &r, evr_format("skipping by %s/%s", base->model, engine), why);
	run_release(&r);
	/* Without events for everything, brute force has fewer executions; never more. */
	return v == THROWN_AWAY ? AGREES : v;
}

static bool is_simple(const struct program *p)
{
	bool loops = p->flavour == AWAIT || (p->flavour == C11 && c11_kinds_of(p).loops);
	return !loops && p->flavour != RACE;
}

static enum verdict judge_engines(struct judge *g, const struct run *base, unsigned model)
{
	enum verdict v = AGREES;
	for (unsigned e = 0; evr_engines[e] && v == AGREES; e++) {
		const struct evr_engine_ops *ops = evr_engines[e];
		if (!strcmp(ops->name, "none") || !ops->exhaustive || !evr_engine_supports(ops, evr_models[model]))
			continue;
		if (!is_wanted(g->settings->engines, ops->name))
			continue;
		if (ops->values_only && g->p->flavour == RACE)
			continue;
		const struct rule *rule = NULL;
		for (unsigned i = 0; i < EVR_COUNT(rules); i++)
			if (!strcmp(rules[i].engine, ops->name))
				rule = &rules[i];
		/* Who covers loops that wait leaves out rounds that change nothing. */
		if (rule && rule->exact && !ops->erases && !is_simple(g->p))
			continue;
		if (!rule)
			evr_die("there is no rule for engine '%s': what is it complete for?", ops->name);
		v = judge_engine(g, base, rule);
	}
	return v;
}

/*
 * A store to freed memory is the end of its thread, but where it was buffered the thread goes on, and so does who joins it.
 * Then one model's outcomes say nothing about another's.
 */
static bool uses_freed_memory(const struct run *r)
{
	for (size_t i = 0; i < r->findings.len; i++)
		if (!strncmp(r->findings.data[i], "use-after-free ", 15))
			return true;
	return false;
}

/*
 * With these fences, `model` is no weaker than `strong` is without them: the same findings and classes of all kinds, or, where
 * the fences are events of the model that classes speak of, the same outcomes.
 */
static enum verdict judge_fenced(struct judge *g, const char *model, enum fences fences, const char *strong)
{
	const struct run *a = base_of(g, strong);
	if (!is_for(evr_model_find(model), g->p) || uses_freed_memory(a))
		return AGREES;
	/* These fences would be part of happens-before. */
	if (g->p->flavour == RACE)
		return AGREES;
	struct run r = { .engine = "none", .model = model, .fences = fences };
	/* These fences are events: they multiply executions, and only small programs remain explorable. */
	if (fences == SC_EVERYWHERE) {
		r.limit = g->settings->limit / 20;
		if (run_executions(a) > g->settings->limit / 200) {
			g->settings->counts->fenced_too_large++;
			return AGREES;
		}
	}
	enum verdict v = try(g, &r);
	char *why = NULL;
	if (v == THROWN_AWAY) {
		g->settings->counts->fenced_too_large++;
		v = AGREES;
	} else if (v == AGREES) {
		why = fences != SC_EVERYWHERE ? differing(a, &r) : differing_findings(a, &r);
		if (!why)
			why = differing_classes(a, &r, EVR_CLASS_OUTCOME);
	}
	if (why)
		v = mismatch(g->j, a, &r, evr_format("fenced %s against %s", model, strong), why);
	run_release(&r);
	return v;
}

/* Are there accesses of different sizes? Of a stored program, nobody knows. */
static bool has_pieces(const struct program *p)
{
	bool some = !p->layout;
	for (unsigned v = 0; p->layout && v < p->layout->places; v++)
		some |= p->layout->place[v].cells > 1;
	return some;
}

/* A race that a has and b has not, or NULL. What happens before what, events and sources tell, whatever the model is. */
static const char *missing_race(const struct run *a, const struct run *b)
{
	for (size_t i = 0; i < a->findings.len; i++) {
		bool has = strncmp(a->findings.data[i], "race ", 5) != 0;
		for (size_t k = 0; k < b->findings.len && !has; k++)
			has = !strcmp(a->findings.data[i], b->findings.data[k]);
		if (!has)
			return a->findings.data[i];
	}
	return NULL;
}

/*
 * Every outcome under `strong` is one under `weak`. Outcomes tell what was read of shared locations, and which are shared
 * may depend on the model: a branch that SC never takes may make one so. Then the two cannot be compared.
 */
static enum verdict judge_included(struct judge *g, const char *strong, const char *weak)
{
	const struct run *a = base_of(g, strong), *b = base_of(g, weak);
	if (!is_for(evr_model_find(weak), g->p))
		return AGREES;
	if (uses_freed_memory(a) || (g->p->flavour == RACE && has_freed(a)) || a->locations.len != b->locations.len ||
	    (a->locations.len &&
	     memcmp(a->locations.data, b->locations.data, a->locations.len * sizeof(uint64_t)) != 0)) {
		g->settings->counts->incomparable++;
		return AGREES;
	}
	g->settings->counts->compared++;
	bool race = g->p->flavour == RACE;
	const char *text = race ? missing_race(a, b) : NULL;
	/* A model that orders whole locations makes plain accesses in pieces where sizes differ: outcomes tell of other reads. */
	if (!text && !(race && has_pieces(g->p) && evr_model_find(weak)->coherence_per_location))
		text = missing(a, b, EVR_CLASS_OUTCOME);
	if (!text)
		return AGREES;
	return mismatch(g->j, a, b, evr_format("%s outcomes within %s", strong, weak),
			evr_format("an outcome of 1 is none of 2: %s", text));
}

/* Is one of the engines that were asked for made for the model? */
static bool some_engine_is_for(const struct judge *g, const struct evr_model_ops *model)
{
	for (unsigned e = 0; evr_engines[e]; e++)
		if (is_wanted(g->settings->engines, evr_engines[e]->name) && evr_engine_supports(evr_engines[e], model))
			return true;
	return false;
}

/* Only engines against brute force, and that against what the program means. */
static enum verdict judge_engines_only(struct judge *g)
{
	enum verdict v = AGREES;
	for (unsigned m = 0; evr_models[m] && v == AGREES; m++) {
		if (!some_engine_is_for(g, evr_models[m]) || !is_for(evr_models[m], g->p) ||
		    !is_wanted(g->settings->models, evr_models[m]->name))
			continue;
		g->base[m] = (struct run){ .engine = "none", .model = evr_models[m]->name };
		v = try(g, &g->base[m]);
		if (v == AGREES)
			v = judge_meaning(g, &g->base[m]);
		if (v == AGREES)
			v = judge_races(g, &g->base[m]);
		if (v == AGREES)
			v = judge_engines(g, &g->base[m], m);
		if (v == AGREES)
			v = judge_skipping(g, &g->base[m], "none");
		if (v == AGREES)
			v = judge_skipping(g, &g->base[m], "rf");
		if (v == AGREES)
			v = judge_other_models(g, &g->base[m]);
	}
	return v;
}

/* Of flavour `c11`: engine rf, or traces, as people use it, against the definition. Each class comes once, and none in vain. */
static enum verdict judge_by_definition(struct judge *g)
{
	unsigned m = number_of("rc11");
	struct run *r = &g->base[m];
	bool traces = g->settings->engines && !strcmp(g->settings->engines, "traces");
	*r = (struct run){ .engine = traces ? "traces" : "rf", .model = "rc11", .skips = true };
	if (traces && !is_simple(g->p))
		return AGREES;
	enum verdict v = try(g, r);
	if (v == AGREES)
		v = judge_meaning(g, r);
	if (v != AGREES || is_undefined(g, r))
		return v;
	uint64_t n = run_executions(r), classes = r->classes[traces ? EVR_CLASS_TRACE : EVR_CLASS_RF].len;
	if (r->redundant || (!r->blocked && n != classes))
		v = mismatch(g->j, r, NULL, evr_strdup("classes once"),
			     evr_format("%llu executions, %llu of them redundant, for %llu classes",
					(unsigned long long)n, (unsigned long long)r->redundant,
					(unsigned long long)classes));
	return v;
}

static enum verdict judge_all(struct judge *g)
{
	enum verdict v = AGREES;
	if (!find_meanings(g))
		return THROWN_AWAY;
	if (g->settings->unroll)
		return judge_all_unrolled(g);
	if (g->settings->definition)
		return judge_by_definition(g);
	if (g->settings->engines || g->settings->models)
		return judge_engines_only(g);
	for (unsigned m = 0; evr_models[m] && v == AGREES; m++) {
		if (!is_for(evr_models[m], g->p))
			continue;
		g->base[m] = (struct run){ .engine = "none", .model = evr_models[m]->name, .check = true };
		v = try(g, &g->base[m]);
		if (v == AGREES)
			v = judge_meaning(g, &g->base[m]);
		if (v == AGREES)
			v = judge_races(g, &g->base[m]);
	}
	for (unsigned m = 0; evr_models[m] && v == AGREES; m++)
		if (is_for(evr_models[m], g->p)) {
			v = judge_engines(g, &g->base[m], m);
			if (v == AGREES)
				v = judge_skipping(g, &g->base[m], "none");
			if (v == AGREES)
				v = judge_skipping(g, &g->base[m], "rf");
			if (v == AGREES)
				v = judge_other_models(g, &g->base[m]);
		}
	if (v == AGREES)
		v = judge_included(g, "sc", "tso");
	if (v == AGREES)
		v = judge_included(g, "tso", "pso");
	if (v == AGREES)
		v = judge_included(g, "tso", "ra");
	if (v == AGREES && !may_race(g))
		v = judge_included(g, "pso", "rc11");
	if (v == AGREES)
		v = judge_fenced(g, "tso", SC_AFTER_STORES, "sc");
	if (v == AGREES)
		v = judge_fenced(g, "pso", SC_AFTER_STORES, "sc");
	if (v == AGREES)
		v = judge_fenced(g, "pso", IN_ORDER_STORES, "tso");
	if (v == AGREES)
		v = judge_fenced(g, "ra", SC_EVERYWHERE, "sc");
	if (v == AGREES && !may_race(g))
		v = judge_fenced(g, "rc11", SC_EVERYWHERE, "sc");
	for (unsigned m = 0; evr_models[m] && v == AGREES; m++)
		if (is_for(evr_models[m], g->p))
			v = judge_permutations(g, &g->base[m]);
	return v;
}

enum verdict judge_program(const struct judge_settings *s, const char *checker, size_t index, const struct program *p,
			   struct judgement *j)
{
	struct judge g = { .settings = s, .checker = checker, .index = index, .p = p, .j = j };
	*j = (struct judgement){ 0 };
	enum verdict v = judge_all(&g);
	for (unsigned m = 0; evr_models[m]; m++) {
		run_release(&g.base[m]);
		await_meaning_release(&g.meaning[m]);
	}
	return v;
}

void judgement_release(struct judgement *j)
{
	free(j->check);
	free(j->why);
}
