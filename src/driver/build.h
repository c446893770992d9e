/* The checker of `everett check`: sources in, executable out. */
#ifndef EVR_DRIVER_BUILD_H
#define EVR_DRIVER_BUILD_H

#include "driver/options.h"

/* Builds o->files with o->compile and returns the path of the checker, to be freed, or NULL after a message. */
char *evr_build(const struct evr_options *o, double *seconds);

#endif
