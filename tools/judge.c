/*
 * The judge: random programs, each explored by brute force under every model and by every engine that claims the model,
 * and compared. docs/judge.md says what is compared, and why it must agree.
 *
 * Programs are compiled several hundred at a time, and the checkers are started directly: their results and classes come
 * back through two files in memory.
 */
#include "event/classes.h"
#include "explore/engine.h"
#include "program.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const char usage[] =
	"Usage: judge [options]\n"
	"  --seed=N         the first seed (default 1)\n"
	"  --count=N        how many programs (default 2000)\n"
	"  --seconds=N      begin no more programs after this time\n"
	"  --batch=N        how many are compiled at once (default 250)\n"
	"  --jobs=N         processes (default: one for each core)\n"
	"  --limit=N        throw a program away that needs more executions (default 20000)\n"
	"  --stop=N         stop after so many mismatches (default 1); 0: never\n"
	"  --keep=DIR       where mismatches are stored, made as small as possible (default: judge-mismatches)\n"
	"  --no-shrink      store mismatches as they are\n"
	"  --features=...   as randprog's\n"
	"  --everett=PATH   the driver, with its archive beside it (default: beside the judge)\n"
	"  --verbose        say how far it is after every batch\n"
	"  --file=FILE      judge the one program of a stored file instead\n";

static struct {
	uint64_t seed, count, batch, limit, stop;
	double seconds;
	unsigned jobs, features;
	bool shrink, verbose;
	const char *keep, *file;
	char *everett;
} options = { .seed = 1,
	      .count = 2000,
	      .batch = 250,
	      .limit = 20000,
	      .stop = 1,
	      .shrink = true,
	      .features = F_ALL,
	      .keep = "judge-mismatches" };

/* Shared by all workers. */
static struct shared {
	_Atomic uint64_t next, judged, thrown_away, mismatches, runs, executions, incomparable, compared;
	_Atomic uint64_t fenced_too_large; /* with further fences; the program itself was not */
} *shared;

/* Which classes an exhaustive engine explores, one execution for each. A new engine needs a line here. */
static const struct rule {
	const char *engine;
	enum evr_class_kind classes;
	bool exact; /* as many executions as classes, and these very classes; else at most so many, and the same outcomes */
} rules[] = {
	{ "traces", EVR_CLASS_TRACE, true },
	{ "rf", EVR_CLASS_RF, true },
	{ "rvf", EVR_CLASS_RVF, false },
};

static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* ---- one exploration ---- */

struct class
{
	struct evr_class_key key;
	char *text;
};

struct run {
	/* What was asked for. */
	const char *engine, *model;
	unsigned order; /* of creating threads */
	enum fences fences;
	bool check;
	uint64_t limit; /* on executions, if not the usual one */
	/* What came of it. */
	char *error;
	bool complete;
	uint64_t executions, blocked, truncated, redundant;
	EVR_VEC(struct class) classes[EVR_CLASS_KINDS]; /* sorted by key */
	EVR_VEC(char *) findings; /* "kind at file:line", sorted */
	EVR_VEC(uint64_t) locations; /* addresses of the events in the traces, sorted */
};

static void run_release(struct run *r)
{
	for (unsigned k = 0; k < EVR_CLASS_KINDS; k++) {
		for (size_t i = 0; i < r->classes[k].len; i++)
			free(r->classes[k].data[i].text);
		evr_vec_release(&r->classes[k]);
	}
	for (size_t i = 0; i < r->findings.len; i++)
		free(r->findings.data[i]);
	evr_vec_release(&r->findings);
	evr_vec_release(&r->locations);
	free(r->error);
}

static int result_fd = -1, classes_fd = -1;

