/*
 * The command line of every command but `cc`: words become struct evr_options, and that becomes words again, for a report or for
 * the checker.
 *
 * Invariant: options.def is all that is known of an option. Its type, not its name, decides how it is parsed, printed and
 * released, and rows with the same field agree about its type and about what it is if nobody gives it.
 */
#include "driver/options.h"

#include "base/nearest.h"
#include "base/strbuf.h"
#include "driver/models.h"

#include <errno.h>
#include <limits.h>
#include <math.h>

enum type { SET, NUMBER, COUNT, SECONDS, WHEN, WORD, NAMES, TEXT, LINES, ORDERS, MODELS };

#define FINDINGS (EVR_CHECK | EVR_SAMPLE)
#define ROBUST EVR_ROBUST
#define PREDICT EVR_PREDICT
#define CHECK (EVR_CHECK | EVR_ROBUST | EVR_SAMPLE)
#define SEARCH (EVR_CHECK | EVR_ROBUST)
#define SAMPLE EVR_SAMPLE
#define RUN EVR_RUN
#define REPLAY EVR_REPLAY
#define REPORT EVR_REPORT
#define RESUME EVR_RESUME
#define SPLIT EVR_SPLIT
#define MERGE EVR_MERGE
#define ORDERED EVR_ORDERS

struct option {
	const char *name, *arg, *help;
	size_t field;
	long least, most;
	unsigned commands;
	enum type type;
	char letter;
};

static const struct option options[] = {
#define OPTION(field, type, name, letter, arg, least, most, commands, help) \
	{ name, arg, help, offsetof(struct evr_options, field), least, most, commands, type, letter },
#include "driver/options.def"
#undef OPTION
};

static void *field_of(struct evr_options *o, const struct option *d)
{
	return (char *)o + d->field;
}

/* Words for the compiler that `check` hands on. A word ends in a blank if its argument may be a word of its own. */
static const char *const compiler[] = {
	"-D ",         "-U ",      "-I ",   "-L ",   "-l ",       "-include ", "-isystem ",  "-iquote ",
	"-idirafter ", "-Xclang ", "-x ",   "-std=", "-f",        "-m",        "-W",         "-O",
	"-g",          "-pthread", "-ansi", "-w",    "-pedantic", "-nostdinc", "--sysroot=", "-stdlib=",
};

const char *evr_command_name(enum evr_command command)
{
	switch (command) {
	case EVR_CHECK:
		return "check";
	case EVR_RUN:
		return "run";
	case EVR_REPLAY:
		return "replay";
	case EVR_REPORT:
		return "report";
	case EVR_ROBUST:
		return "robust";
	case EVR_PREDICT:
		return "predict";
	case EVR_RESUME:
		return "resume";
	case EVR_SPLIT:
		return "split";
	case EVR_MERGE:
		return "merge";
	case EVR_ORDERS:
		return "orders";
	case EVR_SAMPLE:
		return "sample";
	}
	return "";
}

void evr_options_init(struct evr_options *o, enum evr_command command)
{
	memset(o, 0, sizeof(*o));
	o->command = command;
	for (size_t i = 0; i < EVR_COUNT(options); i++) {
		void *field = field_of(o, &options[i]);
		if (options[i].type == SET)
			*(int *)field = (int)options[i].most;
		else if (options[i].type == NUMBER || options[i].type == COUNT)
			*(long *)field = -1;
		else if (options[i].type == SECONDS)
			*(double *)field = -1;
	}
	if (command == EVR_REPLAY || command == EVR_RESUME)
		o->trust_report = 0;
}

void evr_options_release(struct evr_options *o)
{
	for (size_t i = 0; i < EVR_COUNT(options); i++) {
		enum type type = options[i].type;
		if (type != WORD && type != NAMES && type != TEXT && type != LINES && type != ORDERS)
			continue;
		char **field = field_of(o, &options[i]);
		free(*field);
		*field = NULL;
	}
	evr_words_release(&o->models);
	evr_words_release(&o->files);
	evr_words_release(&o->compile);
	evr_words_release(&o->args);
}

static _Noreturn void usage(const struct evr_options *o, const char *what, const char *word)
{
	evr_die("%s '%s' (see 'everett %s --help')", what, word, evr_command_name(o->command));
}

/* ---- arguments ---- */

