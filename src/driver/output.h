/*
 * A file that the user wants written. The old contents stay until the new ones are complete: they are written to a file beside it,
 * which then takes its name. Standard output ('-'), devices, pipes, and what /dev/stdout stands for are written directly.
 */
#ifndef EVR_DRIVER_OUTPUT_H
#define EVR_DRIVER_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>

struct evr_output;

/* Make sure that it can be written, before a search that may take hours; dies if it cannot. Its contents are not touched yet. */
struct evr_output *evr_output_open(const char *path);
bool evr_output_is_stdout(const struct evr_output *o);
/* It may be written several times, and whoever reads it finds one of these versions. */
bool evr_output_is_replaceable(const struct evr_output *o);

/* Where to write a new version; NULL with errno set. */
FILE *evr_output_start(struct evr_output *o);
/*
 * Put the new version in place, if everything has arrived. Returns 0, or errno of what failed; `failed` is errno of an
 * earlier failure, or 0. A version that is not complete is dropped.
 */
int evr_output_end(struct evr_output *o, FILE *file, int failed);
/* The same, and a message. Returns a status: 0 or EVR_USAGE. */
int evr_output_finish(struct evr_output *o, FILE *file, int failed);
void evr_output_free(struct evr_output *o);

/* All that was printed must have arrived: returns 0, or EVR_USAGE after a message. */
int evr_stdout_flush(void);

/* Do two paths name the same regular file, or the same file that does not exist yet? */
bool evr_same_file(const char *a, const char *b);

#endif