static _Noreturn void become_checker(const char *checker, size_t index, const struct run *r)
{
	char *words = evr_format(
		"fd=%d classes-fd=%d model=%s engine=%s keep-going=1 races=0 max-executions=%llu timeout=100%s",
		result_fd, classes_fd, r->model, r->engine, (unsigned long long)(r->limit ? r->limit : options.limit),
		r->check ? " check=1" : "");
	char *which = evr_format("%zu", index), *order = evr_format("%u", r->order),
	     *fences = evr_format("%d", (int)r->fences);
	char *argv[] = { (char *)checker, which, order, fences, NULL };
	int old = personality(0xffffffff);
	if (old != -1)
		personality((unsigned long)old | ADDR_NO_RANDOMIZE);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	setenv("EVERETT_CHECKER", words, 1);
	execv(checker, argv);
	_exit(127);
}

static void rewind_file(int fd)
{
	if (ftruncate(fd, 0) || lseek(fd, 0, SEEK_SET))
		evr_die("cannot rewind: %s", strerror(errno));
}

static char *file_text(int fd)
{
	struct stat st;
	if (fstat(fd, &st))
		evr_die("cannot look at the results: %s", strerror(errno));
	char *text = evr_alloc((size_t)st.st_size + 1);
	for (off_t done = 0; done < st.st_size;) {
		ssize_t n = pread(fd, text + done, (size_t)(st.st_size - done), done);
		if (n <= 0)
			evr_die("cannot read the results: %s", strerror(errno));
		done += n;
	}
	return text;
}

/* The next field or line; `from` moves behind it. */
static char *cut(char **from, char at)
{
	char *start = *from, *end = strchr(start, at);
	if (end)
		*end = '\0';
	*from = end ? end + 1 : start + strlen(start);
	return start;
}