static _Noreturn void malformed(const struct option *d, const char *value)
{
	switch (d->type) {
	case NUMBER:
	case COUNT:
		if (d->most >= INT_MAX)
			evr_die("option '--%s' needs a number from %ld, not '%s'", d->name, d->least, value);
		evr_die("option '--%s' needs a number from %ld to %ld, not '%s'", d->name, d->least, d->most, value);
	case SECONDS:
		evr_die("option '--%s' needs a %snumber of seconds, not '%s'", d->name, d->least < 0 ? "" : "positive ",
			value);
	case WHEN:
		evr_die("option '--%s' needs auto, always or never, not '%s'", d->name, value);
	default:
		evr_die("option '--%s' cannot be '%s'", d->name, value);
	}
}

static void take_number(long *field, const struct option *d, const char *value)
{
	char *end;
	errno = 0;
	*field = strtol(value, &end, 10);
	if (*value < '0' || *value > '9' || *end || errno || *field < d->least || *field > d->most)
		malformed(d, value);
}

static void take_seconds(double *field, const struct option *d, const char *value)
{
	char *end;
	*field = strtod(value, &end);
	bool positive = *field > 0 || (*field >= 0 && d->least < 0);
	if (!strchr("0123456789.", *value) || !*value || *end || !isfinite(*field) || !positive ||
	    *field > (double)d->most)
		malformed(d, value);
}

static void take_when(int *field, const struct option *d, const char *value)
{
	static const char *const names[] = { "auto", "always", "never" };
	for (int i = 0; i < 3; i++) {
		if (!strcmp(names[i], value)) {
			*field = i;
			return;
		}
	}
	malformed(d, value);
}

static void take_string(char **field, const struct option *d, const char *value)
{
	if (!*value || (d->type == WORD && strpbrk(value, " \t\n")))
		malformed(d, value);
	evr_result_set(field, value);
}

/* Given again, the option adds to what it was. */
static void take_names(char **field, const struct option *d, const char *value)
{
	for (const char *p = value;; p++) {
		size_t n = strcspn(p, ", \t\n");
		if (!n || (p[n] && p[n] != ','))
			malformed(d, value);
		p += n;
		if (!*p)
			break;
	}
	char *all = *field ? evr_format("%s,%s", *field, value) : evr_strdup(value);
	free(*field);
	*field = all;
}

static void take_line(char **field, const struct option *d, const char *value)
{
	if (!*value || strchr(value, '\n'))
		malformed(d, value);
	char *all = *field ? evr_format("%s\n%s", *field, value) : evr_strdup(value);
	free(*field);
	*field = all;
}

/* Whether it names a site, the checker knows. */
static void take_order(char **field, const struct option *d, const char *value)
{
	const char *equals = strrchr(value, '='), *colon = strchr(value, ':');
	if (!equals || !equals[1] || !colon || colon == value || colon > equals)
		evr_die("option '--%s' needs FILE:LINE[:COLUMN]=ORDER, not '%s'", d->name, value);
	take_line(field, d, value);
}

static void take_models(evr_words *field, const struct option *d, const char *value)
{
	char *unknown;
	enum evr_command command = (enum evr_command)d->least;
	evr_words_release(field);
	if (!evr_models_parse(value, command, field, &unknown))
		return;
	if (evr_model_known(unknown) && command == EVR_ROBUST)
		evr_die("robustness against model '%s' is not available in this version", unknown);
	if (evr_model_known(unknown))
		evr_die("'everett %s' is not available for model '%s'", evr_command_name(command), unknown);
	evr_die("unknown model '%s'%s", unknown, evr_models_hint(unknown, command));
}

static void take(struct evr_options *o, const struct option *d, const char *value)
{
	void *field = field_of(o, d);
	EVR_ASSERT(value || d->type == SET || d->type == COUNT);
	switch (d->type) {
	case SET:
		*(int *)field = (int)d->least;
		break;
	case COUNT:
		*(long *)field = d->least;
		if (value)
			take_number(field, d, value);
		break;
	case NUMBER:
		take_number(field, d, value);
		break;
	case SECONDS:
		take_seconds(field, d, value);
		break;
	case WHEN:
		take_when(field, d, value);
		break;
	case NAMES:
		take_names(field, d, value);
		break;
	case LINES:
		take_line(field, d, value);
		break;
	case ORDERS:
		take_order(field, d, value);
		break;
	case WORD:
	case TEXT:
		take_string(field, d, value);
		break;
	case MODELS:
		take_models(field, d, value);
		break;
	}
}

/* ---- words ---- */

