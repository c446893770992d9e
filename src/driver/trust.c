/*
 * The compiler's words that a report may decide about.
 *
 * Invariant: these are lists of what is allowed. What matches none of them is left out, so a flag that a later compiler adds is
 * not trusted by accident.
 */
#include "driver/trust.h"

#include "driver/cc.h"

/* -fX and -fno-X. */
static const char *const features[] = {
	"PIC",
	"PIE",
	"access-control",
	"aligned-allocation",
	"asm",
	"associative-math",
	"asynchronous-unwind-tables",
	"builtin",
	"caret-diagnostics",
	"char8_t",
	"color-diagnostics",
	"common",
	"coroutines",
	"cxx-exceptions",
	"data-sections",
	"delete-null-pointer-checks",
	"diagnostics-color",
	"diagnostics-show-option",
	"dollars-in-identifiers",
	"elide-constructors",
	"exceptions",
	"fast-math",
	"finite-math-only",
	"freestanding",
	"function-sections",
	"gnu-keywords",
	"gnu89-inline",
	"honor-infinities",
	"honor-nans",
	"hosted",
	"inline",
	"inline-functions",
	"jump-tables",
	"lto",
	"math-errno",
	"merge-all-constants",
	"ms-extensions",
	"omit-frame-pointer",
	"operator-names",
	"permissive",
	"pic",
	"pie",
	"plt",
	"reciprocal-math",
	"rounding-math",
	"rtti",
	"semantic-interposition",
	"short-enums",
	"short-wchar",
	"show-column",
	"signed-char",
	"signed-zeros",
	"sized-deallocation",
	"slp-vectorize",
	"stack-clash-protection",
	"stack-protector",
	"stack-protector-all",
	"stack-protector-strong",
	"strict-aliasing",
	"strict-enums",
	"strict-overflow",
	"threadsafe-statics",
	"trapping-math",
	"trapv",
	"tree-vectorize",
	"trigraphs",
	"unroll-loops",
	"unsafe-math-optimizations",
	"unsigned-char",
	"unwind-tables",
	"vectorize",
	"visibility-inlines-hidden",
	"wrapv",
};

static const char *const standalone[] = {
	"-ansi",    "-g",       "-g0",   "-g1",       "-g2",         "-g3",       "-ggdb",
	"-ggdb3",   "-m32",     "-m64",  "-maes",     "-mcx16",      "-mfma",     "-mlzcnt",
	"-mpclmul", "-mpopcnt", "-mrtm", "-nostdinc", "-nostdinc++", "-pedantic", "-pedantic-errors",
	"-pthread", "-undef",   "-w",
};

/* Nothing of theirs names a file that is written or run, whatever follows. */
static const char *const prefixes[] = {
	"-fabi-version=",
	"-fcf-protection=",
	"-fconstexpr-depth=",
	"-fconstexpr-steps=",
	"-fdiagnostics-color=",
	"-ferror-limit=",
	"-fexcess-precision=",
	"-ffp-contract=",
	"-ffp-model=",
	"-flto=",
	"-fmacro-prefix-map=",
	"-fmax-errors=",
	"-fmessage-length=",
	"-fno-builtin-",
	"-fstrict-flex-arrays=",
	"-ftemplate-backtrace-limit=",
	"-ftemplate-depth=",
	"-ftls-model=",
	"-ftrivial-auto-var-init=",
	"-fvisibility=",
	"-gdwarf",
	"-march=",
	"-mavx",
	"-mbmi",
	"-mcmodel=",
	"-mcpu=",
	"-mfpmath=",
	"-mno-avx",
	"-mno-sse",
	"-msse",
	"-mtune=",
	"-O",
	"-std=",
};

/* These take an argument, joined or as the next word: text for the preprocessor, or what it reads. */
static const char *const with_argument[] = { "-D", "-U", "-I", "-isystem", "-iquote", "-idirafter" };

