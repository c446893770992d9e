/* The driver of a search that is divided among ranks: everett-mpi starts it on rank 0 and connects the checker that it starts with those of the other ranks (src/ranks). */
#ifndef EVR_DRIVER_RANKS_H
#define EVR_DRIVER_RANKS_H

#include "driver/launch.h"

#define EVR_RANKS_VARIABLE "EVERETT_RANKS" /* the descriptor of the socket to everett-mpi */

/* The socket; -1: there are no other ranks. The variable is gone afterwards, so the program does not see it. */
int evr_ranks_socket(void);
/* --checkpoint names a directory then; the options name the file in it. */
void evr_ranks_prepare(struct evr_options *o);
/* Tell the other ranks which checker to start, and how. */
void evr_ranks_tell_search(const struct evr_launch *l, bool saves);

#endif