/* The option that `word` is, or NULL. *value is what is joined to it, or NULL. */
static const struct option *find(unsigned command, const char *word, const char **value)
{
	*value = NULL;
	for (size_t i = 0; i < EVR_COUNT(options); i++) {
		const struct option *d = &options[i];
		if (!(d->commands & command))
			continue;
		size_t n = strlen(d->name);
		if (word[1] == '-' && !strncmp(word + 2, d->name, n) && (!word[2 + n] || word[2 + n] == '=')) {
			*value = word[2 + n] ? word + 3 + n : NULL;
			return d;
		}
		if (!d->letter || word[1] != d->letter)
			continue;
		if (!word[2])
			return d;
		/* -u3, -j2, -mtso and -mtos, but -mavx is the compiler's. */
		if (d->type == NUMBER || (d->type == MODELS && evr_models_meant(word + 2))) {
			*value = word + 2;
			return d;
		}
	}
	return NULL;
}

/* How many words the compiler option at words[0] takes: 0 if it is none. */
static size_t compiler_words(char *const *words, size_t n)
{
	for (size_t i = 0; i < EVR_COUNT(compiler); i++) {
		const char *c = compiler[i];
		size_t length = strcspn(c, " ");
		if (strncmp(words[0], c, length) != 0)
			continue;
		if (c[length] && !words[0][length])
			return n > 1 ? 2 : 0;
		return 1;
	}
	return 0;
}

/* The commands that have an option of this name. */
static unsigned commands_of(const char *name)
{
	unsigned commands = 0;
	for (size_t i = 0; i < EVR_COUNT(options); i++)
		if (!strcmp(options[i].name, name))
			commands |= options[i].commands;
	return commands;
}

/* " of 'everett check' or 'everett run'": to be freed. */
static char *list_commands(unsigned commands)
{
	struct evr_strbuf b;
	evr_strbuf_init(&b);
	for (unsigned c = 1; c <= commands; c <<= 1)
		if (commands & c)
			evr_strbuf_printf(&b, "%s'everett %s'",
					  !b.len              ? ""
					  : c << 1 > commands ? " or "
							      : ", ",
					  evr_command_name((enum evr_command)c));
	return evr_strbuf_take(&b);
}

static _Noreturn void unknown_option(const struct evr_options *o, const char *word)
{
	const char *names[EVR_COUNT(options)];
	char *name = evr_strndup(word, strcspn(word, "="));
	unsigned others = strncmp(name, "--", 2) ? 0 : commands_of(name + 2);
	if (others)
		evr_die("option '%s' is not for 'everett %s', but for %s", name, evr_command_name(o->command),
			list_commands(others));
	for (size_t i = 0; i < EVR_COUNT(options); i++)
		names[i] = options[i].commands & o->command ? evr_format("--%s", options[i].name) : NULL;
	/* Of a short option no letter is left if one is wrong. */
	const char *guess = strncmp(name, "--", 2) ? "" : evr_did_you_mean(name, names, EVR_COUNT(names));
	evr_die("unknown option '%s'%s (see 'everett %s --help')", word, guess, evr_command_name(o->command));
}

/* Returns how many words it took. */
static size_t option(struct evr_options *o, char *const *words, size_t n)
{
	const char *value;
	const struct option *d = find(o->command, words[0], &value);
	if (d) {
		if (!d->arg && value)
			evr_die("option '--%s' takes no argument", d->name);
		bool separate = d->arg && !value && d->type != COUNT;
		if (separate && n < 2)
			usage(o, "missing argument of option", words[0]);
		take(o, d, separate ? words[1] : value);
		return separate ? 2 : 1;
	}
	size_t taken = o->command & (CHECK | PREDICT | ORDERED) ? compiler_words(words, n) : 0;
	for (size_t i = 0; i < taken; i++)
		evr_words_add(&o->compile, words[i]);
	if (taken)
		return taken;
	unknown_option(o, words[0]);
}

void evr_options_parse(struct evr_options *o, char *const *words, size_t n)
{
	for (size_t i = 0; i < n;) {
		if (!strcmp(words[i], "--")) {
			for (i++; i < n; i++)
				evr_words_add(&o->args, words[i]);
		} else if (words[i][0] == '-' && words[i][1]) {
			i += option(o, words + i, n - i);
		} else {
			evr_words_add(&o->files, words[i++]);
		}
	}
}

/* ---- reports of others ---- */

/* Files are written by nobody's order but the user's; and functions that nobody watches run only if the report is trusted. */
static bool may_come_from_report(const struct evr_options *o, const struct option *d)
{
	if (d->type == NAMES)
		return o->trust_report;
	return d->type != TEXT || !strcmp(d->name, "compile-commands");
}

