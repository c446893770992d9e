/* Fields of a line, separated by tabs; tabs, newlines and backslashes in a field are written as \t, \n and \\. */
#ifndef EVR_RANKS_TEXT_H
#define EVR_RANKS_TEXT_H

#include "base/vec.h"

typedef EVR_VEC(char *) evr_fields;

/* The fields of the line, each to be freed. */
void evr_fields_take(evr_fields *f, const char *line);
void evr_fields_release(evr_fields *f);

#endif
