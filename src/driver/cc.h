/*
 * The command line of a C compiler, understood as far as is needed to take compiling and linking apart: which words are
 * inputs, which belong to which step, and where the output goes. What is not known is handed to clang unchanged.
 */
#ifndef EVR_DRIVER_CC_H
#define EVR_DRIVER_CC_H

#include "report/json.h"

enum evr_cc_mode {
	EVR_CC_PASS,     /* clang alone answers: -E, -M, --version, no inputs, ... */
	EVR_CC_OBJECT,   /* -c */
	EVR_CC_ASSEMBLY, /* -S */
	EVR_CC_LINK,
};

enum evr_cc_input {
	EVR_CC_WORD,       /* not an input */
	EVR_CC_SOURCE,     /* to be compiled and instrumented */
	EVR_CC_ASSEMBLER,  /* to be assembled: not instrumented */
	EVR_CC_LINKED,     /* objects, archives, linker scripts */
};

/* What a word is for; with none of them it is dropped. */
enum { EVR_CC_COMPILE = 1, EVR_CC_LINKING = 2, EVR_CC_OTHER = 4 };

struct evr_cc_word {
	char *text;
	unsigned uses;
	enum evr_cc_input input;
	char *language;        /* of -x, or NULL: by the file's name */
};

struct evr_cc {
	bool cxx;              /* called as c++ */
	bool announce;         /* name the step that failed, after clang's own messages */
	bool verbose;          /* let the instrumenter say what it did */
	bool lenient;          /* take C of any age; each source is of the language that its name says */
	bool gnu89_inline;     /* of C: `inline` alone defines a function, as it did before C99 */
	enum evr_cc_mode mode;
	EVR_VEC(struct evr_cc_word) words;
	size_t inputs, sources; /* how many; sources are those of EVR_CC_SOURCE and EVR_CC_ASSEMBLER */
	char *output;          /* of -o, or NULL */
	bool shared, relocatable;
	bool deps, deps_file, deps_target; /* -MD or -MMD; and -MF, -MT were given */
};

/* Words are those behind `cc`. */
void evr_cc_init(struct evr_cc *cc, bool cxx, char *const *words, size_t n);
void evr_cc_release(struct evr_cc *cc);
/* The name a compiler gives the output of one source: "dir/a.c" with ".o" is "a.o". */
char *evr_cc_output_name(const char *source, const char *suffix);
bool evr_cc_is_cxx(const char *file);
/* Something to be compiled, by its name; not an object, an archive, ... */
bool evr_cc_is_source(const char *file);

/*
 * The next word of a text that holds several, quoted as in a shell's command line or, as GNU tools do, in a response file;
 * to be freed. *text moves behind it. NULL at the end.
 */
char *evr_cc_next_word(const char **text, bool shell);

/* `everett cc` and `everett c++`: returns the exit status. */
int evr_cc_main(bool cxx, char *const *words, size_t n);

#endif