static size_t option_of_report(struct evr_options *o, char *const *words, size_t n, evr_words *left_out)
{
	const char *value;
	const struct option *d = words[0][0] == '-' && words[0][1] ? find(o->command, words[0], &value) : NULL;
	if (d && may_come_from_report(o, d))
		return option(o, words, n);
	size_t taken = d && d->arg && !value && d->type != COUNT && n > 1 ? 2 : 1;
	for (size_t i = 0; i < taken; i++)
		evr_words_add(left_out, words[i]);
	return taken;
}

void evr_options_parse_report(struct evr_options *o, const evr_words *words, evr_words *left_out)
{
	for (size_t i = 0; i < words->len;)
		i += option_of_report(o, words->data + i, words->len - i, left_out);
}

/* ---- back to words ---- */

/* Lines as one word: separated by commas, in which blanks, commas and percent signs are %XX. */
static char *word_of_lines(const char *lines)
{
	struct evr_strbuf b;
	if (!lines)
		return NULL;
	evr_strbuf_init(&b);
	for (const char *s = lines; *s; s++)
		if (*s == '\n')
			evr_strbuf_putc(&b, ',');
		else if (strchr(" \t,%", *s))
			evr_strbuf_printf(&b, "%%%02X", (unsigned)*s);
		else
			evr_strbuf_putc(&b, *s);
	return evr_strbuf_take(&b);
}

/* What the option was given, as text to be freed; NULL: it was not, or is nothing that the checker or a report is told. */
static char *text_of(const struct evr_options *o, const struct option *d)
{
	const void *field = (const char *)o + d->field;
	switch (d->type) {
	case SET:
		return *(const int *)field == d->most ? NULL : evr_format("%d", *(const int *)field);
	case NUMBER:
	case COUNT:
		return *(const long *)field < 0 ? NULL : evr_format("%ld", *(const long *)field);
	case SECONDS:
		return *(const double *)field < 0 || (*(const double *)field <= 0 && d->least >= 0)
			       ? NULL
			       : evr_format("%.9g", *(const double *)field);
	case WORD:
	case NAMES:
	case TEXT:
		return *(char *const *)field ? evr_strdup(*(char *const *)field) : NULL;
	case LINES:
	case ORDERS:
		return word_of_lines(*(char *const *)field);
	case WHEN:
	case MODELS:
		break;
	}
	return NULL;
}

static const struct option *find_option(const char *name)
{
	for (size_t i = 0; i < EVR_COUNT(options); i++)
		if (!strcmp(options[i].name, name))
			return &options[i];
	return NULL;
}

/* Of the options without an argument that set this one's field: the name of the one that sets it to what it is. */
static const char *setter(const struct evr_options *o, const struct option *d)
{
	int value = *(const int *)((const char *)o + d->field);
	for (size_t i = 0; i < EVR_COUNT(options); i++)
		if (options[i].field == d->field && options[i].least == value)
			return options[i].name;
	evr_bug("no option makes '--%s' %d", d->name, value);
}

static void add_word(evr_words *out, char *word)
{
	evr_words_add(out, word);
	free(word);
}

#define ANY (~0u)

/* What an execution depends on, in the order in which reports have it. */
static const struct {
	const char *name;
	unsigned commands;
} told[] = {
	{ "equivalence", ANY },
	{ "rvf-no", ANY },
	{ "allow-external", ANY },
	{ "nondet", ANY },
	{ "unroll", ANY },
	{ "spurious", ANY },
	{ "spurious-cas", ANY },
	{ "release-sequences", ANY },
	{ "order", ANY },
	{ "every-access", ANY },
	{ "races", ANY },
	{ "leaks", ANY },
	{ "uninitialised", ANY },
	{ "keep-going", ROBUST }, /* which places `robust` names in an execution depends on it */
	{ "fail-on-exit", ANY },
	{ "execution-timeout", ANY },
	{ "compile-commands", ANY },
	{ "seed", ANY },
	{ "runs", ANY },
	{ "decide", ANY },
	{ "trials", ANY },
	{ "cycle-length", ANY },
};

/* What a search depends on besides. */
static const char *const of_search[] = { "keep-going", "simplify", "jobs", "timeout", "max-executions", "memory" };

/* One option for each line. */
static void add_lines(const struct evr_options *o, const struct option *d, evr_words *out)
{
	const char *s = *(char *const *)((const char *)o + d->field);
	while (s && *s) {
		size_t n = strcspn(s, "\n");
		add_word(out, evr_format("--%s", d->name));
		add_word(out, evr_strndup(s, n));
		s += n + (s[n] == '\n');
	}
}

