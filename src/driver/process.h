/*
 * Other programs: run one and wait; the clock; where Everett's own files are.
 *
 * The child that runs, which signal handlers need, lives in process.c alone.
 */
#ifndef EVR_DRIVER_PROCESS_H
#define EVR_DRIVER_PROCESS_H

#include "report/json.h"

#include <sys/types.h>

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
/*
 * Another program, which runs meanwhile. What it prints on the descriptor `from` is read at the end, and all else that it prints is
 * lost; so it should be short, or not be left alone for long. Never dies: for what can be done without.
 */
struct evr_process {
	pid_t pid; /* 0: none, -1: it could not be started */
	int out;
};
struct evr_process evr_process_start(const evr_words *argv, int from);
/* Wait for it. What it has printed, to be freed, or NULL if it could not be run or failed. Afterwards there is none. */
char *evr_process_finish(struct evr_process *p);
/* What a program prints, to be freed, or NULL if it could not be run or failed. Never dies: for what can be done without. */
char *evr_process_answer(const evr_words *argv);
/* evr_process_run() for an interactive program, which handles Ctrl-C itself. */
int evr_process_run_interactive(const evr_words *argv);

/* All of a file, to be freed, or NULL with errno set. */
char *evr_read_file(const char *path);

/* What a step that failed has left, unless it is no file (-o /dev/null). */
void evr_remove_output(const char *path);

double evr_now(void);

/* The driver's own file, and the directory of it. */
const char *evr_self(void);
const char *evr_self_directory(void);
/* Where a file that belongs to Everett is: beside the driver, or where it is installed. To be freed; dies if there is none. */
char *evr_companion(const char *name);

#endif
