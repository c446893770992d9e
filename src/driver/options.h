/*
 * The command line of every command but `cc`. The options themselves are listed in options.def.
 * What is a mistake ends the process with a message and status 2.
 */
#ifndef EVR_DRIVER_OPTIONS_H
#define EVR_DRIVER_OPTIONS_H

#include "report/format.h"

enum evr_command {
	EVR_CHECK = 1,
	EVR_RUN = 2,
	EVR_REPLAY = 4,
	EVR_REPORT = 8,
	EVR_ROBUST = 16,
	EVR_PREDICT = 32,
	EVR_RESUME = 64,
	EVR_SPLIT = 128,
	EVR_MERGE = 256,
	EVR_ORDERS = 512,
	EVR_SAMPLE = 1024,
};

enum evr_when { EVR_AUTO, EVR_ALWAYS, EVR_NEVER };

/* -1 stands for "not given" in numbers, NULL in strings. Owns its strings. */
struct evr_options {
	enum evr_command command;
	evr_words models;             /* empty: the default */
	bool default_model; /* the user has named none: the checker chooses it by the program, and says which it is */
	char *equivalence, *rvf_no, *hunters;
	char *allow_external; /* names, separated by commas */
	char *nondet; /* ranges, separated by commas */
	char *release_sequences; /* c11 or c20 */
	char *order; /* lines: memory orders to change */
	char *in, *from, *target,
		*diff; /* of orders: lines, the files whose orders may change; the orders to begin with; what they cost where; where the patch goes */
	bool every_access;
	int restless;
	long preemptions;
	long unroll, max_executions, repeat, memory, jobs, seed, finding, site;
	long runs, trials, cycle_length, spurious, spurious_cas;
	double timeout, execution_timeout, hunt;
	int rounds;
	int decide, simplify, rollback, keep_going, races, leaks, uninitialised, fail_on_exit, check;
	int gdb, locals, watch, quiet, verbose, help;
	int trust_report; /* of replay; of the run that it repeats: take any flag of a compilation database */
	int progress, color; /* enum evr_when */
	char *replay, *output, *classes, *keep, *checkpoint;
	struct evr_report *resumed; /* the checkpoint that the run goes on with, or NULL */
	long parts; /* of split */
	int classes_fd; /* open for the checkers, if `classes` is there */
	char *formats[EVR_FORMATS]; /* the file for each */
	char *compile_commands; /* the folder of a compilation database */
	evr_words files; /* operands */
	evr_words compile; /* words for the compiler */
	evr_words args; /* behind "--" */
};

void evr_options_init(struct evr_options *o, enum evr_command command);
/* Parse the words behind the command's name. May be called again to add words. */
void evr_options_parse(struct evr_options *o, char *const *words, size_t n);
void evr_options_release(struct evr_options *o);
/* The options of an execution as words of a command line that evr_options_parse() understands: what replay needs; `all`: what resume needs. */
void evr_options_words(const struct evr_options *o, bool all, evr_words *out);
/* All of them as a command line for a shell, with this model alone, to be freed. */
char *evr_options_command(const struct evr_options *o, const char *model);
/* Those that the checker must know of, as words of EVERETT_CHECKER, each with a blank before it. */
void evr_options_settings(const struct evr_options *o, struct evr_strbuf *out);
/*
 * The same for the words of a report that somebody else may have written: only options that say how to run an execution, and none
 * that names a file to write. The others go to *left_out.
 */
void evr_options_parse_report(struct evr_options *o, const evr_words *words, evr_words *left_out);
const char *evr_command_name(enum evr_command command);
/* The list of options for --help; `all`: for --help-all, with those for developers of Everett. In lines of `width` columns; 0: of any length. */
void evr_options_help(FILE *out, enum evr_command command, bool all, size_t width);

#endif
