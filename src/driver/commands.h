/* The commands: each takes the words behind its name and returns the exit status. */
#ifndef EVR_DRIVER_COMMANDS_H
#define EVR_DRIVER_COMMANDS_H

#include "driver/options.h"

int evr_check_main(struct evr_options *o);
int evr_replay_main(struct evr_options *o);
int evr_report_main(struct evr_options *o);
int evr_resume_main(struct evr_options *o);
int evr_split_main(struct evr_options *o);
int evr_merge_main(struct evr_options *o);

#endif
