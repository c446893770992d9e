/* The line that moves while the checker works. */
#ifndef EVR_DRIVER_PROGRESS_H
#define EVR_DRIVER_PROGRESS_H

#include "driver/options.h"

struct evr_progress {
	bool on, terminal, shown;
	double start, last;
};

void evr_progress_init(struct evr_progress *p, const struct evr_options *o);
/* Draw it anew if the last time is long enough ago. */
void evr_progress_update(struct evr_progress *p, const struct evr_result *r);
void evr_progress_clear(struct evr_progress *p);

#endif
