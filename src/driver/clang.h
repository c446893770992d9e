/* clang as a child process. */
#ifndef EVR_DRIVER_CLANG_H
#define EVR_DRIVER_CLANG_H

#include "driver/process.h"

/* How a command line of clang begins, as a C or a C++ compiler. */
void evr_clang_words(bool cxx, evr_words *argv);
/*
 * Run clang, or a program that clang would run, and wait; releases argv. Standard error goes to the file `errors` if that is not
 * NULL. Adds the time to *seconds, and returns the exit status.
 */
int evr_clang_run(evr_words *argv, const char *errors, double *seconds);
/* evr_process_start() for clang. */
struct evr_process evr_clang_start(const evr_words *argv, int from);

#endif
