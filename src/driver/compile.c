/*
 * Compile and instrument: clang's command lines, one for each step. link.c has the last one.
 *
 * Invariant: the user's words come before those that the step needs, so ours win: -O0 and -g hold whatever the user asked for.
 * Everything in between is a temporary file; a step that fails leaves no output.
 */
#include "driver/compile.h"

#include "driver/clang.h"
#include "driver/link.h"
#include "driver/process.h"
#include "driver/temp.h"
#include "instrument/instrument.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- clang's command line ---- */

/* Called as c++, a compiler takes every source for C++; `everett check` takes each for what it is. */
static bool is_cxx(const struct evr_cc *cc, const struct evr_cc_word *input)
{
	if (!cc->lenient)
		return cc->cxx;
	return input->language ? !strncmp(input->language, "c++", 3) : evr_cc_is_cxx(input->text);
}

/* What compilers accepted for decades, and clang by now refuses. The user's own words come behind, and win. */
static void add_leniency(evr_words *argv, const struct evr_cc *cc, const struct evr_cc_word *input)
{
	static const char *const accepted[] = { "-Wno-error=implicit-int", "-Wno-error=implicit-function-declaration",
						"-Wno-error=int-conversion",
						"-Wno-error=incompatible-function-pointer-types",
						"-Wno-error=return-mismatch" };
	if (is_cxx(cc, input))
		return;
	for (size_t i = 0; cc->lenient && i < EVR_COUNT(accepted); i++)
		evr_words_add(argv, accepted[i]);
	if (cc->gnu89_inline) {
		evr_words_add(argv, "-fgnu89-inline");
		evr_words_add(argv, "-w"); /* all that there is to say was said the first time */
	}
}

/* A -std= of the other language, where there are sources of both. */
static bool is_other_standard(const struct evr_cc *cc, const struct evr_cc_word *input, const char *word)
{
	if (!cc->lenient || strncmp(word, "-std=", 5) != 0)
		return false;
	bool cxx = !strncmp(word + 5, "c++", 3) || !strncmp(word + 5, "gnu++", 5);
	return cc->cxx && cxx != is_cxx(cc, input);
}

static bool exists(const char *path)
{
	struct stat st;
	return !stat(path, &st);
}

/* What makes the program see everett.h and know that it is being checked. */
static void add_header(evr_words *argv)
{
	evr_words_add(argv, "-D__EVERETT__=1");
	char *directory = evr_format("%s/../include", evr_self_directory());
	char *header = evr_format("%s/everett.h", directory), *real = realpath(directory, NULL);
	if (!real && errno == ENOMEM)
		evr_die("out of memory");
	/* A directory that clang searches anyway must not move to the front: C++'s headers rely on the order. */
	bool standard = real && (!strcmp(real, "/usr/include") || !strcmp(real, "/usr/local/include"));
	if (real && !standard && exists(header)) {
		evr_words_add(argv, "-isystem");
		evr_words_add(argv, real);
	}
	free(real);
	free(header);
	free(directory);
}

static void add_words(evr_words *argv, const struct evr_cc *cc, const struct evr_cc_word *input)
{
	for (size_t i = 0; i < cc->words.len; i++) {
		const struct evr_cc_word *w = &cc->words.data[i];
		if (!w->input && w->uses & EVR_CC_COMPILE && !is_other_standard(cc, input, w->text))
			evr_words_add(argv, w->text);
	}
}

static char *with_suffix(const char *path, const char *suffix)
{
	const char *dot = strrchr(path, '.');
	size_t n = dot && dot != path && !strchr(dot, '/') && dot[-1] != '/' ? (size_t)(dot - path) : strlen(path);
	return evr_format("%.*s%s", (int)n, path, suffix);
}

/* clang takes these names from -o, which is a temporary file here; say what they would have been. */
static void add_dependencies(evr_words *argv, const struct evr_cc *cc, const char *source)
{
	if (!cc->deps)
		return;
	char *target = cc->output ? evr_strdup(cc->output)
				  : evr_cc_output_name(source, cc->mode == EVR_CC_ASSEMBLY ? ".s" : ".o");
	char *file = with_suffix(target, ".d");
	if (!cc->deps_file) {
		evr_words_add(argv, "-MF");
		evr_words_add(argv, file);
	}
	if (!cc->deps_target) {
		evr_words_add(argv, "-MQ");
		evr_words_add(argv, target);
	}
	free(file);
	free(target);
}

