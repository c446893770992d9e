/*
 * Compile, instrument and link: clang's command lines, one for each step.
 *
 * Invariant: the user's words come before those that the step needs, so ours win: -O0 and -g hold whatever the user asked for.
 * Everything in between is a temporary file; a step that fails leaves no output.
 */
#include "driver/compile.h"

#include "driver/process.h"
#include "driver/temp.h"
#include "instrument/instrument.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#ifndef EVR_CLANG
#define EVR_CLANG "clang-19"
#endif

/* What a link with our archive needs besides: the sanitizers that the archive was built with. */
#ifndef EVR_LINK_FLAGS
#define EVR_LINK_FLAGS ""
#endif

/* ---- clang's command line ---- */

static void add_compiler(bool cxx, evr_words *argv)
{
	const char *clang = getenv("EVERETT_CLANG");
	evr_words_add(argv, clang && *clang ? clang : EVR_CLANG);
	if (cxx)
		evr_words_add(argv, "--driver-mode=g++");
}

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

#define ROOM (16 << 20) /* a checker takes less */

/* clang and the linker do not say it clearly. */
static void explain_lack_of_room(void)
{
	if (!evr_temp_directory())
		return;
	char *path = evr_temp_file("room");
	int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600), failure = fd < 0 ? errno : 0;
	if (!failure)
		failure = posix_fallocate(fd, 0, ROOM);
	if (fd >= 0)
		close(fd);
	unlink(path);
	free(path);
	if (failure == ENOSPC || failure == EDQUOT || failure == EFBIG)
		evr_warn("no room for temporary files in '%s': %s (TMPDIR names another folder)", evr_temp_directory(),
			 strerror(failure));
}

/* What the compiler leaves behind when it crashes goes where ours is removed. */
static int run(evr_words *argv, const char *errors, double *seconds)
{
	double start = evr_now();
	const char *parent = getenv("TMPDIR");
	char *old = parent ? evr_strdup(parent) : NULL;
	if (evr_temp_directory() && setenv("TMPDIR", evr_temp_directory(), 1))
		evr_die("out of memory");
	int status = evr_process_run(argv, errors);
	if (old ? setenv("TMPDIR", old, 1) : unsetenv("TMPDIR"))
		evr_die("out of memory");
	free(old);
	*seconds += evr_now() - start;
	evr_words_release(argv);
	if (status)
		explain_lack_of_room();
	return status;
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
	add_compiler(is_cxx(cc, input), &argv);
	add_leniency(&argv, cc, input);
	add_words(&argv, cc, input);
	for (size_t i = 0; i < EVR_COUNT(ours); i++)
		evr_words_add(&argv, ours[i]);
	add_header(&argv);
	add_dependencies(&argv, cc, input->text);
	add_input(&argv, input, output);
	return run(&argv, NULL, &t->clang);
}

/* Assembly has nothing that could be instrumented. */
static int assemble(const struct evr_cc *cc, const struct evr_cc_word *input, const char *output, struct evr_times *t)
{
	evr_words argv = { 0 };
	add_compiler(is_cxx(cc, input), &argv);
	add_words(&argv, cc, input);
	add_header(&argv);
	evr_words_add(&argv, "-Qunused-arguments"); /* .s is not preprocessed */
	evr_words_add(&argv, cc->mode == EVR_CC_ASSEMBLY ? "-S" : "-c");
	add_input(&argv, input, output);
	return run(&argv, NULL, &t->clang);
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

static void remove_output(const char *path)
{
	struct stat st;
	if (!lstat(path, &st) && S_ISREG(st.st_mode))
		unlink(path);
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
	remove_output(output);
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

/* ---- linking ---- */

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

static char *object_of(size_t source)
{
	char *name = evr_format("%zu.o", source), *path = evr_temp_file(name);
	free(name);
	return path;
}

static void add_objects(evr_words *argv, const struct evr_cc *cc)
{
	size_t source = 0;
	for (size_t i = 0; i < cc->words.len; i++) {
		const struct evr_cc_word *w = &cc->words.data[i];
		if (w->input == EVR_CC_SOURCE || w->input == EVR_CC_ASSEMBLER) {
			char *object = object_of(source++);
			evr_words_add(argv, object);
			free(object);
		} else if (w->uses & EVR_CC_LINKING) {
			evr_words_add(argv, w->text);
		}
	}
}

/* The linker's own words reach the user, but a missing main shows as a missing symbol of ours: that is explained. */
static void print_link_errors(const char *text, bool failed)
{
	/* ld and lld have words of their own for it. */
	bool twice = text && (strstr(text, "multiple definition") || strstr(text, "duplicate symbol"));
	if (failed && text && !twice && strstr(text, "evr_program_main")) {
		evr_warn("the program has no function 'main'");
	} else {
		fputs(text ? text : "", stderr);
		if (failed)
			evr_warn("linking failed");
	}
}

/* *text: what the linker said. */
static int link_objects(const struct evr_cc *cc, struct evr_times *t, char **text)
{
	evr_words argv = { 0 };
	double start = evr_now(), clang = 0;
	add_compiler(cc->cxx, &argv);
	/* Most of the words were for compiling, which is no reason to warn. */
	evr_words_add(&argv, "-Qunused-arguments");
	add_objects(&argv, cc);
	if (cc->shared)
		evr_words_add(&argv, "-Wl,-z,undefs"); /* the hooks come from the executable */
	else if (!cc->relocatable)
		add_runtime(&argv);
	evr_words_add(&argv, "-o");
	evr_words_add(&argv, cc->output ? cc->output : "a.out");
	char *errors = evr_temp_file("link.err");
	int status = run(&argv, errors, &clang);
	*text = evr_read_file(errors);
	unlink(errors);
	free(errors);
	t->link += evr_now() - start;
	return status ? EVR_USAGE : EVR_OK;
}

/* ---- the whole command ---- */

static char *output_of(const struct evr_cc *cc, const struct evr_cc_word *input, size_t source)
{
	if (cc->mode == EVR_CC_LINK)
		return object_of(source);
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

/* C from before C99 may define a function by `inline` alone; then it is missing. Does the program link that way? */
static int link_as_gnu89(const struct evr_cc *cc, struct evr_times *t)
{
	struct evr_cc again = *cc;
	char *text = NULL;
	again.gnu89_inline = true;
	if (compile_all(&again, t))
		return -1;
	int status = link_objects(&again, t, &text);
	if (!status)
		print_link_errors(text, false);
	free(text);
	return status;
}

static int pass(const struct evr_cc *cc, struct evr_times *t)
{
	evr_words argv = { 0 };
	add_compiler(cc->cxx, &argv);
	for (size_t i = 0; i < cc->words.len; i++)
		if (cc->words.data[i].uses)
			evr_words_add(&argv, cc->words.data[i].text);
	if (cc->inputs)
		add_header(&argv);
	return run(&argv, NULL, &t->clang);
}

int evr_compile(const struct evr_cc *cc, struct evr_times *times)
{
	if (cc->mode == EVR_CC_PASS)
		return pass(cc, times);
	if (cc->mode != EVR_CC_LINK && cc->output && cc->sources > 1)
		evr_die("cannot specify -o with -c or -S and several sources");
	int status = compile_all(cc, times);
	if (status || cc->mode != EVR_CC_LINK)
		return status;
	char *text = NULL;
	status = link_objects(cc, times, &text);
	if (status && text && cc->lenient && strstr(text, "undefined") && !link_as_gnu89(cc, times))
		status = 0;
	else
		print_link_errors(text, status != 0);
	free(text);
	return status;
}
