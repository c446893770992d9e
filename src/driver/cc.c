/*
 * The command line of a C compiler: what its words mean, where response files are unfolded, and the words sorted by step.
 *
 * Invariant: all words are kept, in their order; words.def says which step takes which. A word that is not known goes to
 * every step, and a mistake is left for clang to complain about.
 */
#include "driver/cc.h"

#include "base/strbuf.h"
#include "driver/compile.h"
#include "driver/process.h"

#include <errno.h>

/* ---- what the words mean ---- */

enum match {
	EXACT,
	PREFIX,
	SEPARATE, /* the next word is its argument */
	EITHER,   /* the argument is joined, or the next word */
};

enum {
	DROP = 0,
	C = EVR_CC_COMPILE | EVR_CC_OTHER,
	L = EVR_CC_LINKING | EVR_CC_OTHER,
	BOTH = C | L,
	PASS = EVR_CC_OTHER
};

static const struct rule {
	const char *name;
	enum match match;
	unsigned uses;
} rules[] = {
#define WORD(name, match, uses) { name, match, uses },
#include "driver/words.def"
#undef WORD
};

/* With one of these clang answers alone. */
static const char *const passed[] = {
	"-E",           "-M",   "-MM",       "-fsyntax-only", "--analyze",    "-emit-llvm",   "-emit-ast",
	"--precompile", "-###", "--version", "--help",        "-dumpmachine", "-dumpversion", "-dumpspecs",
};

static const struct rule *find_rule(const char *word)
{
	for (size_t i = 0; i < EVR_COUNT(rules); i++) {
		size_t n = strlen(rules[i].name);
		if (strncmp(word, rules[i].name, n) != 0)
			continue;
		bool exact = !word[n], joins = rules[i].match == PREFIX || rules[i].match == EITHER;
		if (exact || joins)
			return &rules[i];
	}
	return NULL;
}

static bool has_suffix(const char *file, const char *const *suffixes, size_t n)
{
	const char *dot = strrchr(file, '.');
	for (size_t i = 0; dot && !strchr(dot, '/') && i < n; i++)
		if (!strcmp(dot + 1, suffixes[i]))
			return true;
	return false;
}

bool evr_cc_is_cxx(const char *file)
{
	static const char *const suffixes[] = { "cc", "cpp", "cxx", "C", "c++", "cp", "ii", "CPP", "hpp", "mm" };
	return has_suffix(file, suffixes, EVR_COUNT(suffixes));
}

static bool is_header(const char *file, const char *language)
{
	static const char *const suffixes[] = { "h", "hh", "hpp", "H", "pch" };
	return language ? strstr(language, "header") != NULL : has_suffix(file, suffixes, EVR_COUNT(suffixes));
}

static enum evr_cc_input input_kind(const char *file, const char *language)
{
	static const char *const c[] = { "c", "i", "m", "mi", "bc", "ll" };
	static const char *const assembler[] = { "s", "S", "sx", "asm" };
	if (language)
		return strncmp(language, "assembler", 9) ? EVR_CC_SOURCE : EVR_CC_ASSEMBLER;
	if (has_suffix(file, assembler, EVR_COUNT(assembler)))
		return EVR_CC_ASSEMBLER;
	if (has_suffix(file, c, EVR_COUNT(c)) || evr_cc_is_cxx(file) || !strcmp(file, "-"))
		return EVR_CC_SOURCE;
	return EVR_CC_LINKED;
}

bool evr_cc_is_source(const char *file)
{
	return input_kind(file, NULL) != EVR_CC_LINKED;
}

/* ---- response files ---- */

/* In a shell, a backslash between double quotes is one, except before what would be special there. */
static bool escapes(const char *s, char quote, bool shell)
{
	return *s == '\\' && s[1] && quote != '\'' && (!shell || !quote || strchr("$`\"\\\n", s[1]));
}

char *evr_cc_next_word(const char **text, bool shell)
{
	const char *blanks = shell ? " \t\n" : " \t\r\n\v\f", *s = *text + strspn(*text, blanks);
	if (!*s)
		return NULL;
	struct evr_strbuf b;
	evr_strbuf_init(&b);
	char quote = '\0';
	for (; *s && (quote || !strchr(blanks, *s)); s++) {
		if (escapes(s, quote, shell)) {
			if (*++s != '\n' || !shell) /* else the line goes on */
				evr_strbuf_putc(&b, *s);
		} else if (quote && *s == quote) {
			quote = '\0';
		} else if (!quote && (*s == '\'' || *s == '"')) {
			quote = *s;
		} else {
			evr_strbuf_putc(&b, *s);
		}
	}
	*text = s;
	return b.text;
}

/* The response files that are being read, from the inside out. */
struct response {
	const char *file;
	const struct response *within;
};

static bool is_open(const struct response *r, const char *file)
{
	for (; r; r = r->within)
		if (!strcmp(r->file, file))
			return true;
	return false;
}

/* A file that cannot be read, or that names itself, leaves its word as it is, for clang to complain about. */
static void expand(evr_words *out, const char *word, const struct response *within)
{
	struct response this = { word[0] == '@' ? word + 1 : NULL, within };
	char *text = this.file && !is_open(within, this.file) ? evr_read_file(this.file) : NULL;
	if (!text) {
		evr_words_add(out, word);
		return;
	}
	const char *rest = text;
	for (char *w; (w = evr_cc_next_word(&rest, false)); free(w))
		expand(out, w, &this);
	free(text);
}

