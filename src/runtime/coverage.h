/*
 * Which lines, branches and functions of the program were executed.
 *
 * The code of the objects sets a byte for each stretch of it that is executed (instrument/coverage.c). The bytes are no memory of the program and are
 * never taken back within a search: they are true of all executions of it, wherever these began. Processes that explore parts of a search have
 * bytes of their own, and commit them to memory that all of them share, together with what they have counted.
 */
#ifndef EVR_COVERAGE_H
#define EVR_COVERAGE_H

#include "runtime/abi.h"

/* Take the tables of the objects, before there are other processes. */
void evr_coverage_init(const struct evr_object *objects);
/* The search begins, or begins again: what was executed so far does not count. */
void evr_coverage_clear(void);
/* What this process has executed counts. */
void evr_coverage_commit(void);
/* The same as text, and that of a process on another machine. */
char *evr_coverage_text(void);
void evr_coverage_add(const char *text);
/* To the driver: what was executed by all executions that were committed. */
void evr_coverage_tell(int fd);

#endif
