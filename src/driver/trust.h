/*
 * Which words of a report `everett replay` takes although somebody else may have written it: flags that change what the
 * program means, but can neither run code of the report's choice in the compiler or the linker, nor write files.
 * The sources themselves are compiled and run: that is what replay is.
 */
#ifndef EVR_DRIVER_TRUST_H
#define EVR_DRIVER_TRUST_H

#include "report/json.h"

/* Take the words for the compiler that are not on the list out of *words, and add them to *left_out. */
void evr_trust_flags(evr_words *words, evr_words *left_out);
/* A source file, by its name: objects and libraries run unseen. */
bool evr_trust_file(const char *file);

#endif
