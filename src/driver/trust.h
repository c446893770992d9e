/*
 * Which words of a report `everett replay` takes although somebody else may have written it: flags that change what the
 * program means, but can neither run code of the report's choice in the compiler or the linker, nor write files.
 * The sources themselves are compiled and run: that is what replay is.
 */
#ifndef EVR_DRIVER_TRUST_H
#define EVR_DRIVER_TRUST_H

#include "driver/options.h"

/* Take the words for the compiler that are not on the list out of *words, and add them to *left_out. */
void evr_trust_flags(evr_words *words, evr_words *left_out);
/* A source file, by its name: objects and libraries run unseen. */
bool evr_trust_file(const char *file);

/* replay.c: what reports say, for whoever runs their programs again. */

/* Dies if something would be run that the user has not agreed to. */
void evr_report_require_trust(const struct evr_options *o, const struct evr_report *r);
/* The command of the run: check, run, robust or predict. */
enum evr_command evr_report_command(const struct evr_report *r);
/* Its options, files and arguments, which the report then has no more. */
void evr_report_take_options(struct evr_options *run, const struct evr_options *o, struct evr_report *r);

#endif
