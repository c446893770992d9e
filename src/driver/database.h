/*
 * A compilation database: the file compile_commands.json in which CMake, Meson or Bear say how a project compiles each of its
 * sources. What is a mistake in it ends the process with a message and status 2.
 */
#ifndef EVR_DRIVER_DATABASE_H
#define EVR_DRIVER_DATABASE_H

#include "report/json.h"

struct evr_database;

/* `path` is the folder of the database, or the file itself. */
struct evr_database *evr_database_open(const char *path);
void evr_database_free(struct evr_database *d);
/*
 * Add the words with which the project compiles `file`, as far as they decide what it means: neither the compiler nor its
 * outputs, and with paths that hold in our working directory, too. Where there are several entries, the first counts.
 */
void evr_database_words(const struct evr_database *d, const char *file, bool verbose, evr_words *out);

#endif