static void add_input(evr_words *argv, const struct evr_cc_word *input, const char *output)
{
	if (input->language) {
		evr_words_add(argv, "-x");
		evr_words_add(argv, input->language);
	}
	evr_words_add(argv, input->text);
	evr_words_add(argv, "-o");
	evr_words_add(argv, output);
}

/* ---- steps ---- */

static int to_bitcode(const struct evr_cc *cc, const struct evr_cc_word *input, const char *output, struct evr_times *t)
{
	static const char *const ours[] = {
		"-O0", "-g", "-emit-llvm", "-c", "-Xclang", "-disable-O0-optnone", "-fno-stack-protector",
		/* A frame that is larger than the guard behind the stack must not reach over it. */
		"-fstack-clash-protection",
		/* Marks where the scopes of locals begin and end; AddressSanitizer itself stays out. */
		"-Xclang", "-fsanitize-address-use-after-scope"
	};
	evr_words argv = { 0 };
	evr_clang_words(is_cxx(cc, input), &argv);
	add_leniency(&argv, cc, input);
	add_words(&argv, cc, input);
	for (size_t i = 0; i < EVR_COUNT(ours); i++)
		evr_words_add(&argv, ours[i]);
	add_header(&argv);
	add_dependencies(&argv, cc, input->text);
	add_input(&argv, input, output);
	return evr_clang_run(&argv, NULL, &t->clang);
}

/* Assembly has nothing that could be instrumented. */
static int assemble(const struct evr_cc *cc, const struct evr_cc_word *input, const char *output, struct evr_times *t)
{
	evr_words argv = { 0 };
	evr_clang_words(is_cxx(cc, input), &argv);
	add_words(&argv, cc, input);
	add_header(&argv);
	evr_words_add(&argv, "-Qunused-arguments"); /* .s is not preprocessed */
	evr_words_add(&argv, cc->mode == EVR_CC_ASSEMBLY ? "-S" : "-c");
	add_input(&argv, input, output);
	return evr_clang_run(&argv, NULL, &t->clang);
}

static void print_lines(char *lines)
{
	for (char *s = lines; *s;) {
		size_t n = strcspn(s, "\n");
		fprintf(stderr, "everett: %.*s\n", (int)n, s);
		s += n + (s[n] == '\n');
	}
	free(lines);
}

/* Does the command line define NDEBUG? The last word on it holds. */
static bool defines_ndebug(const struct evr_cc *cc)
{
	bool defined = false;
	for (size_t i = 0; i < cc->words.len; i++) {
		const char *text = cc->words.data[i].text, *name = text + 2;
		if (text[0] != '-' || (text[1] != 'D' && text[1] != 'U'))
			continue;
		if (!*name && i + 1 < cc->words.len)
			name = cc->words.data[i + 1].text;
		if (strcspn(name, "=") == strlen("NDEBUG") && !strncmp(name, "NDEBUG", strlen("NDEBUG")))
			defined = text[1] == 'D';
	}
	return defined;
}

static int instrument(const struct evr_cc *cc, const char *bitcode, const char *output, struct evr_times *t)
{
	struct evr_instrument_options o = { .assembly = cc->mode == EVR_CC_ASSEMBLY,
					    .ndebug = defines_ndebug(cc),
					    .verbose = cc->verbose };
	char *error = NULL;
	double start = evr_now();
	int failed = evr_instrument(bitcode, output, &o, &error);
	t->instrument += evr_now() - start;
	if (!failed)
		return 0;
	evr_remove_output(output);
	print_lines(error ? error : evr_format("instrumenting '%s' failed", output));
	return EVR_USAGE;
}

