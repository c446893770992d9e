/*
 * From the sources of `everett check` to its checker, through compile.c, with the user's flags or those of a compilation database.
 *
 * Invariant: everything that can be wrong with the command is found before the first source is compiled, and a source that
 * does not compile does not keep the others from being compiled, so that all errors are seen at once.
 */
#include "driver/build.h"

#include "driver/compile.h"
#include "driver/database.h"
#include "driver/process.h"
#include "driver/temp.h"
#include "driver/trust.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

static void require_source(const char *path)
{
	struct stat st;
	if (!strcmp(path, "-"))
		return;
	if (stat(path, &st) || access(path, R_OK))
		evr_die("cannot open '%s': %s", path, strerror(errno));
	if (S_ISDIR(st.st_mode))
		evr_die("'%s' is a directory", path);
}

/* Libraries go behind the objects that need them, wherever the user put them. */
static void add_compiler_words(evr_words *out, const evr_words *compile, bool libraries)
{
	for (size_t i = 0; i < compile->len; i++) {
		bool library = !strncmp(compile->data[i], "-l", 2);
		if (library == libraries)
			evr_words_add(out, compile->data[i]);
		if (strcmp(compile->data[i], "-l") != 0)
			continue;
		i++; /* its argument; a report that somebody edited may lack it */
		if (libraries && i < compile->len)
			evr_words_add(out, compile->data[i]);
	}
}

static int compile(const struct evr_options *o, bool cxx, const evr_words *words, struct evr_times *t)
{
	struct evr_cc cc;
	evr_cc_init(&cc, cxx, words->data, words->len);
	cc.announce = cc.lenient = true;
	cc.verbose = o->verbose;
	int status = evr_compile(&cc, t);
	evr_cc_release(&cc);
	return status;
}

/* A release build switches them off: then that nothing was found says little. */
static bool without_assertions(const evr_words *flags)
{
	bool off = false;
	for (size_t i = 0; i < flags->len; i++) {
		const char *word = flags->data[i];
		if (word[0] != '-' || (word[1] != 'D' && word[1] != 'U'))
			continue;
		const char *name = word[2] || i + 1 == flags->len ? word + 2 : flags->data[i + 1];
		if (!strncmp(name, "NDEBUG", 6) && (!name[6] || name[6] == '='))
			off = word[1] == 'D';
	}
	return off;
}

/* Each source becomes an object by the flags that the project has for it; *out is what remains to be linked. */
static int compile_as_project(const struct evr_options *o, evr_words *flags, evr_words *out, struct evr_times *t)
{
	int status = 0;
	for (size_t i = 0; i < o->files.len; i++) {
		const char *file = o->files.data[i];
		if (!evr_cc_is_source(file)) {
			evr_words_add(out, file);
			continue;
		}
		char *name = evr_format("unit%zu.o", i), *object = evr_temp_file(name);
		/* Those of the command line come behind the project's, and so win. */
		add_compiler_words(&flags[i], &o->compile, false);
		if (!o->quiet && without_assertions(&flags[i]))
			evr_warn("note: '%s' is compiled with -DNDEBUG, without its assertions (-UNDEBUG keeps them)",
				 file);
		evr_words_add(&flags[i], "-c");
		evr_words_add(&flags[i], file);
		evr_words_add(&flags[i], "-o");
		evr_words_add(&flags[i], object);
		int failed = compile(o, evr_cc_is_cxx(file), &flags[i], t);
		status = failed ? failed : status;
		evr_words_add(out, object);
		free(object);
		free(name);
	}
	return status;
}

/* In a replay the report names the database, but who wrote the report may have written that, too. */
static void take_flags(const struct evr_options *o, const struct evr_database *d, const char *file, evr_words *flags)
{
	evr_words left_out = { 0 };
	evr_database_words(d, file, o->verbose, flags);
	if (!o->trust_report)
		evr_trust_flags(flags, &left_out);
	for (size_t i = 0; i < left_out.len; i++)
		evr_warn("left out of the flags for '%s': %s (--trust-report takes it)", file, left_out.data[i]);
	evr_words_release(&left_out);
}

static int compile_by_database(const struct evr_options *o, evr_words *out, struct evr_times *t)
{
	struct evr_database *d = evr_database_open(o->compile_commands);
	evr_words *flags = evr_alloc(o->files.len * sizeof(*flags));
	/* A file without an entry is told before anything is compiled. */
	for (size_t i = 0; i < o->files.len; i++)
		if (evr_cc_is_source(o->files.data[i]))
			take_flags(o, d, o->files.data[i], &flags[i]);
	evr_database_free(d);
	int status = compile_as_project(o, flags, out, t);
	for (size_t i = 0; i < o->files.len; i++)
		evr_words_release(&flags[i]);
	free(flags);
	return status;
}

static int build(const struct evr_options *o, const char *checker, struct evr_times *t)
{
	evr_words words = { 0 }, inputs = { 0 };
	bool cxx = false;
	for (size_t i = 0; i < o->files.len; i++) {
		require_source(o->files.data[i]);
		cxx = cxx || evr_cc_is_cxx(o->files.data[i]);
	}
	int status = o->compile_commands ? compile_by_database(o, &inputs, t) : 0;
	const evr_words *from = o->compile_commands ? &inputs : &o->files;
	add_compiler_words(&words, &o->compile, false);
	if (o->compile_commands) {
		/* What a -x said of the sources does not hold for their objects. */
		evr_words_add(&words, "-x");
		evr_words_add(&words, "none");
	}
	for (size_t i = 0; i < from->len; i++)
		evr_words_add(&words, from->data[i]);
	add_compiler_words(&words, &o->compile, true);
	evr_words_add(&words, "-o");
	evr_words_add(&words, checker);
	if (!status)
		status = compile(o, cxx, &words, t);
	evr_words_release(&inputs);
	evr_words_release(&words);
	return status;
}

char *evr_build(const struct evr_options *o, double *seconds)
{
	char *checker = o->keep ? evr_strdup(o->keep) : evr_temp_file("checker");
	struct evr_times t = { 0 };
	double start = evr_now();
	int status = build(o, checker, &t);
	*seconds = evr_now() - start;
	if (o->verbose)
		evr_warn("compile %.3f s: clang %.3f, instrument %.3f, link %.3f", *seconds, t.clang, t.instrument,
			 t.link);
	if (!status)
		return checker;
	free(checker);
	return NULL;
}
