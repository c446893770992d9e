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

/* Several vectors, nearly always empty, so that one piece says it of all of them: EVR_PIECES_RARE(p, EVR_RARE(&a), ...). */
struct evr_rare_vec {
	void *vec; /* all vectors have the same layout */
	size_t size; /* of an element */
};
#define EVR_RARE(v) { (v), sizeof(*(v)->data) }
#define EVR_PIECES_RARE(p, ...) \
	evr_pieces_rare((p), (const struct evr_rare_vec[]){ __VA_ARGS__ }, \
			EVR_COUNT(((const struct evr_rare_vec[]){ __VA_ARGS__ })))

static inline void evr_pieces_rare(struct evr_pieces *p, const struct evr_rare_vec *vecs, size_t n)
{
	typedef EVR_VEC(char) any;
	size_t some = 0;
	for (size_t i = 0; i < n; i++)
		some |= ((any *)vecs[i].vec)->len;
	EVR_PIECE(p, some);
	for (size_t i = 0; i < n; i++) {
		any *v = vecs[i].vec;
		if (!some) {
			v->len = 0;
			continue;
		}
		/* A vector never gets smaller, so there is room for what there was. */
		EVR_PIECE_LEN(p, v);
		evr_piece(p, v->data, v->len * vecs[i].size);
	}
}

#endif