static int compile_one(const struct evr_cc *cc, const struct evr_cc_word *input, const char *output,
		       struct evr_times *t)
{
	int status;
	if (input->input == EVR_CC_ASSEMBLER) {
		status = assemble(cc, input, output, t);
	} else {
		char *bitcode = evr_temp_file("source.bc");
		status = to_bitcode(cc, input, bitcode, t);
		if (!status) {
			status = instrument(cc, bitcode, output, t);
			unlink(bitcode);
			free(bitcode);
			return status;
		}
		free(bitcode);
	}
	if (status && cc->announce)
		evr_warn("compiling '%s' failed", input->text);
	return status ? EVR_USAGE : EVR_OK;
}

/* ---- the whole command ---- */

static char *output_of(const struct evr_cc *cc, const struct evr_cc_word *input, size_t source)
{
	if (cc->mode == EVR_CC_LINK)
		return evr_link_object(source);
	if (cc->output)
		return evr_strdup(cc->output);
	return evr_cc_output_name(input->text, cc->mode == EVR_CC_ASSEMBLY ? ".s" : ".o");
}

static int compile_all(const struct evr_cc *cc, struct evr_times *t)
{
	int status = 0;
	size_t source = 0;
	for (size_t i = 0; i < cc->words.len; i++) {
		const struct evr_cc_word *w = &cc->words.data[i];
		if (w->input != EVR_CC_SOURCE && w->input != EVR_CC_ASSEMBLER)
			continue;
		char *output = output_of(cc, w, source++);
		int failed = compile_one(cc, w, output, t);
		status = failed ? failed : status;
		free(output);
	}
	return status;
}

/* The linker's own words reach the user, but a missing main or thread-local variable shows as a missing symbol of ours: that is explained. */
static void print_link_errors(const char *text, bool failed)
{
	/* ld and lld have words of their own for it. */
	bool twice = text && (strstr(text, "multiple definition") || strstr(text, "duplicate symbol"));
	if (failed && text && !twice && strstr(text, "evr_program_main")) {
		evr_warn("the program has no function 'main'");
	} else {
		fputs(text ? text : "", stderr);
		if (failed && text && strstr(text, "evr_tls."))
			evr_warn("linking failed: a thread-local variable is in none of the files that Everett "
				 "compiled; those of libraries are not supported");
		else if (failed)
			evr_warn("linking failed");
	}
}

/* *linked: the sources could be compiled; *text is then what the linker said. */
static int compile_and_link(const struct evr_cc *cc, struct evr_times *t, bool *linked, char **text)
{
	struct evr_link *link = evr_link_begin(cc);
	int status = compile_all(cc, t);
	*linked = !status;
	*text = NULL;
	if (!status)
		return evr_link_end(link, t, text);
	evr_link_cancel(link);
	return status;
}

/* C from before C99 may define a function by `inline` alone; then it is missing. Does the program link that way? */
static int link_as_gnu89(const struct evr_cc *cc, struct evr_times *t)
{
	struct evr_cc again = *cc;
	char *text;
	bool linked;
	again.gnu89_inline = true;
	int status = compile_and_link(&again, t, &linked, &text);
	if (!status)
		print_link_errors(text, false);
	free(text);
	return status;
}

static int pass(const struct evr_cc *cc, struct evr_times *t)
{
	evr_words argv = { 0 };
	evr_clang_words(cc->cxx, &argv);
	for (size_t i = 0; i < cc->words.len; i++)
		if (cc->words.data[i].uses)
			evr_words_add(&argv, cc->words.data[i].text);
	if (cc->inputs)
		add_header(&argv);
	return evr_clang_run(&argv, NULL, &t->clang);
}

int evr_compile(const struct evr_cc *cc, struct evr_times *times)
{
	if (cc->mode == EVR_CC_PASS)
		return pass(cc, times);
	if (cc->mode != EVR_CC_LINK && cc->output && cc->sources > 1)
		evr_die("cannot specify -o with -c or -S and several sources");
	if (cc->mode != EVR_CC_LINK)
		return compile_all(cc, times);
	char *text;
	bool linked;
	int status = compile_and_link(cc, times, &linked, &text);
	if (status && text && cc->lenient && strstr(text, "undefined") && !link_as_gnu89(cc, times))
		status = 0;
	else if (linked)
		print_link_errors(text, status != 0);
	free(text);
	return status;
}
