/*
 * The judge: random programs, each explored by brute force under every model and by every engine that claims the model,
 * and compared. docs/judge.md says what is compared, and why it must agree.
 *
 * Programs are compiled several hundred at a time; worker processes share the batches.
 */
#include "compare.h"
#include "define_c11.h"
#include "encode.h"
#include "explore/engine.h"
#include "model/model.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
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
	"  --engine=E[,E...]  only these engines against brute force, under the models that they are for, and nothing else\n"
	"  --model=M[,M...] with --engine, or of flavour c11: under these models only\n"
	"  --classes        flavour c11: compare the number of classes with the definition, too\n"
	"  --release-sequences=c11  flavour c11: under rc11, a release sequence goes on with later stores of its thread\n"
	"  --definition     flavour c11: compare engine rf, or traces if --engine says so, under rc11 with the definition alone\n"
	"  --define-only    flavour c11: explore nothing, and say what the definition says\n"
	"  --unroll=N       flavour await: compare only its meaning and brute force with this bound on loops\n"
	"  --divided        engines but none explore with two workers, which give branches away all the time\n"
	"  --machine        do not compile programs: one program carries them out; flavours ordinary, await and c11, with --engine or --definition\n"
	"  --verdicts       of engines, compare only whether they find anything, as users see it without -k\n"
	"  --features=..., --flavour=NAME  as randprog's\n"
	"  --everett=PATH   the driver, with its archive beside it (default: beside the judge)\n"
	"  --verbose        say how far it is after every batch\n"
	"  --file=FILE      judge the one program of a stored file instead\n";

static struct {
	uint64_t seed, count, batch, limit, stop;
	double seconds;
	unsigned jobs, features, unroll;
	enum flavour flavour;
	bool shrink, machine, verbose, verdicts, classes, define_only, definition, c11_sequences;
	const char *keep, *file, *engines, *models;
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
	_Atomic uint64_t next, judged, thrown_away, mismatches;
	struct judge_counts counts;
} *shared;

static struct judge_settings settings;

static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* ---- compiling ---- */

static char *folder; /* of this worker */

static void write_file(const char *path, const char *text)
{
	FILE *out = fopen(path, "we");
	if (!out || fputs(text, out) < 0 || fclose(out))
		evr_die("cannot write '%s': %s", path, strerror(errno));
}

