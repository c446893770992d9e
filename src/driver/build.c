#include "driver/build.h"

#include "driver/compile.h"
#include "driver/process.h"

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

char *evr_build(const struct evr_options *o, double *seconds)
{
	bool cxx = false;
	for (size_t i = 0; i < o->files.len; i++) {
		require_source(o->files.data[i]);
		cxx = cxx || evr_cc_is_cxx(o->files.data[i]);
	}
	char *checker = o->keep ? evr_strdup(o->keep) : evr_temp_file("checker");
	evr_words words = { 0 };
	add_compiler_words(&words, &o->compile, false);
	for (size_t i = 0; i < o->files.len; i++)
		evr_words_add(&words, o->files.data[i]);
	add_compiler_words(&words, &o->compile, true);
	evr_words_add(&words, "-o");
	evr_words_add(&words, checker);

	struct evr_cc cc;
	struct evr_times t = { 0 };
	double start = evr_now();
	evr_cc_init(&cc, cxx, words.data, words.len);
	cc.announce = true;
	cc.verbose = o->verbose;
	int status = evr_compile(&cc, &t);
	*seconds = evr_now() - start;
	if (o->verbose)
		evr_warn("compile %.3f s: clang %.3f, instrument %.3f, link %.3f", *seconds, t.clang, t.instrument,
			 t.link);
	evr_cc_release(&cc);
	evr_words_release(&words);
	if (!status)
		return checker;
	free(checker);
	return NULL;
}
