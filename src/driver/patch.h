/* `everett orders --diff`: the orders that are needed, as a patch of the sources. */
#ifndef EVR_DRIVER_PATCH_H
#define EVR_DRIVER_PATCH_H

#include "driver/options.h"

/*
 * Write the patch, if it is asked for; of several models the stronger order counts. What cannot be rewritten, since no order stands there to be replaced, becomes a note of the first result.
 * Returns the status of writing.
 */
int evr_patch_write(const struct evr_options *o, const struct evr_report *r);

#endif