/* Returns the path of the checker, which is in our folder, to be freed. */
static char *compile(const char *source, const char *name)
{
	char *checker = evr_format("%s/%s", folder, name);
	run_end();
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

static char *compile_text(const char *text, const char *name)
{
	char *source = evr_format("%s/%s.c", folder, name);
	write_file(source, text);
	char *checker = compile(source, name);
	free(source);
	return checker;
}

static char *compile_programs(const struct program *p, size_t n, const char *name)
{
	struct evr_strbuf text;
	evr_strbuf_init(&text);
	programs_print(&text, p, n, 0, AS_WRITTEN);
	char *checker = compile_text(text.text, name);
	evr_strbuf_release(&text);
	return checker;
}

/* ---- a mismatch ---- */

/* The same comparison, and the first line of what differs is the same but for numbers: else one mismatch becomes another. */
static bool same_failure(const struct judgement *a, const struct judgement *b)
{
	const char *x = a->why, *y = b->why;
	for (;; x++, y++) {
		x += strspn(x, "0123456789");
		y += strspn(y, "0123456789");
		if (*x != *y || *x == '\n' || !*x)
			break;
	}
	return *x == *y && !strcmp(a->check, b->check);
}

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
	char *checker = smaller.len ? compile_programs(smaller.data, smaller.len, "smaller") : NULL;
	for (size_t i = 0; i < smaller.len; i++) {
		struct judgement other;
		if (!found && judge_program(&settings, checker, i, &smaller.data[i], &other) == MISMATCH) {
			if (same_failure(&other, j)) {
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
	evr_strbuf_printf(
		&text, "/*\nMismatch: %s, from seed %llu\n%s\nOr: judge --file=THIS.c\nflavour: %s\ncreated: %u\n*/\n",
		j->check, (unsigned long long)seed, j->why, flavour_names[p->flavour], program_created(p));
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
	run_data = NULL;
	program_copy(&small, p);
	while (options.shrink && shrink_once(&small, j))
		;
	/* Lines and addresses of the small program, by itself. */
	char *checker = compile_programs(&small, 1, "smaller");
	struct judgement last;
	if (judge_program(&settings, checker, 0, &small, &last) == MISMATCH)
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

static void judge_one(const char *checker, size_t index, const struct program *p)
{
	struct judgement j;
	enum verdict v = judge_program(&settings, checker, index, p, &j);
	shared->judged += v != THROWN_AWAY;
	shared->thrown_away += v == THROWN_AWAY;
	if (v == MISMATCH && (shared->mismatches++ < options.stop || !options.stop))
		handle_mismatch(p, &j);
	judgement_release(&j);
}

/* The machine is the checker of all programs. */
static void judge_as_data(const struct program *p)
{
	static char *checker;
	char *data = encode_program(p);
	if (!data) {
		shared->thrown_away++;
		return;
	}
	if (!checker) {
		char *text = encode_machine();
		checker = compile_text(text, "machine");
		free(text);
	}
	run_data = data;
	judge_one(checker, 0, p);
	run_data = NULL;
	free(data);
}

static void judge_batch(uint64_t first, size_t n)
{
	struct program *p = evr_alloc(n * sizeof(*p));
	for (size_t i = 0; i < n; i++)
		program_random(&p[i], first + i, options.features, options.flavour);
	char *checker = options.machine ? NULL : compile_programs(p, n, "programs");
	for (size_t i = 0; i < n && !enough(); i++)
		if (options.machine)
			judge_as_data(&p[i]);
		else
			judge_one(checker, i, &p[i]);
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
}

static void end_work(void)
{
	static const char *const files[] = { "programs.c", "programs", "smaller.c", "smaller", "machine.c", "machine" };
	for (unsigned i = 0; i < EVR_COUNT(files); i++) {
		char *path = evr_format("%s/%s", folder, files[i]);
		unlink(path);
		free(path);
	}
	run_end();
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
	char line[4096], name[16];
	FILE *in = fopen(options.file, "re");
	if (!in)
		evr_die("cannot open '%s': %s", options.file, strerror(errno));
	while (fgets(line, sizeof(line), in)) {
		if (sscanf(line, "flavour: %15s", name) == 1)
			p.flavour = flavour_parse(name);
		if (sscanf(line, "created: %u", &p.roles) == 1)
			break;
	}
	fclose(in);
	if (p.roles > MAX_ROLES)
		evr_die("'%s' creates too many threads", options.file);
	if (p.flavour == FLAVOUR_COUNT)
		evr_die("'%s' is of a flavour that is unknown", options.file);
	begin_work();
	char *checker = compile(options.file, "programs");
	struct judgement j;
	enum verdict v = judge_program(&settings, checker, 0, &p, &j);
	if (v == MISMATCH)
		printf("judge: %s\n%s\n", j.check, j.why);
	else
		printf("judge: %s\n", v == AGREES ? "agrees" : "too many executions");
	end_work();
	return v == MISMATCH ? EVR_FINDING : v == AGREES ? EVR_OK : EVR_INCOMPLETE;
}

/* Only the definition: nothing is compiled or explored. */
static int define_all(void)
{
	struct c11_options choices = { .spurious = 1, .c11_sequences = options.c11_sequences };
	uint64_t too_large = 0, racy = 0, waits = 0, graphs = 0, classes = 0, pairs = 0, results = 0, several = 0;
	double start = now(), longest = 0;
	for (uint64_t i = 0; i < options.count; i++) {
		struct program p;
		struct c11_meaning m;
		double begun = now();
		program_random(&p, options.seed + i, options.features, C11);
		define_c11(&p, &choices, &m);
		double took = now() - begun;
		if (options.verbose)
			printf("%llu: %llu graphs, %llu classes, %llu with orders, %zu results%s%s, %.3f s\n",
			       (unsigned long long)p.seed, (unsigned long long)m.graphs, (unsigned long long)m.classes,
			       (unsigned long long)m.pairs, m.results.len, m.racy ? ", racy" : "",
			       m.too_large ? ", too large" : "", took);
		longest = took > longest ? took : longest;
		too_large += m.too_large;
		racy += !m.too_large && m.racy;
		waits += !m.too_large && (m.no_progress || m.both);
		graphs += m.too_large ? 0 : m.graphs;
		classes += m.too_large ? 0 : m.classes;
		pairs += m.too_large ? 0 : m.pairs;
		results += m.too_large ? 0 : m.results.len;
		several += !m.too_large && m.pairs > m.classes;
		c11_meaning_release(&m);
		program_release(&p);
	}
	printf("judge: %llu programs, %llu of them too large and %llu racy, %llu may wait for ever; %llu graphs, %llu consistent reads-from classes, "
	       "%llu with modification orders (in %llu programs more than one for a class), %llu results; %.1f s, at most %.2f s\n",
	       (unsigned long long)options.count, (unsigned long long)too_large, (unsigned long long)racy,
	       (unsigned long long)waits, (unsigned long long)graphs, (unsigned long long)classes,
	       (unsigned long long)pairs, (unsigned long long)several, (unsigned long long)results, now() - start,
	       longest);
	return EVR_OK;
}

static bool value_of(const char *argument, const char *name, const char **value)
{
	size_t n = strlen(name);
	if (strncmp(argument, name, n) != 0 || argument[n] != '=')
		return false;
	*value = argument + n + 1;
	return true;
}

static bool is_model(const char *name)
{
	return evr_model_find(name);
}

static bool is_engine(const char *name)
{
	for (unsigned e = 0; evr_engines[e]; e++)
		if (!strcmp(evr_engines[e]->name, name))
			return true;
	return false;
}

static void check_names(const char *list, const char *what, bool (*is_one)(const char *name))
{
	for (const char *s = list; s;) {
		size_t n = strcspn(s, ",");
		char *name = evr_strndup(s, n);
		if (!is_one(name))
			evr_die("there is no %s '%s'", what, name);
		free(name);
		s = s[n] ? s + n + 1 : NULL;
	}
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
		else if (value_of(argv[i], "--unroll", &v))
			options.unroll = (unsigned)atoi(v);
		else if (value_of(argv[i], "--limit", &v))
			options.limit = strtoull(v, NULL, 10);
		else if (value_of(argv[i], "--stop", &v))
			options.stop = strtoull(v, NULL, 10);
		else if (value_of(argv[i], "--keep", &v))
			options.keep = v;
		else if (value_of(argv[i], "--engine", &v))
			options.engines = v;
		else if (value_of(argv[i], "--model", &v))
			options.models = v;
		else if (value_of(argv[i], "--file", &v))
			options.file = v;
		else if (value_of(argv[i], "--everett", &v))
			options.everett = evr_strdup(v);
		else if (value_of(argv[i], "--features", &v) && features_parse(v))
			options.features = features_parse(v) | F_LOADS | F_STORES;
		else if (value_of(argv[i], "--flavour", &v) && flavour_parse(v) != FLAVOUR_COUNT)
			options.flavour = flavour_parse(v);
		else if (!strcmp(argv[i], "--no-shrink"))
			options.shrink = false;
		else if (!strcmp(argv[i], "--divided"))
			run_divided = true;
		else if (!strcmp(argv[i], "--machine"))
			options.machine = true;
		else if (!strcmp(argv[i], "--verdicts"))
			options.verdicts = true;
		else if (!strcmp(argv[i], "--classes"))
			options.classes = true;
		else if (!strcmp(argv[i], "--define-only"))
			options.define_only = true;
		else if (!strcmp(argv[i], "--definition"))
			options.definition = true;
		else if (!strcmp(argv[i], "--release-sequences=c11"))
			options.c11_sequences = true;
		else if (!strcmp(argv[i], "--verbose"))
			options.verbose = true;
		else if (!strcmp(argv[i], "--help"))
			exit(fputs(usage, stdout) < 0);
		else
			evr_die("unknown option '%s'", argv[i]);
	}
	if (!options.batch)
		evr_die("a batch has at least one program");
	if ((options.classes || options.define_only || options.definition || options.c11_sequences) &&
	    options.flavour != C11)
		evr_die("--classes, --define-only, --definition and --release-sequences need --flavour=c11");
	if (options.models && !options.engines && !options.unroll && options.flavour != C11)
		evr_die("--model needs --engine=NAME");
	if (options.machine && !options.engines && !options.definition)
		evr_die("--machine needs --engine=NAME or --definition");
	if (options.machine && options.flavour != ORDINARY && options.flavour != AWAIT && options.flavour != C11)
		evr_die("--machine does not know flavour '%s'", flavour_names[options.flavour]);
	if (options.unroll && options.flavour != AWAIT)
		evr_die("--unroll needs --flavour=await");
	check_names(options.models, "model", is_model);
	check_names(options.engines, "engine", is_engine);
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
	settings = (struct judge_settings){ .limit = options.limit,
					    .engines = options.engines,
					    .models = options.models,
					    .unroll = options.unroll,
					    .verdicts = options.verdicts,
					    .classes = options.classes,
					    .definition = options.definition,
					    .c11_sequences = options.c11_sequences,
					    .counts = &shared->counts };
	if (options.define_only)
		return define_all();
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
	       "%llu fenced variants too large, %llu of %llu inclusions not comparable, %llu interpreted; "
	       "%.1f s, %.0f programs a minute\n",
	       (unsigned long long)(shared->judged - shared->mismatches), (unsigned long long)shared->thrown_away,
	       (unsigned long long)shared->mismatches, (unsigned long long)shared->counts.runs,
	       (unsigned long long)shared->counts.executions, (unsigned long long)shared->counts.fenced_too_large,
	       (unsigned long long)shared->counts.incomparable,
	       (unsigned long long)(shared->counts.incomparable + shared->counts.compared),
	       (unsigned long long)shared->counts.interpreted, seconds,
	       60 * (double)(shared->judged + shared->thrown_away) / seconds);
	if (options.flavour == AWAIT)
		printf("judge: %llu programs may go on for ever; of %llu explorations with bounded loops, %llu need not have all results\n",
		       (unsigned long long)shared->counts.endless, (unsigned long long)shared->counts.unrolled,
		       (unsigned long long)shared->counts.cut);
	if (options.flavour == C11)
		printf("judge: %llu programs have the same classes under rc11 as under sc, or as under ra\n",
		       (unsigned long long)shared->counts.same);
	if (!fine)
		evr_die("a worker failed");
	return shared->mismatches ? EVR_FINDING : shared->judged ? EVR_OK : EVR_INCOMPLETE;
}
