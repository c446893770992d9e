/*
 * What to do next, where a search verified nothing or has kept within a bound.
 *
 * Invariant: a command is that of this run, with the same files, options and arguments, for one model, and with another limit, bound or checkpoint. Numbers are those of
 * this run, or follow from them.
 */
#include "driver/next.h"

#include "base/strbuf.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <unistd.h>

#define MORE 10 /* times the limit, where nobody knows how much there is */
#define MARGIN 1.2 /* times what should be enough */
#define FOREVER (24 * 3600.0) /* seconds that nobody waits for a test */
#define FEW_PREEMPTIONS 2
#define SAMPLE_SECONDS 60
#define CHECKPOINT "search.json"

struct situation {
	const struct evr_options *o;
	struct evr_result *r;
	double done, rate; /* executions, and how many a second */
	double seconds; /* that the whole search takes at this rate; 0: not known */
	long cores;
};

static void say(const struct situation *s, char *command, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Takes the command. */
static void say(const struct situation *s, char *command, const char *format, ...)
{
	va_list args;
	struct evr_strbuf text;
	evr_strbuf_init(&text);
	va_start(args, format);
	evr_strbuf_vprintf(&text, format, args);
	va_end(args);
	evr_vec_push(&s->r->next, (struct evr_result_next){ evr_strbuf_take(&text), command });
}

/* Upwards, to two digits. */
static double round_up(double n)
{
	double unit = n > 10 ? pow(10, floor(log10(n)) - 1) : 1;
	return ceil(n / unit) * unit;
}

/* Of a number that does not fit, nothing is lost: a search will not get there. */
static long to_long(double n)
{
	return n < 1e18 ? (long)n : (long)1e18;
}

static char *command(const struct situation *s, const struct evr_options *next)
{
	return evr_options_command(next, s->r->model);
}

/* "about 25 M executions in all: 4.9 min at 85 k/s, 2.5 min on 2 cores" */
static char *size_text(const struct situation *s)
{
	struct evr_strbuf b;
	evr_strbuf_init(&b);
	evr_strbuf_puts(&b, "about ");
	evr_text_about(&b, s->r->estimate);
	evr_strbuf_puts(&b, " executions in all: ");
	evr_text_seconds(&b, s->seconds);
	evr_strbuf_puts(&b, " at ");
	evr_text_about(&b, s->rate);
	evr_strbuf_puts(&b, "/s");
	if (s->cores > 1) {
		evr_strbuf_puts(&b, ", ");
		evr_text_seconds(&b, s->seconds / (double)s->cores);
		evr_strbuf_printf(&b, " on %ld cores", s->cores);
	}
	return evr_strbuf_take(&b);
}

/* ---- limits ---- */

static bool saves(const struct situation *s)
{
	return s->o->checkpoint && s->r->rest.there && s->r->rest.branches.len;
}

static void resume(const struct situation *s)
{
	struct evr_options next;
	evr_options_init(&next, EVR_RESUME);
	evr_words_add(&next.files, s->o->checkpoint);
	next.trust_report = 1; /* it is the user's own */
	char *size = s->seconds > 0 ? size_text(s) : NULL;
	say(s, command(s, &next), "%s%s%" PRIu64 " executions are done and saved; continue with", size ? size : "",
	    size ? "; " : "", (uint64_t)s->done);
	free(size);
	evr_options_release(&next);
}

/* The limit that was reached, `factor` times as large, or as large as the estimate asks for. */
static void enlarge(const struct situation *s, struct evr_options *next)
{
	double high = s->seconds > 0 ? s->r->estimate_high : 0;
	if (!strcmp(s->r->stopped, "limit on executions"))
		next->max_executions =
			to_long(high > 0 ? round_up(MARGIN * high) : MORE * (double)s->o->max_executions);
	else if (next->timeout > 0)
		next->timeout = high > 0 ? round_up(MARGIN * high / s->rate / (double)(s->cores > 1 ? s->cores : 1))
					 : MORE * next->timeout;
}

static void go_further(const struct situation *s)
{
	struct evr_options next = *s->o;
	char name[] = CHECKPOINT;
	if (saves(s)) {
		resume(s);
		return;
	}
	if (s->seconds > FOREVER) {
		char *size = size_text(s);
		say(s, NULL, "%s: a smaller test is needed, see docs/reducing.md", size);
		free(size);
		return;
	}
	enlarge(s, &next);
	if (s->cores > 1 && s->seconds > 0)
		next.jobs = 0;
	/* Who waits for long wants to keep what there is. */
	bool divides = s->o->command & (EVR_CHECK | EVR_RUN | EVR_ROBUST) && s->o->preemptions < 0;
	if (!strcmp(s->r->stopped, "interrupted") && !next.checkpoint && divides)
		next.checkpoint = name;
	if (s->seconds > 0) {
		char *size = size_text(s);
		say(s, command(s, &next), "%s", size);
		free(size);
	} else {
		say(s, command(s, &next), "%" PRIu64 " executions took %.2f s, and the total is unknown; %s",
		    (uint64_t)s->done, s->r->explore_seconds,
		    next.checkpoint == name ? "with a checkpoint, the search can be resumed" : "with a larger limit");
	}
}

static void more_memory(const struct situation *s)
{
	struct evr_options next = *s->o;
	if (next.memory > 0)
		next.memory *= 2;
	if (saves(s))
		resume(s);
	else
		say(s, command(s, &next), "the checker took %" PRIu64 " MiB for %" PRIu64 " executions; %s",
		    s->r->peak_kib / 1024, (uint64_t)s->done,
		    next.memory > 0 ? "with twice the memory" : "run it again on a machine with more memory");
}

/* What can be had for less. */
static void settle_for_less(const struct situation *s)
{
	struct evr_options next = *s->o;
	bool checks = s->o->command == EVR_CHECK || s->o->command == EVR_RUN;
	/* What is saved there is worth more than what these will leave. */
	next.checkpoint = NULL;
	if (checks && s->o->preemptions < 0 && s->r->finished_preemptions >= 0) {
		next.preemptions = s->r->finished_preemptions + 1;
		say(s, command(s, &next),
		    "every execution with at most %ld preemption%s is fine, %" PRIu64 " of them; with one more",
		    s->r->finished_preemptions, evr_plural((uint64_t)s->r->finished_preemptions),
		    s->r->finished_executions);
	} else if (checks && s->o->preemptions < 0) {
		next.preemptions = FEW_PREEMPTIONS;
		say(s, command(s, &next),
		    "nearly every bug shows with a few preemptions; all executions with at most %d", FEW_PREEMPTIONS);
	} else if (checks && s->o->preemptions > 0) {
		next.preemptions--;
		say(s, command(s, &next), "with fewer preemptions, there are fewer executions");
	}
	if (s->o->command == EVR_CHECK && (s->seconds > FOREVER || !(s->seconds > 0))) {
		next.command = EVR_SAMPLE;
		next.preemptions = next.max_executions = -1;
		next.timeout = SAMPLE_SECONDS;
		say(s, command(s, &next), "random executions, and what they cover");
	}
}

/* Which accesses make it so much, and what to cut. */
static void add_topics(const struct situation *s)
{
	struct evr_strbuf b;
	evr_strbuf_init(&b);
	for (size_t i = 0; i < s->r->topics.len; i++) {
		const struct evr_result_topic *t = &s->r->topics.data[i];
		evr_strbuf_printf(&b, "%s%s, at %s: %u %%", i ? "; " : "", t->location, t->places, t->share);
	}
	if (!b.len) {
		evr_strbuf_release(&b);
		return;
	}
	for (size_t i = 0; s->seconds > 0 && i < s->r->cuts.len; i++) {
		const struct evr_result_cut *c = &s->r->cuts.data[i];
		evr_strbuf_puts(&b, i ? "; " : ". Roughly: ");
		evr_strbuf_printf(&b, "%s, ", c->what);
		evr_text_about(&b, pow(s->r->estimate, c->rest));
		evr_strbuf_puts(&b, " executions");
	}
	say(s, NULL,
	    "most of the choices are at %s. Use fewer threads, fewer operations there, or a separate test: docs/reducing.md",
	    b.text);
	evr_strbuf_release(&b);
}

static void after_limit(const struct situation *s)
{
	const char *why = s->r->stopped;
	if (!strcmp(why, "memory limit") || !strncmp(why, "the checker was killed", 22))
		more_memory(s);
	else
		go_further(s);
	add_topics(s);
	settle_for_less(s);
}

/* ---- nothing in it ---- */

static const char *were(uint64_t executions)
{
	return executions == 1 ? " was" : "s were";
}

static void after_nothing(const struct situation *s)
{
	struct evr_options next = *s->o;
	char output[] = "-";
	if (s->r->truncated && s->o->unroll > 0) {
		next.unroll = 2 * s->o->unroll;
		say(s, command(s, &next),
		    "%" PRIu64
		    " execution%s cut at %ld iteration%s of a loop; a loop of n iterations needs a bound of n + 1",
		    s->r->truncated, were(s->r->truncated), s->o->unroll, evr_plural((uint64_t)s->o->unroll));
	} else if (s->r->truncated) {
		say(s, NULL,
		    "%" PRIu64 " execution%s cut at a bound that the program sets by everett_loop_bound(): raise it",
		    s->r->truncated, were(s->r->truncated));
	}
	if (s->r->blocked) {
		next = *s->o;
		next.output = output;
		say(s, command(s, &next),
		    "%" PRIu64
		    " execution%s blocked, by a failed assumption or a wait that never ends; what the program printed before",
		    s->r->blocked, were(s->r->blocked));
	}
}

/* Nothing was found within a bound. */
static void beyond_bound(const struct situation *s)
{
	struct evr_options next = *s->o;
	if (s->r->preemptions >= 0) {
		next.preemptions = s->r->preemptions + 1;
		say(s, command(s, &next), "%" PRIu64 " executions have at most %ld preemption%s; with one more",
		    (uint64_t)s->done, s->r->preemptions, evr_plural((uint64_t)s->r->preemptions));
	}
	if (s->r->unroll > 0 && s->r->truncated) {
		next = *s->o;
		next.unroll = s->r->unroll + 1;
		say(s, command(s, &next), "%" PRIu64 " execution%s cut at %ld iteration%s of a loop; with one more",
		    s->r->truncated, were(s->r->truncated), s->r->unroll, evr_plural((uint64_t)s->r->unroll));
	}
}

static void after_sample(const struct situation *s)
{
	struct evr_options next = *s->o;
	if (next.max_executions > 0)
		next.max_executions *= MORE;
	if (next.timeout > 0)
		next.timeout *= MORE;
	say(s, command(s, &next),
	    "with %d times as many draws, the bound on the probability of a failure would be about %d times smaller",
	    MORE, MORE);
}

static void after_prediction(const struct situation *s)
{
	struct evr_options next = *s->o;
	next.command = EVR_CHECK;
	if (strcmp(s->r->model, "pslo") != 0)
		say(s, command(s, &next), "%zu cycle%s were predicted and tried; all executions", s->r->cycles.len,
		    evr_plural(s->r->cycles.len));
}

/* The parts of a search together have something left. */
static void after_merge(const struct situation *s)
{
	struct evr_options next = *s->o;
	char name[] = CHECKPOINT;
	size_t left = s->r->rest.branches.len;
	if (saves(s)) {
		resume(s);
		return;
	}
	next.checkpoint = name;
	say(s, command(s, &next), "%zu branch%s left and not saved; save them, then continue with 'everett resume %s'",
	    left, left == 1 ? " is" : "es are", name);
}

static void fill(const struct evr_options *o, struct evr_result *r)
{
	struct situation s = { .o = o, .r = r, .cores = sysconf(_SC_NPROCESSORS_ONLN) };
	s.done = (double)(r->executions + r->blocked + r->truncated);
	s.rate = r->explore_seconds > 0 ? s.done / r->explore_seconds : 0;
	if (r->estimate > s.done && s.rate > 0)
		s.seconds = r->estimate / s.rate;
	/* All of them work already, or a search that cannot be divided goes on. */
	if (o->jobs > 1 || o->preemptions >= 0)
		s.cores = 1;
	if (r->error || r->findings.len || o->replay)
		return;
	if (r->sampling)
		after_sample(&s);
	else if (r->prediction)
		after_prediction(&s);
	else if (o->command == EVR_MERGE && !r->complete)
		after_merge(&s);
	else if (!r->complete)
		after_limit(&s);
	else if (evr_result_verified(r))
		beyond_bound(&s);
	else
		after_nothing(&s);
}

void evr_next_fill(struct evr_report *r, const struct evr_options *o)
{
	for (size_t i = 0; i < r->results.len; i++)
		fill(o, r->results.data[i]);
}
