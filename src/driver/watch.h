/* --watch: check again whenever a source, or a header that it includes, has changed. */
#ifndef EVR_DRIVER_WATCH_H
#define EVR_DRIVER_WATCH_H

#include "driver/options.h"

/* Runs the command over and over, until a signal ends it. Returns the last exit status. */
int evr_watch(struct evr_options *o, int (*run)(struct evr_options *o));

#endif