/* ---- parsing ---- */

static struct evr_cc_word *add(struct evr_cc *cc, const char *text, unsigned uses)
{
	evr_vec_push(&cc->words, (struct evr_cc_word){ .text = evr_strdup(text), .uses = uses });
	return &evr_vec_last(&cc->words);
}

static void add_input(struct evr_cc *cc, const char *file, const char *language)
{
	struct evr_cc_word *w = add(cc, file, BOTH);
	w->language = language ? evr_strdup(language) : NULL;
	w->input = input_kind(file, language);
	cc->inputs++;
	cc->sources += w->input != EVR_CC_LINKED;
	if (is_header(file, language))
		cc->mode = EVR_CC_PASS;
}

/* What a word says about the whole command. */
static void note(struct evr_cc *cc, const char *word)
{
	for (size_t i = 0; i < EVR_COUNT(passed); i++)
		if (!strcmp(word, passed[i]))
			cc->mode = EVR_CC_PASS;
	if (!strncmp(word, "-print-", 7) || !strncmp(word, "--print-", 8))
		cc->mode = EVR_CC_PASS;
	else if (!strcmp(word, "-c") && cc->mode == EVR_CC_LINK)
		cc->mode = EVR_CC_OBJECT;
	else if (!strcmp(word, "-S") && cc->mode != EVR_CC_PASS)
		cc->mode = EVR_CC_ASSEMBLY;
	else if (!strcmp(word, "-shared"))
		cc->shared = true;
	else if (!strcmp(word, "-r"))
		cc->relocatable = true;
	else if (!strcmp(word, "-MD") || !strcmp(word, "-MMD"))
		cc->deps = true;
	else if (!strncmp(word, "-Wp,-MD,", 8) || !strncmp(word, "-Wp,-MMD,", 9))
		cc->deps = cc->deps_file = true;
}

static void note_argument(struct evr_cc *cc, const char *option, const char *value, const char **language)
{
	if (!strcmp(option, "-o"))
		evr_result_set(&cc->output, value);
	else if (!strcmp(option, "-x"))
		*language = strcmp(value, "none") ? value : NULL;
	else if (!strcmp(option, "-MF"))
		cc->deps_file = true;
	else if (!strcmp(option, "-MT") || !strcmp(option, "-MQ"))
		cc->deps_target = true;
}

static size_t parse_word(struct evr_cc *cc, char *const *words, size_t n, const char **language)
{
	const char *word = words[0];
	if (word[0] != '-' || !word[1]) {
		add_input(cc, word, *language);
		return 1;
	}
	note(cc, word);
	const struct rule *rule = find_rule(word);
	if (!rule) {
		add(cc, word, BOTH);
		return 1;
	}
	size_t length = strlen(rule->name);
	bool separate = rule->match == SEPARATE || (rule->match == EITHER && !word[length]);
	if (separate && n < 2) {
		add(cc, word, BOTH); /* clang knows best how to complain */
		return 1;
	}
	if (rule->match == SEPARATE || rule->match == EITHER)
		note_argument(cc, rule->name, separate ? words[1] : word + length, language);
	unsigned uses = rule->uses;
	if (separate && !strcmp(word, "-D") && !strncmp(words[1], "_FORTIFY_SOURCE", 15))
		uses = DROP;
	add(cc, word, uses);
	if (separate)
		add(cc, words[1], uses);
	return separate ? 2 : 1;
}

void evr_cc_init(struct evr_cc *cc, bool cxx, char *const *words, size_t n)
{
	memset(cc, 0, sizeof(*cc));
	cc->cxx = cxx;
	cc->mode = EVR_CC_LINK;
	evr_words all = { 0 };
	for (size_t i = 0; i < n; i++)
		expand(&all, words[i], NULL);
	const char *language = NULL;
	for (size_t i = 0; i < all.len;)
		i += parse_word(cc, all.data + i, all.len - i, &language);
	if (!cc->inputs) {
		cc->mode = EVR_CC_PASS;
		/* A question about the compiler: nothing may be added or dropped. */
		for (size_t i = 0; i < cc->words.len; i++)
			cc->words.data[i].uses = BOTH;
	}
	evr_words_release(&all);
}

void evr_cc_release(struct evr_cc *cc)
{
	for (size_t i = 0; i < cc->words.len; i++) {
		free(cc->words.data[i].text);
		free(cc->words.data[i].language);
	}
	evr_vec_release(&cc->words);
	free(cc->output);
}

char *evr_cc_output_name(const char *source, const char *suffix)
{
	const char *slash = strrchr(source, '/'), *base = slash ? slash + 1 : source, *dot = strrchr(base, '.');
	return evr_format("%.*s%s", (int)(dot ? (size_t)(dot - base) : strlen(base)), base, suffix);
}

int evr_cc_main(bool cxx, char *const *words, size_t n)
{
	struct evr_cc cc;
	struct evr_times times = { 0 };
	evr_cc_init(&cc, cxx, words, n);
	int status = evr_compile(&cc, &times);
	evr_cc_release(&cc);
	return status;
}
