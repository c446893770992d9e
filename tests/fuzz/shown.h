/* All that can be done with a result once it was read: printing it in every form. */
#ifndef EVR_FUZZ_SHOWN_H
#define EVR_FUZZ_SHOWN_H

#include "fuzz.h"

static void show(FILE *out, const struct evr_result *r)
{
	struct evr_text_options o = { .color = true, .width = 100, .replay = "replay" };
	for (size_t i = 0; i < r->findings.len; i++)
		evr_text_finding(out, r, &r->findings.data[i], &o);
	evr_text_cycles(out, r);
	evr_text_cycle_header(out);
	evr_text_cycle_row(out, r);
	evr_text_stats(out, r);
	evr_text_summary(out, r);
	EVR_ASSERT(*evr_result_verdict(r));
	EVR_ASSERT(evr_result_status(r) >= EVR_OK && evr_result_status(r) <= EVR_INTERNAL);
	/* An error is never passed off as a success. */
	EVR_ASSERT(!r->error || evr_result_status(r) == EVR_USAGE || evr_result_status(r) == EVR_INTERNAL);
}

#endif
