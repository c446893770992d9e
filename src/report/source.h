/* The program's source, for reports: read when it is needed, kept for good. */
#ifndef EVR_SOURCE_H
#define EVR_SOURCE_H

#include <stddef.h>

/* The line without what surrounds it, or NULL: there is no such file now, or no such line. */
const char *evr_source_line(const char *file, unsigned line);
/*
 * The same, in at most `width` characters: of what does not fit, the expression that is at this column, and "..." for what is left out. To
 * be freed; NULL as above.
 */
char *evr_source_cut(const char *file, unsigned line, unsigned column, size_t width);
/* All of it, or NULL. */
const char *evr_source_text(const char *file);

#endif