static void add_option(const struct evr_options *o, const struct option *d, evr_words *out)
{
	if (d->type == ORDERS || d->type == LINES) {
		add_lines(o, d, out);
		return;
	}
	char *text = text_of(o, d);
	if (!text)
		return;
	if (d->type == SET) {
		add_word(out, evr_format("--%s", setter(o, d)));
	} else if (d->type == COUNT) {
		add_word(out, evr_format("--%s=%s", d->name, text));
	} else {
		add_word(out, evr_format("--%s", d->name));
		evr_words_add(out, text);
	}
	free(text);
}

void evr_options_words(const struct evr_options *o, bool all, evr_words *out)
{
	for (size_t i = 0; i < EVR_COUNT(told); i++)
		if (told[i].commands & o->command)
			add_option(o, find_option(told[i].name), out);
	for (size_t i = 0; i < EVR_COUNT(of_search) && all; i++)
		if (i || o->command != EVR_ROBUST)
			add_option(o, find_option(of_search[i]), out);
}

/* Several rows may have one field; one of them says what it is. */
static bool is_said(size_t row, enum evr_command command)
{
	for (size_t i = 0; i < row; i++)
		if (options[i].field == options[row].field && options[i].commands & command)
			return true;
	return !(options[row].commands & command);
}

char *evr_options_command(const struct evr_options *o, const char *model)
{
	struct evr_strbuf b;
	evr_words words = { 0 };
	evr_strbuf_init(&b);
	evr_strbuf_printf(&b, "everett %s", evr_command_name(o->command));
	if (!(o->command & (EVR_RESUME | EVR_MERGE)))
		evr_strbuf_printf(&b, " -m %s", model);
	for (size_t i = 0; i < EVR_COUNT(options); i++)
		if (!is_said(i, o->command))
			add_option(o, &options[i], &words);
	evr_text_add_words(&b, &words);
	evr_text_add_words(&b, &o->compile);
	evr_text_add_words(&b, &o->files);
	if (o->args.len)
		evr_strbuf_puts(&b, " --");
	evr_text_add_words(&b, &o->args);
	evr_words_release(&words);
	return evr_strbuf_take(&b);
}

void evr_options_settings(const struct evr_options *o, struct evr_strbuf *out)
{
	static const char *const keys[] = {
#define SETTING(field, type, key, initial) key,
#include "runtime/config.def"
#undef SETTING
	};
	for (size_t i = 0; i < EVR_COUNT(keys); i++) {
		const struct option *d = find_option(keys[i]);
		char *text = d ? text_of(o, d) : NULL;
		if (text)
			evr_strbuf_printf(out, " %s=%s", keys[i], text);
		free(text);
	}
}

/* ---- help ---- */

/* What serves to measure and to test Everett itself: only --help-all lists it. */
static bool is_for_developers(const struct option *d)
{
	static const char *const names[] = { "rvf-no", "repeat", "restless", "classes" };
	for (size_t i = 0; i < EVR_COUNT(names); i++)
		if (!strcmp(d->name, names[i]))
			return true;
	return false;
}

#define HELP_AT 34 /* the column */

/* Lines end at blanks; a word that is longer than a line stands alone in one. */
static void print_wrapped(FILE *out, const char *text, size_t width)
{
	size_t room = width > HELP_AT ? width - HELP_AT : SIZE_MAX, used = 0;
	for (const char *word = text; *word;) {
		size_t n = strcspn(word, " ");
		if (used && used + 1 + n > room) {
			fprintf(out, "\n%*s", HELP_AT, "");
			used = 0;
		}
		fprintf(out, "%s%.*s", used ? " " : "", (int)n, word);
		used += n + (used > 0);
		word += n + (word[n] == ' ');
	}
	fputc('\n', out);
}

void evr_options_help(FILE *out, enum evr_command command, bool all, size_t width)
{
	fputs("Options:\n", out);
	for (size_t i = 0; i < EVR_COUNT(options); i++) {
		const struct option *d = &options[i];
		if (!(d->commands & command) || (!all && is_for_developers(d)))
			continue;
		char letter[] = "    ";
		if (d->letter) {
			letter[0] = '-';
			letter[1] = d->letter;
			letter[2] = ',';
		}
		char *name = evr_format("%s--%s%s%s", letter, d->name, d->arg && d->type != COUNT ? " " : "",
					d->arg ? d->arg : "");
		char *help = evr_models_expand(d->help, d->type == MODELS ? (unsigned)d->least : EVR_CHECK);
		fprintf(out, "  %-31s ", name);
		print_wrapped(out, help, width);
		free(name);
		free(help);
	}
	if (command & (CHECK | PREDICT | ORDERED))
		fputs("  -D -U -I -L -l -include -isystem -std= -f... -mX... -W... -O... -g -pthread\n"
		      "                                  handed to the compiler\n",
		      out);
}
