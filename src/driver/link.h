/* The last step of a compiler: the objects, and a runtime, become a checker. */
#ifndef EVR_DRIVER_LINK_H
#define EVR_DRIVER_LINK_H

#include "driver/compile.h"

/* Where the object of a source goes if it is only to be linked; to be freed. */
char *evr_link_object(size_t source);

/* Begin before the sources are compiled, and end when they are, or cancel. */
struct evr_link *evr_link_begin(const struct evr_cc *cc);
/* Returns the exit status; *text, to be freed, is what the linker said. */
int evr_link_end(struct evr_link *link, struct evr_times *t, char **text);
void evr_link_cancel(struct evr_link *link);

#endif
