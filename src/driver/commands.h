/* The commands: each takes the words behind its name and returns the exit status. */
#ifndef EVR_DRIVER_COMMANDS_H
#define EVR_DRIVER_COMMANDS_H

#include "driver/formats.h"
#include "driver/options.h"

int evr_check_main(struct evr_options *o);
int evr_orders_main(struct evr_options *o);
int evr_replay_main(struct evr_options *o);
int evr_report_main(struct evr_options *o);
int evr_resume_main(struct evr_options *o);
int evr_split_main(struct evr_options *o);
int evr_merge_main(struct evr_options *o);

/*
 * What `check` and others do at the end: write the files, print the report, and what the program printed to `output` if that is not NULL. Returns the status of writing: a report
 * that did not arrive must not pass for one.
 */
int evr_report_print(const struct evr_report *r, const struct evr_options *o, struct evr_outputs *files,
		     struct evr_output *output);

#endif
