#include "driver/options.h"

#include "driver/models.h"

#include <errno.h>
#include <limits.h>
#include <math.h>

enum type { SET, NUMBER, COUNT, SECONDS, WHEN, WORD, NAMES, TEXT, MODELS };

#define FINDINGS EVR_CHECK
#define ROBUST EVR_ROBUST
#define PREDICT EVR_PREDICT
#define CHECK (EVR_CHECK | EVR_ROBUST)
#define RUN EVR_RUN
#define REPLAY EVR_REPLAY
#define REPORT EVR_REPORT

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
	}
	return "";
}

void evr_options_init(struct evr_options *o, enum evr_command command)
{
	memset(o, 0, sizeof(*o));
	o->command = command;
	o->unroll = o->max_executions = o->repeat = o->memory = o->jobs = o->seed = o->finding = -1;
	o->runs = o->trials = o->cycle_length = o->spurious = o->spurious_cas = -1;
	o->timeout = o->execution_timeout = -1;
	o->races = -1;
	o->uninitialised = o->simplify = o->fail_on_exit = o->trust_report = 1;
	if (command == EVR_REPLAY)
		o->trust_report = 0;
}

void evr_options_release(struct evr_options *o)
{
	free(o->equivalence);
	free(o->rvf_no);
	free(o->allow_external);
	free(o->nondet);
	free(o->replay);
	free(o->output);
	free(o->classes);
	free(o->keep);
	for (size_t i = 0; i < EVR_FORMATS; i++)
		free(o->formats[i]);
	free(o->compile_commands);
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
		evr_die("option '--%s' needs a positive number of seconds, not '%s'", d->name, value);
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
	if (!strchr("0123456789.", *value) || !*value || *end || !isfinite(*field) || *field <= 0 ||
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
	evr_die("unknown model '%s' (see 'everett %s --help')", unknown, evr_command_name(command));
}

static void take(struct evr_options *o, const struct option *d, const char *value)
{
	void *field = (char *)o + d->field;
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
		/* -u3 and -j2, but -mavx is the compiler's. */
		if (d->type == NUMBER) {
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
	size_t taken = o->command & (CHECK | PREDICT) ? compiler_words(words, n) : 0;
	for (size_t i = 0; i < taken; i++)
		evr_words_add(&o->compile, words[i]);
	if (taken)
		return taken;
	usage(o, "unknown option", words[0]);
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

static void add_option(evr_words *out, const char *name, char *value)
{
	evr_words_add(out, name);
	evr_words_add(out, value);
	free(value);
}

static void add_joined(evr_words *out, const char *option, long value)
{
	char *word = evr_format("%s=%ld", option, value);
	evr_words_add(out, word);
	free(word);
}

void evr_options_words(const struct evr_options *o, evr_words *out)
{
	if (o->equivalence)
		add_option(out, "--equivalence", evr_strdup(o->equivalence));
	if (o->rvf_no)
		add_option(out, "--rvf-no", evr_strdup(o->rvf_no));
	if (o->allow_external)
		add_option(out, "--allow-external", evr_strdup(o->allow_external));
	if (o->nondet)
		add_option(out, "--nondet", evr_strdup(o->nondet));
	if (o->unroll >= 0)
		add_option(out, "--unroll", evr_format("%ld", o->unroll));
	if (o->spurious >= 0)
		add_joined(out, "--spurious", o->spurious);
	if (o->spurious_cas >= 0)
		add_joined(out, "--spurious-cas", o->spurious_cas);
	if (o->races >= 0)
		evr_words_add(out, o->races ? "--races" : "--no-races");
	if (o->leaks)
		evr_words_add(out, "--leaks");
	if (!o->uninitialised)
		evr_words_add(out, "--no-uninitialised");
	/* Which places `robust` names in an execution depends on it. */
	if (o->keep_going && o->command == EVR_ROBUST)
		evr_words_add(out, "--keep-going");
	if (!o->fail_on_exit)
		evr_words_add(out, "--no-fail-on-exit");
	if (o->execution_timeout > 0)
		add_option(out, "--execution-timeout", evr_format("%.9g", o->execution_timeout));
	if (o->compile_commands)
		add_option(out, "--compile-commands", evr_strdup(o->compile_commands));
	if (o->seed >= 0)
		add_option(out, "--seed", evr_format("%ld", o->seed));
	if (o->runs >= 0)
		add_option(out, "--runs", evr_format("%ld", o->runs));
	if (o->decide)
		evr_words_add(out, "--decide");
	if (o->trials >= 0)
		add_option(out, "--trials", evr_format("%ld", o->trials));
	if (o->cycle_length >= 0)
		add_option(out, "--cycle-length", evr_format("%ld", o->cycle_length));
}

/* ---- help ---- */

void evr_options_help(FILE *out, enum evr_command command)
{
	fputs("Options:\n", out);
	for (size_t i = 0; i < EVR_COUNT(options); i++) {
		const struct option *d = &options[i];
		if (!(d->commands & command))
			continue;
		char letter[] = "    ";
		if (d->letter) {
			letter[0] = '-';
			letter[1] = d->letter;
			letter[2] = ',';
		}
		char *name = evr_format("%s--%s%s%s", letter, d->name, d->arg && d->type != COUNT ? " " : "",
					d->arg ? d->arg : "");
		fprintf(out, "  %-31s %s\n", name, d->help);
		free(name);
	}
	if (command & (CHECK | PREDICT))
		fputs("  -D -U -I -L -l -include -isystem -std= -f... -mX... -W... -O... -g -pthread\n"
		      "                                  handed to the compiler\n",
		      out);
}
