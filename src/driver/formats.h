/* The files that the user wants a run written to: options such as --json and --sarif. */
#ifndef EVR_DRIVER_FORMATS_H
#define EVR_DRIVER_FORMATS_H

#include "driver/options.h"

struct evr_outputs {
	FILE *files[EVR_FORMATS]; /* NULL: not asked for */
	bool on_stdout;           /* one of them is standard output */
	size_t count;
};

/* Open all of them, before a search that may take hours; dies if one cannot be. */
struct evr_outputs evr_outputs_open(const struct evr_options *o);
/* Write and close them. `json` is where the run is saved, or NULL. Returns 0, or EVR_USAGE after a message. */
int evr_outputs_write(const struct evr_outputs *w, const struct evr_options *o, const struct evr_report *r,
		      const char *json);

#endif
