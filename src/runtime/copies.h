/* Processes that are copies of this one, and explore parts of its search. */
#ifndef EVR_COPIES_H
#define EVR_COPIES_H

#include "base/strbuf.h"
#include "report/result.h"

#include <sys/types.h>

/* One more, and a socket to it. 0: this is the copy. */
pid_t evr_copy_process(int *fd);
/* One that tells what it has found and ends. */
struct evr_copy {
	pid_t pid;
	int fd; /* -1: there is none */
	struct evr_strbuf line; /* what has come of the next one */
	struct evr_result *heard;
};

/* True: this is the copy, and fd its end. */
bool evr_copy_start(struct evr_copy *c);
/* Add to `heard` what it has told. True: it is over. */
bool evr_copy_poll(struct evr_copy *c);
/* Kill it, if it is there, and forget what was heard. */
void evr_copy_end(struct evr_copy *c);

/* In the copy: it ends with the process that it is a copy of, which alone hears signals and looks after limits, and speaks to it. */
void evr_copy_begin(int fd);
/* What a copy has found, and r does not have, becomes part of r, and is told to the driver. */
void evr_take_over_findings(struct evr_result *r, struct evr_result *heard);
double evr_seconds(void); /* by the clock on the wall */

#endif
