/*
 * Other programs: run one and wait; the clock; where Everett's own files are.
 *
 * The child that runs, which signal handlers need, lives in process.c alone.
 */
#ifndef EVR_DRIVER_PROCESS_H
#define EVR_DRIVER_PROCESS_H

#include "report/json.h"

/*
 * From here on the temporary files go away however the process ends, and a signal that ends us ends the running child.
 * A fault of ours ends the process with EVR_INTERNAL. A broken pipe is an error of write(), which is told, and no signal.
 */
void evr_process_init(void);

/*
 * Run argv[0] (looked up in PATH) and wait. Standard error goes to the file `errors` if that is not NULL. Returns the
 * exit status, 128 + n after signal n; dies if the program cannot be started.
 */
int evr_process_run(const evr_words *argv, const char *errors);
/* What a program prints, to be freed, or NULL if it could not be run or failed. Never dies: for what can be done without. */
char *evr_process_answer(const evr_words *argv);
/* evr_process_run() for an interactive program, which handles Ctrl-C itself. */
int evr_process_run_interactive(const evr_words *argv);

/* All of a file, to be freed, or NULL with errno set. */
char *evr_read_file(const char *path);

double evr_now(void);

/* The driver's own file, and the directory of it. */
const char *evr_self(void);
const char *evr_self_directory(void);
/* Where a file that belongs to Everett is: beside the driver, or where it is installed. To be freed; dies if there is none. */
char *evr_companion(const char *name);

#endif
