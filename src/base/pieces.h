/*
 * State that is put aside and put back: one function lists the pieces of it, in a fixed order, and serves both ways.
 *
 *         void evr_clock_pieces(struct clock *c, struct evr_pieces *p)
 *         {
 *                 EVR_PIECE(p, c->hour);
 *                 EVR_PIECE_VEC(p, &c->alarms);
 *         }
 *
 * Invariant: putting back asks for the same pieces, of the same sizes, as putting aside did; what decides which there are comes first.
 */
#ifndef EVR_PIECES_H
#define EVR_PIECES_H

#include "base/vec.h"

#include <string.h>

struct evr_pieces {
	EVR_VEC(char) bytes;
	size_t at; /* where the next piece is, when they are put back */
	bool back;
};

static inline void evr_piece(struct evr_pieces *p, void *piece, size_t size)
{
	if (!size)
		return;
	if (p->back) {
		memcpy(piece, p->bytes.data + p->at, size);
		p->at += size;
		return;
	}
	evr_vec_reserve(&p->bytes, p->bytes.len + size);
	memcpy(p->bytes.data + p->bytes.len, piece, size);
	p->bytes.len += size;
}

#define EVR_PIECE(p, variable) evr_piece((p), &(variable), sizeof(variable))
/* The members of an object from this one on. */
#define EVR_PIECE_FROM(p, object, member) \
	evr_piece((p), (char *)(object) + offsetof(__typeof__(*(object)), member), \
		  sizeof(*(object)) - offsetof(__typeof__(*(object)), member))
/* A vector whose elements stay what they are while others are added and removed behind them. */
#define EVR_PIECE_LEN(p, v) EVR_PIECE(p, (v)->len)
#define EVR_PIECE_VEC(p, v) \
	do { \
		EVR_PIECE_LEN(p, v); \
		evr_vec_reserve((v), (v)->len); \
		evr_piece((p), (v)->data, (v)->len * sizeof(*(v)->data)); \
	} while (0)

#endif
