/*
 * The processes and files of one rank: the checker, which is started when a search begins, or on rank 0 the driver, which starts it; the socket to it; and the parts of a checkpoint.
 */
#ifndef EVR_CARRIER_H
#define EVR_CARRIER_H

#include "ranks/rank.h"

#include <sys/types.h>

struct evr_carrier {
	int rank, ranks;
	const char *host;
	/* A message to the carrier of another rank; the text will be freed. */
	void (*send)(int to, int session, char *text);
	struct evr_rank protocol; /* of this session */
	int session; /* 0: none yet */
	bool active; /* the session is not over */
	pid_t pid; /* of the checker, on rank 0 of the driver; 0: there is none */
	int fd; /* to it; -1: not yet */
	struct evr_strbuf in, out;
	char *search; /* what the driver has said about it */
	char *directory; /* of the checkpoint, or NULL */
	char *model;
	EVR_VEC(char *) over; /* rank 0: models of whose searches nothing is left */
	double now;
};

double evr_carrier_now(void);
/* Rank 0: start the driver. */
void evr_carrier_start_driver(struct evr_carrier *c, char **argv);
/* A search begins. Rank 0: `line` came from the driver, and the bytes of the checker are read; else both came from the rank above. */
void evr_carrier_begin(struct evr_carrier *c, const char *line);
/* Others: start the checker, from its bytes. */
void evr_carrier_start_checker(struct evr_carrier *c, const char *bytes, size_t n);
/* Send and receive what can be, waiting for so long at most. True: something was done. */
bool evr_carrier_poll(struct evr_carrier *c, double seconds);
/* Has the process ended? Its status as exit() and shells have it. */
bool evr_carrier_ended(struct evr_carrier *c, int *status);
void evr_carrier_end_session(struct evr_carrier *c);
/* Rank 0: the checkpoint says without parts that nothing is left of the searches that are over. */
void evr_carrier_remove_parts(struct evr_carrier *c);
/* A search has come from the driver: what and from where the others are to start. */
extern void evr_carrier_searches(struct evr_carrier *c, const char *line);

#endif
