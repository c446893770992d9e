/*
 * Saved runs: a run of `check` or `run` as one JSON document, the contract that scripts read, and back again for
 * `everett replay` and `everett report`. Driver only.
 */
#ifndef EVR_JSON_H
#define EVR_JSON_H

#include "report/result.h"

typedef EVR_VEC(char *) evr_words;
typedef EVR_VEC(bool) evr_flags;

/* All that was asked for, and what came out. Owns everything in it. */
struct evr_report {
	char *command;      /* "check" or "run" */
	evr_words files;    /* the source files of check */
	char *checker;      /* the executable of run, or NULL */
	evr_words compile;  /* words for the compiler */
	evr_words options;  /* Everett's own options that influence an execution, as on the command line */
	evr_words args;     /* of the program */
	EVR_VEC(struct evr_result *) results;
	bool checkpoint; /* it is one: written with what is left of each search */
};

void evr_words_add(evr_words *w, const char *word);
void evr_words_release(evr_words *w);

void evr_report_release(struct evr_report *r);

/* What a page shows besides the report. */
struct evr_json_page {
	evr_words sources;  /* files, whose text goes with it */
	evr_words replays;  /* a command for each finding, in order; empty: it cannot be replayed */
	evr_words models;   /* and under which other models each appears */
	evr_flags repeated; /* and whether it is shown where a stronger model has it */
	char *conclusion;   /* a sentence on all models, or empty */
};
/* All of it as one line of ASCII, to be freed. */
char *evr_json_page(const struct evr_report *r, const struct evr_json_page *page);
/* From here on a lack of memory ends the process: half a document would pass for a whole one. Before anything else of these. */
void evr_json_init(void);
/* Written by evr_json_write() of format.h. Bytes that are no UTF-8 become U+FFFD: JSON has no other strings. */
/* Fills *r, which the caller releases in either case. Returns 0, or -1 with *error set to a message to free. */
int evr_json_read(const char *path, struct evr_report *r, char **error);

#endif
