/* The program's source, for reports: read when it is needed, kept for good. */
#ifndef EVR_SOURCE_H
#define EVR_SOURCE_H

/* The line without what surrounds it, or NULL: there is no such file now, or no such line. */
const char *evr_source_line(const char *file, unsigned line);
/* All of it, or NULL. */
const char *evr_source_text(const char *file);

#endif
