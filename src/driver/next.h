/* What to do about a search that verified nothing, or only part of what there is: in words, with numbers of this run, and as a command. */
#ifndef EVR_DRIVER_NEXT_H
#define EVR_DRIVER_NEXT_H

#include "driver/options.h"

/* Fill in `next` of each result. The searches are over. */
void evr_next_fill(struct evr_report *r, const struct evr_options *o);

#endif
