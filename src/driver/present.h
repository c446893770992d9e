/* What the user gets to see of a report. */
#ifndef EVR_DRIVER_PRESENT_H
#define EVR_DRIVER_PRESENT_H

#include "driver/options.h"

/* Colours and width for what is printed on `out`. */
/* What was asked for, without any result. */
void evr_report_fill(struct evr_report *r, const struct evr_options *o);

struct evr_text_options evr_text_options_for(FILE *out, int color);

/* Every finding once, and a table if there were several models. `json` is where the report was saved, or NULL. */
void evr_present(FILE *out, const struct evr_report *r, const char *json, int color);
/* Remarks on the verdicts, each once, but those that were shown when they came. */
void evr_present_notes(const struct evr_report *r);
/* The lines that end a run. */
void evr_present_summaries(FILE *out, const struct evr_report *r);

#endif
