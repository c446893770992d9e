/*
 * clang knows what the linker has to be told on this machine: which start files, which folders, which libraries. It takes longer to
 * start than to say so. So it is asked (-###) while another clang compiles, and the linker is then run without it.
 *
 * Invariant: the linker gets the words that clang would have given it; if the answer is not exactly one command, clang links.
 */
#include "driver/link.h"

#include "driver/clang.h"
#include "driver/process.h"
#include "driver/temp.h"
#include "instrument/instrument.h"

#include <fcntl.h>
#include <unistd.h>

/* What a link with our archive needs besides: the sanitizers that the archive was built with. */
#ifndef EVR_LINK_FLAGS
#define EVR_LINK_FLAGS ""
#endif

struct evr_link {
	char *output;
	evr_words clang;             /* the command line that links */
	struct evr_process question; /* what would it run? */
};

char *evr_link_object(size_t source)
{
	char *name = evr_format("%zu.o", source), *path = evr_temp_file(name);
	free(name);
	return path;
}

/* ---- clang's command line ---- */

/* The runtime, with main() in it, and who is to be asked when the checker is started by itself. */
static void add_runtime(evr_words *argv)
{
	char *archive = evr_companion("libeverett.a"), *stub = evr_temp_file("stub.o"), *error = NULL;
	if (evr_instrument_link_stub(stub, evr_self(), &error))
		evr_die("%s", error ? error : "cannot write the link stub");
	evr_words_add(argv, "-Wl,--whole-archive");
	evr_words_add(argv, archive);
	evr_words_add(argv, "-Wl,--no-whole-archive");
	evr_words_add(argv, stub);
	evr_words_add(argv, "-rdynamic");
	for (const char *s = EVR_LINK_FLAGS; *(s += strspn(s, " ")); s += strcspn(s, " ")) {
		char *flag = evr_strndup(s, strcspn(s, " "));
		evr_words_add(argv, flag);
		free(flag);
	}
	free(stub);
	free(archive);
}

static void add_objects(evr_words *argv, const struct evr_cc *cc)
{
	size_t source = 0;
	for (size_t i = 0; i < cc->words.len; i++) {
		const struct evr_cc_word *w = &cc->words.data[i];
		if (w->input == EVR_CC_SOURCE || w->input == EVR_CC_ASSEMBLER) {
			char *object = evr_link_object(source++);
			evr_words_add(argv, object);
			free(object);
		} else if (w->uses & EVR_CC_LINKING) {
			evr_words_add(argv, w->text);
		}
	}
}

static void add_all(evr_words *argv, const struct evr_cc *cc, const char *output)
{
	evr_clang_words(cc->cxx, argv);
	/* Most of the words were for compiling, which is no reason to warn. */
	evr_words_add(argv, "-Qunused-arguments");
	add_objects(argv, cc);
	if (cc->shared)
		evr_words_add(argv, "-Wl,-z,undefs"); /* the hooks come from the executable */
	else if (!cc->relocatable)
		add_runtime(argv);
	evr_words_add(argv, "-o");
	evr_words_add(argv, output);
}

/* ---- the linker's ---- */

/* clang looks whether its inputs exist, and not what is in them. */
static void touch_objects(const struct evr_cc *cc)
{
	for (size_t i = 0; i < cc->sources; i++) {
		char *object = evr_link_object(i);
		int fd = open(object, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
		if (fd >= 0)
			close(fd);
		free(object);
	}
}

static void ask(struct evr_link *l)
{
	evr_words argv = { 0 };
	for (size_t i = 0; i < l->clang.len; i++) {
		evr_words_add(&argv, l->clang.data[i]);
		if (!i)
			evr_words_add(&argv, "-###");
	}
	l->question = evr_clang_start(&argv, STDERR_FILENO);
	evr_words_release(&argv);
}

/* A command is a line whose words are all in quotes; the lines before tell clang's version. */
static const char *only_command(const char *answer)
{
	const char *command = NULL;
	for (const char *s = answer; *s; s += strcspn(s, "\n"), s += *s == '\n') {
		if (strncmp(s, " \"", 2) != 0)
			continue;
		if (command)
			return NULL;
		command = s;
	}
	return command;
}

static bool take_answer(struct evr_link *l, evr_words *argv)
{
	char *answer = evr_process_finish(&l->question), *word;
	const char *command = answer ? only_command(answer) : NULL;
	if (command) {
		char *line = evr_strndup(command, strcspn(command, "\n"));
		for (const char *rest = line; (word = evr_cc_next_word(&rest, true)); free(word))
			evr_words_add(argv, word);
		free(line);
	}
	free(answer);
	return argv->len > 0;
}

/* ---- both ---- */

struct evr_link *evr_link_begin(const struct evr_cc *cc)
{
	struct evr_link *l = evr_alloc(sizeof(*l));
	l->output = evr_strdup(cc->output ? cc->output : "a.out");
	add_all(&l->clang, cc, l->output);
	/* Without sources there is nothing to do meanwhile. */
	if (cc->sources) {
		touch_objects(cc);
		ask(l);
	}
	return l;
}

void evr_link_cancel(struct evr_link *l)
{
	free(evr_process_finish(&l->question));
	evr_words_release(&l->clang);
	free(l->output);
	free(l);
}

int evr_link_end(struct evr_link *l, struct evr_times *t, char **text)
{
	evr_words linker = { 0 };
	double start = evr_now(), seconds = 0;
	char *errors = evr_temp_file("link.err");
	int status = evr_clang_run(take_answer(l, &linker) ? &linker : &l->clang, errors, &seconds);
	if (status)
		evr_remove_output(l->output); /* as clang does */
	*text = evr_read_file(errors);
	unlink(errors);
	free(errors);
	evr_link_cancel(l);
	t->link += evr_now() - start;
	return status ? EVR_USAGE : EVR_OK;
}
