/* The files that the user wants a run written to: options such as --json and --sarif. */
#ifndef EVR_DRIVER_FORMATS_H
#define EVR_DRIVER_FORMATS_H

#include "driver/options.h"
#include "driver/output.h"

struct evr_outputs {
	struct evr_output *files[EVR_FORMATS]; /* NULL: not asked for */
	bool on_stdout;   /* one of them is standard output */
	size_t count;
	const char *dot; /* the path of --dot: with several models, the graph of each goes to a file beside it */
};

/* Dies if two of the files that are written are one, or one of them is a file that is read. To be called before anything is written. */
void evr_outputs_require_different(const struct evr_options *o);
/* Make sure that all of them can be written, before a search that may take hours; dies if one cannot be. */
struct evr_outputs evr_outputs_open(const struct evr_options *o);
/* Write and close them. `json` is where the run is saved, or NULL. Returns 0, or EVR_USAGE after a message. */
int evr_outputs_write(struct evr_outputs *w, const struct evr_report *r, const char *json);
/* While the search goes on: write the JSON file, if it is one that can be replaced. That it fails is told at the end. */
void evr_outputs_save(const struct evr_outputs *w, const struct evr_report *r);

#endif
