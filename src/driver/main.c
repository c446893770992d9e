/* Everett's commands. Each is one line of the table below; what they do is in the file of their name. */
#include "base/nearest.h"
#include "driver/cc.h"
#include "driver/commands.h"
#include "driver/output.h"
#include "driver/present.h"
#include "driver/process.h"
#include "driver/watch.h"
#include "instrument/instrument.h"

#include <unistd.h>

static const struct command {
	const char *name, *operands, *summary;
	enum evr_command command;
	int (*run)(struct evr_options *o);   /* NULL: a later version has it */
} commands[] = {
	{ "check", "[options] FILE.c... [-- ARGS]", "compile, explore, report", EVR_CHECK, evr_check_main },
	{ "run", "[options] CHECKER [-- ARGS]", "explore a checker that 'everett cc' linked, report", EVR_RUN,
	  evr_check_main },
	{ "replay", "[options] REPORT.json", "run one recorded execution again", EVR_REPLAY, evr_replay_main },
	{ "report", "[options] REPORT.json", "render a saved result as text, or in another format", EVR_REPORT,
	  evr_report_main },
	{ "robust", "[options] FILE.c... [-- ARGS]", "is the program robust against --model (default tso)?", EVR_ROBUST,
	  evr_check_main },
	{ "predict", "[options] FILE.c... [-- ARGS]", "predict violations of SC and try to trigger each", EVR_PREDICT,
	  evr_check_main },
	{ "orders", "[options] FILE.c... [-- ARGS]", "which memory orders are needed, which could be weaker",
	  EVR_ORDERS, evr_orders_main },
	{ "sample", "[options] FILE.c... [-- ARGS]", "random executions, and what they cover", EVR_SAMPLE,
	  evr_check_main },
	{ "resume", "[options] CHECKPOINT", "continue a search that was stopped", EVR_RESUME, evr_resume_main },
	{ "split", "-n N CHECKPOINT DIR", "divide a checkpoint into N parts", EVR_SPLIT, evr_split_main },
	{ "merge", "[options] CHECKPOINT...", "combine all parts of a split into one result or checkpoint", EVR_MERGE,
	  evr_merge_main },
};

static int help(void)
{
	fputs("Everett runs a concurrent C program in every way its memory model allows.\n\n", stdout);
	for (size_t i = 0; i < EVR_COUNT(commands); i++)
		if (commands[i].run)
			printf("  everett %-7s %-31s %s\n", commands[i].name, commands[i].operands,
			       commands[i].summary);
	fputs("  everett cc      ...                             drop-in C compiler; 'everett c++' likewise\n"
	      "  everett --version\n"
	      "  everett COMMAND --help, or everett help COMMAND\n\n"
	      "Exit status: 0 no finding, 1 a finding, 2 usage, compile or link error, 3 stopped at a limit,\n"
	      "4 internal error.\n",
	      stdout);
	return evr_stdout_flush();
}

static int command_help(const struct command *c, bool all)
{
	printf("Usage: everett %s %s\n\n%s\n\n", c->name, c->operands, c->summary);
	bool terminal = isatty(STDOUT_FILENO);
	evr_options_help(stdout, c->command, all, terminal ? evr_text_options_for(stdout, EVR_NEVER).width : 0);
	return evr_stdout_flush();
}

static int version(void)
{
	printf("everett %s (LLVM %s)\n", EVR_VERSION, evr_instrument_llvm_version());
	return evr_stdout_flush();
}

static int run_command(const struct command *c, char **words, size_t n)
{
	struct evr_options o;
	if (!c->run)
		evr_die("command '%s' is not available in this version", c->name);
	evr_options_init(&o, c->command);
	evr_options_parse(&o, words, n);
	int status = o.help ? command_help(c, o.help > 1) : o.watch ? evr_watch(&o, c->run) : c->run(&o);
	evr_options_release(&o);
	return status;
}

static bool is_compiler(const char *name)
{
	return !strcmp(name, "cc") || !strcmp(name, "c++");
}

static const struct command *find_command(const char *name)
{
	for (size_t i = 0; i < EVR_COUNT(commands); i++)
		if (!strcmp(name, commands[i].name))
			return &commands[i];
	return NULL;
}

static _Noreturn void unknown_command(const char *name)
{
	static const char *const others[] = { "cc", "c++", "help", "--help", "--help-all", "--version" };
	const char *names[EVR_COUNT(commands) + EVR_COUNT(others)];
	const char *dot = strrchr(name, '.');
	if (dot && !access(name, F_OK))
		evr_die("'%s' is not a command; did you mean 'everett %s %s'?", name,
			strcmp(dot, ".json") ? "check" : "replay", name);
	for (size_t i = 0; i < EVR_COUNT(commands); i++)
		names[i] = commands[i].name;
	for (size_t i = 0; i < EVR_COUNT(others); i++)
		names[EVR_COUNT(commands) + i] = others[i];
	const char *guess = evr_did_you_mean(name, names, EVR_COUNT(names));
	if (*name == '-' && !*guess)
		evr_die("no command before '%s'; did you mean 'everett check %s'? (see 'everett --help')", name, name);
	evr_die("unknown command '%s'%s (see 'everett --help')", name, guess);
}

static int help_about(const char *name)
{
	const struct command *c = find_command(name);
	if (is_compiler(name)) {
		printf("Usage: everett %s [the options of clang] FILE...\n\n"
		       "A drop-in compiler: the programs that it links are checkers. Run one with 'everett run', or on its\n"
		       "own, with options from EVERETT_OPTIONS. In a build: make CC=\"everett cc\", or CC=everett-cc.\n",
		       name);
		return evr_stdout_flush();
	}
	if (!c)
		unknown_command(name);
	return command_help(c, false);
}

/* The compiler to be when called by a name that ends so, for build systems that want CC to be one word. */
static bool called_as(const char *program, const char *suffix)
{
	size_t n = strlen(program), length = strlen(suffix);
	return n >= length && !strcmp(program + n - length, suffix);
}

int main(int argc, char **argv)
{
	evr_process_init();
	if (argc > 0 && (called_as(argv[0], "everett-cc") || called_as(argv[0], "everett-c++")))
		return evr_cc_main(called_as(argv[0], "++"), argv + 1, (size_t)argc - 1);
	if (argc < 2)
		evr_die("no command (see 'everett --help')");
	const char *name = argv[1];
	char **words = argv + 2;
	size_t n = (size_t)argc - 2;
	if (!strcmp(name, "--version"))
		return version();
	if (!strcmp(name, "help") && n)
		return help_about(words[0]);
	if (!strcmp(name, "--help") || !strcmp(name, "-h") || !strcmp(name, "help") || !strcmp(name, "--help-all"))
		return help();
	if (is_compiler(name))
		return evr_cc_main(!strcmp(name, "c++"), words, n);
	const struct command *c = find_command(name);
	if (!c)
		unknown_command(name);
	return run_command(c, words, n);
}
