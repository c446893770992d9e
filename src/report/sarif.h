/*
 * SARIF 2.1.0, shared by the files sarif*.c: sarif.c has the run as a whole, sarif_result.c one finding, sarif_flow.c its
 * execution, sarif_related.c the other places that its text names, sarif_location.c places in files.
 *
 * Invariant: a location refers to an artifact, and a result to a rule, by its index in the log's arrays; so both arrays
 * only grow while results are being made.
 */
#ifndef EVR_SARIF_H
#define EVR_SARIF_H

#include "report/json_value.h"

#define SARIF_ROOT "%SRCROOT%" /* what relative paths are relative to, by the name that other tools give it, too */

struct sarif_log {
	const struct evr_report *report;
	json_t *artifacts, *rules;
	evr_words uris;  /* of the artifacts, in their order */
	evr_words kinds; /* of finding: the ids of the rules, in their order */
};

/* Where the word stands in the list; behind the last if it does not. */
size_t sarif_index(const evr_words *words, const char *word);

/* sarif_location.c */
json_t *sarif_message(const char *text);
/* The index of the file's artifact, which is added if it is new. */
size_t sarif_artifact(struct sarif_log *l, const char *file);
json_t *sarif_location(struct sarif_log *l, const char *file, unsigned line, unsigned column, const char *function);

/* sarif.c: the index of the rule for a kind of finding, and its level. */
size_t sarif_rule(struct sarif_log *l, const char *kind);
const char *sarif_level(const char *kind);

/* "assertion: r1 || r2", to be freed. */
char *sarif_headline(const struct evr_result_finding *f);
/* sarif_flow.c: at most one code flow, of the events up to the failure. */
json_t *sarif_code_flows(struct sarif_log *l, const struct evr_result *r, const struct evr_result_finding *f);
/* sarif_related.c */
json_t *sarif_related(struct sarif_log *l, const struct evr_result_finding *f);
/* sarif_orders.c: a note for each site of result i whose order is not what is needed. */
void sarif_orders(struct sarif_log *l, size_t i, json_t *results);
/* sarif_result.c: finding j of result i; `json` is where the run is saved, or NULL. */
json_t *sarif_result(struct sarif_log *l, const char *json, size_t i, size_t j);

#endif
