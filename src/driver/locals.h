/*
 * The program's calls, with arguments and results, and the local variables of every thread at each event of a finding: gdb runs the
 * execution once more, and everett-gdb.py writes down what it sees.
 */
#ifndef EVR_DRIVER_LOCALS_H
#define EVR_DRIVER_LOCALS_H

#include "driver/options.h"
#include "report/result.h"

/* Where there is no gdb, or it may not look at a process, findings stay as they are. Of long executions nothing is said, either. */
void evr_locals_find(struct evr_report *r, const struct evr_options *o, const char *checker);

#endif
