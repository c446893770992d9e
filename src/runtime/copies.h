/* Processes that are copies of this one, and explore parts of its search. */
#ifndef EVR_COPIES_H
#define EVR_COPIES_H

#include "report/result.h"

#include <sys/types.h>

/* One more, and a socket to it. 0: this is the copy. */
pid_t evr_copy_process(int *fd);
/* In the copy: it ends with the process that it is a copy of, which alone hears signals and looks after limits, and speaks to it. */
void evr_copy_begin(int fd);
/* What a copy has found, and r does not have, becomes part of r, and is told to the driver. */
void evr_take_over_findings(struct evr_result *r, struct evr_result *heard);
double evr_seconds(void); /* by the clock on the wall */

#endif