static int by_string(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static int by_key(const void *a, const void *b)
{
	const struct evr_class_key *x = &((const struct class *)a)->key, *y = &((const struct class *)b)->key;
	if (x->one != y->one)
		return x->one < y->one ? -1 : 1;
	return x->two == y->two ? 0 : x->two < y->two ? -1 : 1;
}

static int by_number(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;
	return *x == *y ? 0 : *x < *y ? -1 : 1;
}

static void take_result(struct run *r, char *text)
{
	bool done = false;
	while (*text) {
		char *line = cut(&text, '\n'), *record = cut(&line, '\t');
		if (!strcmp(record, "finding")) {
			char *kind = cut(&line, '\t');
			cut(&line, '\t');
			char *file = cut(&line, '\t'), *where = cut(&line, '\t');
			evr_vec_push(&r->findings, evr_format("%s at %s:%s", kind, file, where));
		} else if (!strcmp(record, "error")) {
			cut(&line, '\t');
			r->error = evr_strdup(line);
		} else if (!strcmp(record, "done")) {
			done = true;
			r->complete = *cut(&line, '\t') == '1';
			cut(&line, '\t');
			r->executions = strtoull(cut(&line, '\t'), NULL, 10);
			r->blocked = strtoull(cut(&line, '\t'), NULL, 10);
			r->truncated = strtoull(cut(&line, '\t'), NULL, 10);
			r->redundant = strtoull(cut(&line, '\t'), NULL, 10);
		}
	}
	if (!done && !r->error)
		r->error = evr_strdup("the checker ended without a result");
	if (r->findings.len)
		qsort(r->findings.data, r->findings.len, sizeof(char *), by_string);
}

/* ---- the names of threads, when they were created in another order ---- */

struct names {
	unsigned rank[MAX_ROLES]; /* of the k-th thread that main created: its rank in order 0 */
	unsigned count;
};

static struct names names_of(const struct program *p, unsigned order)
{
	struct names n = { .count = program_created(p) };
	for (unsigned k = 0; k < n.count; k++)
		for (unsigned i = 0; i < n.count; i++)
			if (program_in_order(p, 0, i) == program_in_order(p, order, k))
				n.rank[k] = i;
	return n;
}

/* Every "0.K" that is a thread's name gets the rank that it has in order 0. */
static char *rename_threads(const char *text, const struct names *n)
{
	struct evr_strbuf out;
	evr_strbuf_init(&out);
	for (const char *s = text; *s; s++) {
		bool name = (s == text || strchr(" ;<>", s[-1])) && s[0] == '0' && s[1] == '.';
		evr_strbuf_putc(&out, *s);
		if (!name)
			continue;
		char *end;
		unsigned long k = strtoul(s + 2, &end, 10);
		evr_strbuf_printf(&out, ".%u", k < n->count ? n->rank[k] : (unsigned)k);
		s = end - 1;
	}
	return evr_strbuf_take(&out);
}

/* Threads are in the order of their names: "0" before "0.1". */
static int by_thread(const void *a, const void *b)
{
	const char *x = *(char *const *)a, *y = *(char *const *)b;
	size_t n = strcspn(x, ":"), m = strcspn(y, ":");
	int c = strncmp(x, y, n < m ? n : m);
	return c ? c : n == m ? 0 : n < m ? -1 : 1;
}

/* Sorted, each with a character before or behind it. A word may be empty: the coherence order of what nobody wrote. */
static void add_sorted(struct evr_strbuf *out, char *text, const char *at, int (*compare)(const void *, const void *))
{
	EVR_VEC(char *) words = { 0 };
	for (char *word; (word = strsep(&text, at));)
		evr_vec_push(&words, word);
	qsort(words.data, words.len, sizeof(char *), compare);
	for (size_t i = 0; i < words.len; i++)
		evr_strbuf_printf(out, *at == ' ' ? " %s" : "%s;", words.data[i]);
	evr_vec_release(&words);
}

/* The text that the class has when the threads are created in order 0: what event/classes.c sorts is sorted anew. */
static char *in_order_0(const char *text, unsigned kind, const struct names *n)
{
	char *renamed = rename_threads(text, n), *last = strrchr(renamed, ';');
	struct evr_strbuf out;
	evr_strbuf_init(&out);
	if (!last)
		return renamed;
	char *tail = evr_strdup(last + 1);
	*last = '\0';
	add_sorted(&out, renamed, ";", by_thread);
	if (kind == EVR_CLASS_OUTCOME)
		evr_strbuf_puts(&out, tail);
	else if (*tail)
		add_sorted(&out, tail + 1, " ", by_string);
	free(tail);
	free(renamed);
	return evr_strbuf_take(&out);
}

static void note_locations(struct run *r, const char *text)
{
	for (const char *s = strchr(text, '@'); s; s = strchr(s + 1, '@')) {
		uint64_t address = strtoull(s + 1, NULL, 16);
		bool known = address <= 1; /* a choice has none, and fences under RA a hidden one */
		for (size_t i = 0; i < r->locations.len; i++)
			known |= r->locations.data[i] == address;
		if (!known)
			evr_vec_push(&r->locations, address);
	}
}

static void take_classes(struct run *r, char *text, const struct names *n)
{
	while (*text) {
		char *line = cut(&text, '\n'), *kind = cut(&line, ' ');
		if (!strcmp(kind, "execution"))
			continue;
		unsigned k = 0;
		while (k < EVR_CLASS_KINDS && strcmp(kind, evr_class_names[k]) != 0)
			k++;
		if (k == EVR_CLASS_KINDS)
			evr_die("the file of classes has a line '%s'", kind);
		cut(&line, ' ');
		if (k == EVR_CLASS_TRACE)
			note_locations(r, line);
		struct class c = { .text = r->order ? in_order_0(line, k, n) : evr_strdup(line) };
		c.key = evr_class_key(c.text);
		evr_vec_push(&r->classes[k], c);
	}
	for (unsigned k = 0; k < EVR_CLASS_KINDS; k++)
		if (r->classes[k].len)
			qsort(r->classes[k].data, r->classes[k].len, sizeof(struct class), by_key);
	if (r->locations.len)
		qsort(r->locations.data, r->locations.len, sizeof(uint64_t), by_number);
}

static void explore(struct run *r, const char *checker, size_t index, const struct program *p)
{
	rewind_file(result_fd);
	rewind_file(classes_fd);
	pid_t pid = fork();
	if (pid < 0)
		evr_die("cannot start a process: %s", strerror(errno));
	if (!pid)
		become_checker(checker, index, r);
	int status;
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	char *result = file_text(result_fd), *classes = file_text(classes_fd);
	struct names n = names_of(p, r->order);
	take_result(r, result);
	take_classes(r, classes, &n);
	free(result);
	free(classes);
	shared->runs++;
	shared->executions += r->executions + r->blocked + r->truncated;
}

/* ---- comparing ---- */

enum verdict { AGREES, THROWN_AWAY, MISMATCH };

struct judgement {
	char *check; /* which comparison failed: "permutation of tso", ... */
	char *why;
	struct run *a, *b; /* between what; b may be NULL */
};

static char *command_of(const struct run *r)
{
	return evr_format("everett check -m %s -e %s -k --no-races%s --classes FILE THIS.c -- 0 %u %d", r->model,
			  r->engine, r->check ? " --check" : "", r->order, (int)r->fences);
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
		const struct class *c = &a->classes[k].data[i];
		while (l < b->classes[k].len && by_key(&b->classes[k].data[l], c) < 0)
			l++;
		if (l == b->classes[k].len || by_key(&b->classes[k].data[l], c) != 0)
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

static char *differing(const struct run *a, const struct run *b)
{
	char *why = differing_findings(a, b);
	for (unsigned k = EVR_CLASS_KINDS; k-- > 0 && !why;)
		why = differing_classes(a, b, k);
	return why;
}

static uint64_t all_executions(const struct run *r)
{
	return r->executions + r->blocked + r->truncated;
}

struct judge {
	const char *checker;
	size_t index;
	const struct program *p;
	struct judgement *j;
	struct run base[8]; /* by model, in the order of evr_models */
};

static struct run *base_of(struct judge *g, const char *model)
{
	for (unsigned m = 0; evr_models[m]; m++)
		if (!strcmp(evr_models[m]->name, model))
			return &g->base[m];
	evr_die("there is no model '%s'", model);
}

/* Explore r and see to it that it is sound by itself. */
static enum verdict try(struct judge *g, struct run *r)
{
	explore(r, g->checker, g->index, g->p);
	if (r->error)
		return mismatch(g->j, r, NULL, evr_format("self-check of %s/%s", r->model, r->engine),
				evr_strdup(r->error));
	if (r->complete)
		return AGREES;
	return strcmp(r->engine, "none") != 0 ? mismatch(g->j, r, NULL, evr_format("end of %s/%s", r->model, r->engine),
							 evr_strdup("did not end"))
					      : THROWN_AWAY;
}

static enum verdict judge_permutations(struct judge *g, const struct run *base)
{
	unsigned orders = program_orders(g->p);
	/* The reversed order, and one in between. */
	unsigned tried[] = { orders - 1, orders / 2 };
	enum verdict v = AGREES;
	for (unsigned i = 0; i < EVR_COUNT(tried) && v == AGREES; i++) {
		if (!tried[i] || (i && tried[i] == tried[0]))
			continue;
		struct run r = { .engine = "none", .model = base->model, .order = tried[i] };
		v = try(g, &r);
		char *why = v == AGREES ? differing(base, &r) : NULL;
		if (why)
			v = mismatch(g->j, base, &r, evr_format("permutation of %s", base->model), why);
		run_release(&r);
	}
	return v;
}

static enum verdict judge_engine(struct judge *g, const struct run *base, const struct rule *rule)
{
	struct run r = { .engine = rule->engine, .model = base->model, .check = true };
	enum verdict v = try(g, &r);
	if (v != AGREES)
		return v;
	char *why = differing_findings(base, &r);
	if (!why)
		why = differing_classes(base, &r, EVR_CLASS_OUTCOME);
	if (!why && rule->exact)
		why = differing_classes(base, &r, rule->classes);
	uint64_t n = all_executions(&r), classes = base->classes[rule->classes].len;
	if (!why && (rule->exact ? n != classes : n > classes))
		why = evr_format("%llu executions for %llu %s classes", (unsigned long long)n,
				 (unsigned long long)classes, evr_class_names[rule->classes]);
	if (!why && r.redundant)
		why = evr_format("%llu redundant executions", (unsigned long long)r.redundant);
	if (why)
		v = mismatch(g->j, base, &r, evr_format("engine %s/%s", base->model, rule->engine), why);
	run_release(&r);
	return v;
}

static enum verdict judge_engines(struct judge *g, const struct run *base, unsigned model)
{
	enum verdict v = AGREES;
	for (unsigned e = 0; evr_engines[e] && v == AGREES; e++) {
		const struct evr_engine_ops *ops = evr_engines[e];
		if (!strcmp(ops->name, "none") || !ops->exhaustive || !(ops->models & evr_model_bit(evr_models[model])))
			continue;
		const struct rule *rule = NULL;
		for (unsigned i = 0; i < EVR_COUNT(rules); i++)
			if (!strcmp(rules[i].engine, ops->name))
				rule = &rules[i];
		if (!rule)
			evr_die("there is no rule for engine '%s': what is it complete for?", ops->name);
		v = judge_engine(g, base, rule);
	}
	return v;
}

/*
 * With these fences, `model` is no weaker than `strong` is without them: the same findings and classes of all kinds, or, where
 * the fences are events of the model that classes speak of, the same outcomes.
 */
static enum verdict judge_fenced(struct judge *g, const char *model, enum fences fences, const char *strong)
{
	const struct run *a = base_of(g, strong);
	struct run r = { .engine = "none", .model = model, .fences = fences };
	/* These fences are events: they multiply executions, and only small programs remain explorable. */
	if (fences == SC_EVERYWHERE) {
		r.limit = options.limit / 20;
		if (all_executions(a) > options.limit / 200) {
			shared->fenced_too_large++;
			return AGREES;
		}
	}
	enum verdict v = try(g, &r);
	char *why = NULL;
	if (v == THROWN_AWAY) {
		shared->fenced_too_large++;
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

/*
 * Every outcome under `strong` is one under `weak`. Outcomes tell what was read of shared locations, and which are shared
 * may depend on the model: a branch that SC never takes may make one so. Then the two cannot be compared.
 */
static enum verdict judge_included(struct judge *g, const char *strong, const char *weak)
{
	const struct run *a = base_of(g, strong), *b = base_of(g, weak);
	if (a->locations.len != b->locations.len ||
	    (a->locations.len &&
	     memcmp(a->locations.data, b->locations.data, a->locations.len * sizeof(uint64_t)) != 0)) {
		shared->incomparable++;
		return AGREES;
	}
	shared->compared++;
	const char *text = missing(a, b, EVR_CLASS_OUTCOME);
	if (!text)
		return AGREES;
	return mismatch(g->j, a, b, evr_format("%s outcomes within %s", strong, weak),
			evr_format("an outcome of 1 is none of 2: %s", text));
}

static enum verdict judge_all(struct judge *g)
{
	enum verdict v = AGREES;
	for (unsigned m = 0; evr_models[m] && v == AGREES; m++) {
		g->base[m] = (struct run){ .engine = "none", .model = evr_models[m]->name, .check = true };
		v = try(g, &g->base[m]);
	}
	for (unsigned m = 0; evr_models[m] && v == AGREES; m++)
		v = judge_engines(g, &g->base[m], m);
	if (v == AGREES)
		v = judge_included(g, "sc", "tso");
	if (v == AGREES)
		v = judge_included(g, "tso", "pso");
	if (v == AGREES)
		v = judge_included(g, "tso", "ra");
	if (v == AGREES)
		v = judge_fenced(g, "tso", SC_AFTER_STORES, "sc");
	if (v == AGREES)
		v = judge_fenced(g, "pso", SC_AFTER_STORES, "sc");
	if (v == AGREES)
		v = judge_fenced(g, "pso", IN_ORDER_STORES, "tso");
	if (v == AGREES)
		v = judge_fenced(g, "ra", SC_EVERYWHERE, "sc");
	for (unsigned m = 0; evr_models[m] && v == AGREES; m++)
		v = judge_permutations(g, &g->base[m]);
	return v;
}

static enum verdict judge_program(const char *checker, size_t index, const struct program *p, struct judgement *j)
{
	struct judge g = { .checker = checker, .index = index, .p = p, .j = j };
	*j = (struct judgement){ 0 };
	enum verdict v = judge_all(&g);
	for (unsigned m = 0; evr_models[m]; m++)
		run_release(&g.base[m]);
	return v;
}

static void judgement_release(struct judgement *j)
{
	free(j->check);
	free(j->why);
}

/* ---- compiling ---- */

static char *folder; /* of this worker */

static void write_file(const char *path, const char *text)
{
	FILE *out = fopen(path, "we");
	if (!out || fputs(text, out) < 0 || fclose(out))
		evr_die("cannot write '%s': %s", path, strerror(errno));
}

/* Returns the path of the checker, to be freed. */
static char *compile(const char *source)
{
	char *checker = evr_format("%s/programs", folder);
	pid_t pid = fork();
	if (pid < 0)
		evr_die("cannot start a process: %s", strerror(errno));
	if (!pid) {
		execl(options.everett, options.everett, "cc", "-w", source, "-o", checker, "-pthread", (char *)NULL);
		_exit(127);
	}
	int status;
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	if (status)
		evr_die("'%s cc %s' failed", options.everett, source);
	return checker;
}

static char *compile_programs(const struct program *p, size_t n)
{
	char *source = evr_format("%s/programs.c", folder);
	struct evr_strbuf text;
	evr_strbuf_init(&text);
	programs_print(&text, p, n, 0, AS_WRITTEN);
	write_file(source, text.text);
	evr_strbuf_release(&text);
	char *checker = compile(source);
	free(source);
	return checker;
}

/* ---- a mismatch ---- */

/* All programs that are a bit smaller are compiled at once; the first that still fails in the same way is taken. */
static bool shrink_once(struct program *p, struct judgement *j)
{
	EVR_VEC(struct program) smaller = { 0 };
	struct program s;
	for (unsigned k = 0; program_smaller(&s, p, k); k++) {
		s.seed = smaller.len;
		if (program_valid(&s))
			evr_vec_push(&smaller, s);
		else
			program_release(&s);
	}
	bool found = false;
	char *checker = smaller.len ? compile_programs(smaller.data, smaller.len) : NULL;
	for (size_t i = 0; i < smaller.len; i++) {
		struct judgement other;
		if (!found && judge_program(checker, i, &smaller.data[i], &other) == MISMATCH) {
			if (!strcmp(other.check, j->check)) {
				found = true;
				uint64_t seed = p->seed;
				program_release(p);
				program_copy(p, &smaller.data[i]);
				p->seed = seed;
			}
			judgement_release(&other);
		}
		program_release(&smaller.data[i]);
	}
	evr_vec_release(&smaller);
	free(checker);
	return found;
}

static void store(const struct program *p, const struct judgement *j, uint64_t seed)
{
	struct evr_strbuf text;
	evr_strbuf_init(&text);
	evr_strbuf_printf(&text, "/*\nMismatch: %s, from seed %llu\n%s\nOr: judge --file=THIS.c\ncreated: %u\n*/\n",
			  j->check, (unsigned long long)seed, j->why, program_created(p));
	programs_print(&text, p, 1, 0, AS_WRITTEN);
	char *path = evr_format("%s/p%llu.c", options.keep, (unsigned long long)seed);
	mkdir(options.keep, 0777);
	write_file(path, text.text);
	printf("judge: %s\n%s\nstored as %s\n", j->check, j->why, path);
	fflush(stdout);
	free(path);
	evr_strbuf_release(&text);
}

static void handle_mismatch(const struct program *p, struct judgement *j)
{
	struct program small;
	program_copy(&small, p);
	while (options.shrink && shrink_once(&small, j))
		;
	/* Lines and addresses of the small program, by itself. */
	char *checker = compile_programs(&small, 1);
	struct judgement last;
	if (judge_program(checker, 0, &small, &last) == MISMATCH)
		store(&small, &last, p->seed);
	else
		store(p, j, p->seed);
	judgement_release(&last);
	free(checker);
	program_release(&small);
}

/* ---- workers ---- */

static double deadline;

static bool enough(void)
{
	return (options.stop && shared->mismatches >= options.stop) || (deadline > 0 && now() > deadline);
}

static void judge_batch(uint64_t first, size_t n)
{
	struct program *p = evr_alloc(n * sizeof(*p));
	for (size_t i = 0; i < n; i++)
		program_random(&p[i], first + i, options.features);
	char *checker = compile_programs(p, n);
	for (size_t i = 0; i < n && !enough(); i++) {
		struct judgement j;
		enum verdict v = judge_program(checker, i, &p[i], &j);
		shared->judged += v != THROWN_AWAY;
		shared->thrown_away += v == THROWN_AWAY;
		/* Shrinking uses the same files: afterwards the batch is compiled again. */
		if (v == MISMATCH && (shared->mismatches++ < options.stop || !options.stop)) {
			handle_mismatch(&p[i], &j);
			free(checker);
			checker = enough() ? NULL : compile_programs(p, n);
		}
		judgement_release(&j);
	}
	for (size_t i = 0; i < n; i++)
		program_release(&p[i]);
	free(p);
	free(checker);
}

static void begin_work(void)
{
	const char *temporary = getenv("TMPDIR");
	folder = evr_format("%s/judge-XXXXXX", temporary && *temporary ? temporary : "/tmp");
	if (!mkdtemp(folder))
		evr_die("cannot make a folder: %s", strerror(errno));
	result_fd = memfd_create("result", 0);
	classes_fd = memfd_create("classes", 0);
	if (result_fd < 0 || classes_fd < 0)
		evr_die("cannot make a file in memory: %s", strerror(errno));
}

static void end_work(void)
{
	static const char *const files[] = { "programs.c", "programs" };
	for (unsigned i = 0; i < EVR_COUNT(files); i++) {
		char *path = evr_format("%s/%s", folder, files[i]);
		unlink(path);
		free(path);
	}
	rmdir(folder);
	free(folder);
}

static int work(void)
{
	begin_work();
	while (!enough()) {
		uint64_t first = atomic_fetch_add(&shared->next, options.batch);
		if (first >= options.count)
			break;
		uint64_t n = options.count - first < options.batch ? options.count - first : options.batch;
		judge_batch(options.seed + first, n);
		if (options.verbose)
			fprintf(stderr, "judge: %llu programs judged, %llu thrown away, %llu mismatches\n",
				(unsigned long long)shared->judged, (unsigned long long)shared->thrown_away,
				(unsigned long long)shared->mismatches);
	}
	end_work();
	return 0;
}

static int judge_file(void)
{
	struct program p = { 0 };
	char line[4096];
	FILE *in = fopen(options.file, "re");
	if (!in)
		evr_die("cannot open '%s': %s", options.file, strerror(errno));
	while (fgets(line, sizeof(line), in))
		if (sscanf(line, "created: %u", &p.roles) == 1)
			break;
	fclose(in);
	if (p.roles > MAX_ROLES)
		evr_die("'%s' creates too many threads", options.file);
	begin_work();
	char *checker = compile(options.file);
	struct judgement j;
	enum verdict v = judge_program(checker, 0, &p, &j);
	if (v == MISMATCH)
		printf("judge: %s\n%s\n", j.check, j.why);
	else
		printf("judge: %s\n", v == AGREES ? "agrees" : "too many executions");
	end_work();
	return v == MISMATCH ? EVR_FINDING : v == AGREES ? EVR_OK : EVR_INCOMPLETE;
}

static bool value_of(const char *argument, const char *name, const char **value)
{
	size_t n = strlen(name);
	if (strncmp(argument, name, n) != 0 || argument[n] != '=')
		return false;
	*value = argument + n + 1;
	return true;
}

static void parse(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		const char *v;
		if (value_of(argv[i], "--seed", &v))
			options.seed = strtoull(v, NULL, 10);
		else if (value_of(argv[i], "--count", &v))
			options.count = strtoull(v, NULL, 10);
		else if (value_of(argv[i], "--seconds", &v))
			options.seconds = atof(v);
		else if (value_of(argv[i], "--batch", &v))
			options.batch = strtoull(v, NULL, 10);
		else if (value_of(argv[i], "--jobs", &v))
			options.jobs = (unsigned)atoi(v);
		else if (value_of(argv[i], "--limit", &v))
			options.limit = strtoull(v, NULL, 10);
		else if (value_of(argv[i], "--stop", &v))
			options.stop = strtoull(v, NULL, 10);
		else if (value_of(argv[i], "--keep", &v))
			options.keep = v;
		else if (value_of(argv[i], "--file", &v))
			options.file = v;
		else if (value_of(argv[i], "--everett", &v))
			options.everett = evr_strdup(v);
		else if (value_of(argv[i], "--features", &v) && features_parse(v))
			options.features = features_parse(v) | F_LOADS | F_STORES;
		else if (!strcmp(argv[i], "--no-shrink"))
			options.shrink = false;
		else if (!strcmp(argv[i], "--verbose"))
			options.verbose = true;
		else if (!strcmp(argv[i], "--help"))
			exit(fputs(usage, stdout) < 0);
		else
			evr_die("unknown option '%s'", argv[i]);
	}
	if (!options.batch)
		evr_die("a batch has at least one program");
}

static char *beside_us(const char *name)
{
	char path[4096];
	ssize_t n = readlink("/proc/self/exe", path, sizeof(path));
	while (n > 0 && path[n - 1] != '/')
		n--;
	return evr_format("%.*s%s", n > 0 ? (int)n : 0, path, name);
}

int main(int argc, char **argv)
{
	parse(argc, argv);
	if (!options.everett)
		options.everett = beside_us("everett");
	if (!options.jobs)
		options.jobs = (unsigned)sysconf(_SC_NPROCESSORS_ONLN);
	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (shared == MAP_FAILED)
		evr_die("cannot share memory: %s", strerror(errno));
	if (options.file)
		return judge_file();
	double start = now();
	deadline = options.seconds > 0 ? start + options.seconds : 0;
	fflush(NULL);
	for (unsigned i = 0; i < options.jobs; i++) {
		pid_t pid = fork();
		if (pid < 0)
			evr_die("cannot start a process: %s", strerror(errno));
		if (!pid)
			exit(work());
	}
	bool fine = true;
	for (int status; wait(&status) > 0;)
		fine &= status == 0;
	double seconds = now() - start;
	printf("judge: %llu programs agree, %llu thrown away, %llu mismatches; %llu explorations, %llu executions, "
	       "%llu fenced variants too large, %llu of %llu inclusions not comparable; %.1f s, %.0f programs a minute\n",
	       (unsigned long long)(shared->judged - shared->mismatches), (unsigned long long)shared->thrown_away,
	       (unsigned long long)shared->mismatches, (unsigned long long)shared->runs,
	       (unsigned long long)shared->executions, (unsigned long long)shared->fenced_too_large,
	       (unsigned long long)shared->incomparable, (unsigned long long)(shared->incomparable + shared->compared),
	       seconds, 60 * (double)(shared->judged + shared->thrown_away) / seconds);
	if (!fine)
		evr_die("a worker failed");
	return shared->mismatches ? EVR_FINDING : shared->judged ? EVR_OK : EVR_INCOMPLETE;
}
