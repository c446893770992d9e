/*
 * The checkpoint of a search by several ranks is a directory:
 *
 *   search.json          a checkpoint: options, findings, and what is left of searches that no rank is exploring
 *   MODEL.parts          which epoch of the model's search is complete: its number, and how many ranks there were
 *   MODEL-EPOCH-RANK.part   what is left on a rank
 *
 * A result in search.json whose only branch is EVR_REST_ELSEWHERE is left in the parts (src/ranks/rank.h tells how they belong together).
 */
#ifndef EVR_DRIVER_PARTS_H
#define EVR_DRIVER_PARTS_H

#include "report/result.h"

/* The file of the checkpoint, in a directory that is made if it is not there. To be freed. */
char *evr_parts_prepare(const char *directory);
/* That of a checkpoint which may be a directory. To be freed. */
char *evr_parts_file(const char *path);
/* The directory that a file is in. To be freed. */
char *evr_parts_directory(const char *file);
/* If what is left of the search is in parts, read them. Dies if one is missing or damaged. */
void evr_parts_read(const char *file, struct evr_result *r);

#endif
