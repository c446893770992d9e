/* Relations on at most 64 events, as matrices of bits, and what the axioms of memory models are made of. */
#ifndef EVR_TOOLS_RELATION_H
#define EVR_TOOLS_RELATION_H

#include "base/base.h"

enum { RELATION_SIZE = 64 };

/* b is in row[a]: a is related to b. */
struct relation {
	uint64_t row[RELATION_SIZE];
};

static inline uint64_t bit(unsigned e)
{
	return UINT64_C(1) << e;
}

static inline struct relation identity(uint64_t on)
{
	struct relation r = { { 0 } };
	for (unsigned a = 0; a < RELATION_SIZE; a++)
		r.row[a] = on & bit(a);
	return r;
}

static inline struct relation unite(const struct relation *x, const struct relation *y)
{
	struct relation r;
	for (unsigned a = 0; a < RELATION_SIZE; a++)
		r.row[a] = x->row[a] | y->row[a];
	return r;
}

/* x; y */
static inline struct relation compose(const struct relation *x, const struct relation *y)
{
	struct relation r = { { 0 } };
	for (unsigned a = 0; a < RELATION_SIZE; a++)
		for (uint64_t left = x->row[a]; left; left &= left - 1)
			r.row[a] |= y->row[__builtin_ctzll(left)];
	return r;
}

/* x; y? */
static inline struct relation compose_maybe(const struct relation *x, const struct relation *y)
{
	struct relation r = compose(x, y);
	return unite(x, &r);
}

/* [from]; x; [to] */
static inline struct relation restrict_to(const struct relation *x, uint64_t from, uint64_t to)
{
	struct relation r = { { 0 } };
	for (unsigned a = 0; a < RELATION_SIZE; a++)
		if (from & bit(a))
			r.row[a] = x->row[a] & to;
	return r;
}

static inline struct relation inverse(const struct relation *x)
{
	struct relation r = { { 0 } };
	for (unsigned a = 0; a < RELATION_SIZE; a++)
		for (uint64_t left = x->row[a]; left; left &= left - 1)
			r.row[__builtin_ctzll(left)] |= bit(a);
	return r;
}

/* x+ */
static inline struct relation closure(const struct relation *x)
{
	struct relation r = *x;
	for (unsigned k = 0; k < RELATION_SIZE; k++)
		for (unsigned a = 0; a < RELATION_SIZE && r.row[k]; a++)
			if (r.row[a] & bit(k))
				r.row[a] |= r.row[k];
	return r;
}

static inline bool irreflexive(const struct relation *x)
{
	for (unsigned a = 0; a < RELATION_SIZE; a++)
		if (x->row[a] & bit(a))
			return false;
	return true;
}

static inline bool acyclic(const struct relation *x)
{
	struct relation r = closure(x);
	return irreflexive(&r);
}

#endif
