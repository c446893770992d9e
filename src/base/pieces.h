/*
 * State that is put aside and put back: one function lists the pieces of it, in a fixed order, and serves both ways.
 *
 *         void evr_clock_pieces(struct clock *c, struct evr_pieces *p)
 *         {
 *                 EVR_PIECE(p, c->hour);
 *                 EVR_PIECE_VEC(p, &c->alarms);
 *         }
 *
 * Invariant: putting back asks for the same pieces, of the same sizes, as putting aside did; what decides which there are comes first. Each piece
 * is aligned as a word is.
 */
#ifndef EVR_PIECES_H
#define EVR_PIECES_H

#include "base/vec.h"

#include <string.h>

struct evr_pieces {
	char *data;
	size_t at; /* where the next piece is, or comes to be */
	size_t room;
	bool back;
};

/* Where the next piece is, or comes to be, which is as good as one until the next is asked for. For many small ones that lie in various places. */
static inline void *evr_piece_place(struct evr_pieces *p, size_t size)
{
	size_t place = p->at;
	p->at = place + ((size + 7) & ~(size_t)7);
	if (EVR_UNLIKELY(p->at > p->room))
		p->data = evr_vec_grown(p->data, &p->room, p->at, 1);
	return p->data + place;
}

static inline void evr_piece(struct evr_pieces *p, void *piece, size_t size)
{
	if (!size)
		return;
	void *place = evr_piece_place(p, size);
	if (p->back)
		memcpy(piece, place, size);
	else
		memcpy(place, piece, size);
}

/*
 * For whoever has asked for the place of several pieces at once, each of a whole number of words: the next one lies behind it. The second is for a few words, which no call is
 * made for: the assembler statement keeps the compiler from making one.
 */
static inline char *evr_piece_at(char *place, void *piece, size_t size, bool back)
{
	memcpy(back ? piece : place, back ? place : piece, size);
	return place + size;
}

static inline char *evr_piece_words(char *place, void *piece, size_t size, bool back)
{
	char *to = back ? piece : place, *from = back ? place : piece;
	for (size_t i = 0; i < size; i += 8) {
		uint64_t word;
		memcpy(&word, from + i, 8);
		__asm__("" : "+r"(word));
		memcpy(to + i, &word, 8);
	}
	return place + size;
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

/*
 * Several vectors, nearly always empty, so that one piece says it of all of them: EVR_PIECES_RARE(p, a.len | b.len, EVR_RARE(&a), EVR_RARE(&b)).
 * `any` is 0 if all of them are empty, as they are now.
 */
struct evr_rare_vec {
	void *vec; /* all vectors have the same layout */
	size_t size; /* of an element */
};
#define EVR_RARE(v) { (v), sizeof(*(v)->data) }
#define EVR_PIECES_RARE(p, any, ...) \
	do { \
		size_t evr_now = (any), evr_then = evr_now; \
		EVR_PIECE(p, evr_then); \
		if (EVR_UNLIKELY(evr_now | evr_then)) \
			EVR_PIECES_OF(p, evr_then, __VA_ARGS__); \
	} while (0)
/* The vectors, if somebody has put aside already whether any was not empty, and one of them was or is not. */
#define EVR_PIECES_OF(p, any, ...) \
	evr_pieces_rare((p), (any), (const struct evr_rare_vec[]){ __VA_ARGS__ }, \
			EVR_COUNT(((const struct evr_rare_vec[]){ __VA_ARGS__ })))

static inline void evr_pieces_rare(struct evr_pieces *p, size_t any, const struct evr_rare_vec *vecs, size_t n)
{
	typedef EVR_VEC(char) untyped;
	for (size_t i = 0; i < n; i++) {
		untyped *v = vecs[i].vec;
		if (!any) {
			v->len = 0;
			continue;
		}
		/* A vector never gets smaller, so there is room for what there was. */
		EVR_PIECE_LEN(p, v);
		evr_piece(p, v->data, v->len * vecs[i].size);
	}
}

#endif
