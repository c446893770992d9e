/*
 * Temporary files: a directory of our own for files that must not outlive us.
 *
 * The state lives in temp.c alone: the list of files is what signal handlers need. After SIGKILL nobody can remove anything;
 * the directory holds a file that its owner has locked, and the next run removes directories whose owners are gone.
 */
#ifndef EVR_DRIVER_TEMP_H
#define EVR_DRIVER_TEMP_H

#include "report/json.h"

/* A path in the directory, which the first call creates; dies if it cannot be. The file is registered for removal. */
char *evr_temp_file(const char *name);
/* Another file that is to be removed at the end, if it is there. */
void evr_temp_add(const char *path);
/* The directory, or NULL while there is none. */
const char *evr_temp_directory(void);

void evr_temp_remove(void);
/* The same for signal handlers, which may call it at any moment. */
void evr_temp_remove_now(void);

#endif
