/* The saving half of a carrier: see rank.h. */
#ifndef EVR_EPOCHS_H
#define EVR_EPOCHS_H

#include "ranks/rank.h"

/* Enter an epoch, unless that has been done. */
void evr_epochs_enter(struct evr_rank *r, unsigned long long epoch);
/* A line of the part that the checker was asked for. True: it was the last one. */
bool evr_epochs_line(struct evr_rank *r, const char *line);
/* This and the ranks below have written their parts: tell, if that is so. */
void evr_epochs_look(struct evr_rank *r);
/* Rank 0: begin another epoch if it is time for it. */
void evr_epochs_tick(struct evr_rank *r, double now);
/* Rank 0: everything has stopped; save that, and then tell the checker. */
void evr_epochs_save_last(struct evr_rank *r);

/* Which epoch a message with branches that leaves now belongs to. */
unsigned long long evr_epochs_of_batch(const struct evr_rank *r);
void evr_epochs_sent(struct evr_rank *r, int to, unsigned long long number, const char *branches);
void evr_epochs_acknowledged(struct evr_rank *r, unsigned long long number);
void evr_epochs_taken(struct evr_rank *r, int from, unsigned long long number);
/* A new generation: what was sent and taken before means nothing, except to the part that is being written. */
void evr_epochs_restart(struct evr_rank *r);

#endif
