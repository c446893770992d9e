/*
 * What executions came to, and what none of them did: the points of results. Driver only.
 *
 * A branch has a point for each way out of it. Of a branch that is never reached, none of them was executed.
 */
#ifndef EVR_REPORT_COVERAGE_H
#define EVR_REPORT_COVERAGE_H

#include "report/format.h"

/* By file, line, kind, place of the branch, and way out of it. */
int evr_point_compare(const struct evr_result_point *a, const struct evr_result_point *b);
/* What `from` has executed, `to` has, too. */
void evr_points_add(struct evr_result *to, const struct evr_result *from);
/* What was executed under any of the models, to be freed as a result. */
struct evr_result *evr_report_coverage(const struct evr_report *r);
/* The line for people, or empty if everything was executed or the searches ended at findings; to be freed. */
char *evr_coverage_text(const struct evr_report *r);

/* How many there are of a kind, "line", "branch" or "function". */
struct evr_point_count {
	size_t all, executed;
};
struct evr_point_count evr_points_count(const struct evr_result *r, const char *kind);

#endif
