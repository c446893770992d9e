/* What the driver asks for, as words in the environment variable EVERETT_CHECKER. */
#ifndef EVR_CONFIG_H
#define EVR_CONFIG_H

#include "base/base.h"

struct evr_config {
	int fd;         /* the pipe to the driver */
	int classes_fd; /* -1: classes are not asked for */
	int turn_fd; /* readable while it is our turn; -1: it always is */
	int serve; /* -1: this is the only exploration; else where orders for more come from */
	const char *model, *engine, *rvf_no, *replay;
	const char *allow_external; /* names, separated by commas; NULL: none */
	const char *nondet; /* ranges, separated by commas; NULL: none */
	long unroll; /* -1: no bound */
	bool simplify;
	long spurious; /* wake-ups of each thread for no reason */
	long spurious_cas; /* how often in a thread a weak compare-exchange may fail for no reason */
	bool keep_going, leaks, uninitialised, check, fail_on_exit, verbose, gdb, robust, decide;
	bool erase; /* leave out iterations that change nothing, if the engine can */
	bool estimate; /* the size of a long search, though nobody has asked yet */
	int races; /* 0, 1; -1: the model decides */
	uint64_t max_executions, repeat, seed;
	uint64_t runs, trials; /* of `predict`: under SC, and for each cycle */
	unsigned cycle_length;
	double timeout, execution_timeout;
};

/* Parse the words; dies on one that it does not know. */
void evr_config_parse(struct evr_config *c, const char *words);

#endif