static const struct {
	const char *option, *value;
} values[] = {
	/* Libraries of the system; with -L they could be any. */
	{ "-l", "atomic" },  { "-l", "c" },   { "-l", "c++" },    { "-l", "dl" },           { "-l", "m" },
	{ "-l", "pthread" }, { "-l", "rt" },  { "-l", "stdc++" }, { "-stdlib=", "libc++" }, { "-stdlib=", "libstdc++" },
	{ "-x", "c" },       { "-x", "c++" }, { "-x", "none" },   { "-x", "cpp-output" },   { "-x", "c++-cpp-output" },
};

static bool in(const char *const *list, size_t n, const char *word)
{
	for (size_t i = 0; i < n; i++)
		if (!strcmp(list[i], word))
			return true;
	return false;
}

/* -Wall, -Wno-error=x; but what has a comma is for the linker, the assembler or the preprocessor. */
static bool is_warning(const char *word)
{
	return evr_starts_with(word, "-W") && !strpbrk(word, ",@");
}

static bool is_alone(const char *word)
{
	if (in(standalone, EVR_COUNT(standalone), word) || is_warning(word))
		return true;
	for (size_t i = 0; i < EVR_COUNT(prefixes); i++)
		if (evr_starts_with(word, prefixes[i]))
			return true;
	const char *feature = evr_starts_with(word, "-fno-") ? word + 5 : evr_starts_with(word, "-f") ? word + 2 : "";
	return in(features, EVR_COUNT(features), feature);
}

static bool has_value(const char *option, size_t length, const char *value)
{
	for (size_t i = 0; i < EVR_COUNT(values); i++)
		if (strlen(values[i].option) == length && !strncmp(option, values[i].option, length) &&
		    !strcmp(value, values[i].value))
			return true;
	return false;
}

/* An argument that is a word of its own: not one that would be read as something else, such as a response file. */
static bool is_argument(char *const *words, size_t n)
{
	return n > 1 && *words[1] && !strchr("@-", *words[1]);
}

/* How many words are taken: 0 if this one is not. */
static size_t taken(char *const *words, size_t n)
{
	const char *word = words[0];
	if (is_alone(word))
		return 1;
	if (!strcmp(word, "-include") || !strcmp(word, "-imacros"))
		return is_argument(words, n) ? 2 : 0;
	for (size_t i = 0; i < EVR_COUNT(with_argument); i++) {
		if (!strcmp(word, with_argument[i]))
			return is_argument(words, n) ? 2 : 0;
		if (evr_starts_with(word, with_argument[i]))
			return 1;
	}
	if (!strcmp(word, "-l") || !strcmp(word, "-x"))
		return is_argument(words, n) && has_value(word, 2, words[1]) ? 2 : 0;
	const char *equals = strchr(word, '=');
	size_t length = evr_starts_with(word, "-stdlib=") ? (size_t)(equals - word) + 1 : 2;
	return strlen(word) > length && has_value(word, length, word + length) ? 1 : 0;
}

void evr_trust_flags(evr_words *words, evr_words *left_out)
{
	evr_words kept = { 0 };
	for (size_t i = 0; i < words->len;) {
		size_t n = taken(words->data + i, words->len - i);
		for (size_t k = 0; k < n; k++)
			evr_words_add(&kept, words->data[i + k]);
		if (!n)
			evr_words_add(left_out, words->data[i]);
		i += n ? n : 1;
	}
	evr_words_release(words);
	*words = kept;
}

bool evr_trust_file(const char *file)
{
	static const char *const suffixes[] = { ".c", ".i", ".ii", ".cc", ".cp", ".cxx", ".cpp", ".CPP", ".c++", ".C" };
	const char *dot = strrchr(file, '.');
	if (!strcmp(file, "-"))
		return true;
	return *file != '-' && *file != '@' && dot && in(suffixes, EVR_COUNT(suffixes), dot);
}
