/*
 * Checkpoints: a report that also has what is left of each search, so that `everett resume` can go on with it. It is written when the search begins, whenever a
 * checker has told what is left, and at the end.
 */
#ifndef EVR_DRIVER_CHECKPOINT_H
#define EVR_DRIVER_CHECKPOINT_H

#include "driver/options.h"
#include "driver/output.h"

#define EVR_DEFAULT_MODEL "default" /* the model of a search that had not begun: the program decides */

/* What is left of a search that has not begun: everything. */
void evr_rest_everything(struct evr_result_rest *rest);
void evr_rest_copy(struct evr_result_rest *to, const struct evr_result_rest *from);

/* Write the report as a checkpoint. Returns 0 or errno. */
int evr_checkpoint_write(struct evr_output *file, const struct evr_options *o, struct evr_report *r);
/* Read one; dies if it is none, or is damaged. */
void evr_checkpoint_read(const char *path, struct evr_report *r);
/* The search of that model in it, or NULL. */
struct evr_result *evr_checkpoint_find(const struct evr_report *r, const char *model);
/*
 * Add what the search found before it was stopped, for a report on the way. The findings stay those of `before`: take them out again, by their number,
 * before r is changed. evr_search_recall() moves them when the search ends. `before` may be NULL.
 */
void evr_checkpoint_lend_findings(struct evr_result *r, const struct evr_result *before);
/* How many branches are left, of all its searches? */
size_t evr_checkpoint_branches(const struct evr_report *r);

#endif
