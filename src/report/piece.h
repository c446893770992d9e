/* piece.c: what is shown of an execution, of which the events of one call of the library make one piece. */
#ifndef EVR_PIECE_H
#define EVR_PIECE_H

#include "report/result.h"

/* Events of the finding's causal past; those between them are not of it. */
struct evr_piece {
	size_t first, last;
	size_t count;
};
typedef EVR_VEC(struct evr_piece) evr_piece_vec;

void evr_pieces_of(evr_piece_vec *out, const struct evr_result_finding *f);
/* The first of its events, which has its thread and its place in the source. */
const struct evr_result_event *evr_piece_event(const struct evr_result_finding *f, const struct evr_piece *p);
/* Is the event that decides among them? */
bool evr_piece_decides(const struct evr_result_finding *f, const struct evr_piece *p);
/* "write relaxed x = 1", "cond_wait(c, m)", "cond_wait returns (from T2#4)"; and "#3" or "#3-6". To be freed. */
char *evr_piece_text(const struct evr_result_finding *f, const struct evr_piece *p);
char *evr_piece_number(const struct evr_result_finding *f, const struct evr_piece *p);

#endif
