/* The line that moves while the checker works, and that can be asked for. */
#ifndef EVR_DRIVER_PROGRESS_H
#define EVR_DRIVER_PROGRESS_H

#include "driver/options.h"

struct evr_progress {
	bool on, terminal, shown;
	long workers;    /* below 2: there is nothing to say of them */
	double last;     /* when it was drawn */
	double start;    /* of the search; it may start again, and is moved on by pauses */
	double paused_at; /* 0: it runs */
	uint64_t counted; /* executions of all kinds that were known of then, or later */
	double answer_at; /* somebody has asked, and is told then; 0: nobody has */
	unsigned asked;  /* questions of the checker that were heard */
};

void evr_progress_init(struct evr_progress *p, const struct evr_options *o);
/* Somebody wants to know, whether or not it is on. An estimate takes a moment. */
void evr_progress_ask(struct evr_progress *p);
/* Draw it anew if the last time is long enough ago, and answer. */
void evr_progress_update(struct evr_progress *p, const struct evr_result *r);
/* A search that is paused is told of only if somebody asks. */
void evr_progress_pause(struct evr_progress *p);
void evr_progress_go_on(struct evr_progress *p);
void evr_progress_clear(struct evr_progress *p);

#endif
