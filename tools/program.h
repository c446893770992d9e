/*
 * Small concurrent programs: made at random from a seed, printed as C, and made smaller. Shared by randprog, which prints
 * them, and judge, which runs them.
 *
 * A program has up to four roles, each a thread. Role 0 may be main itself; the others are created by main, all in one
 * place and in an order that can be chosen when the program runs, or by another role. A role never unlocks what it does
 * not hold, and locks nothing twice (program_valid()); everything else may go wrong.
 *
 * The same text serves all variants: `./programs K [ORDER [FENCES]]` runs program K with its threads created in the given
 * permutation, and with further fences: see enum fences. So lines and addresses are the same in all of them.
 */
#ifndef EVR_TOOLS_PROGRAM_H
#define EVR_TOOLS_PROGRAM_H

#include "base/strbuf.h"
#include "base/vec.h"

enum { MAX_ROLES = 4, MAX_VARS = 3, MAX_MUTEXES = 2, REGISTERS = 4 };

enum order { PLAIN, RELAXED, ACQUIRE, RELEASE, ACQ_REL, SEQ_CST };

enum fences {
	AS_WRITTEN,
	SC_AFTER_STORES, /* after every store a seq_cst fence, or an access that is one besides, to a variable of its own */
	IN_ORDER_STORES, /* every store is a release or has a release fence before it */
	SC_EVERYWHERE, /* a seq_cst fence after every event */
};

enum stmt_kind {
	S_LOAD,
	S_STORE,
	S_ADD,
	S_EXCHANGE,
	S_CAS,
	S_FENCE,
	S_LOCK,
	S_UNLOCK,
	S_TRYLOCK, /* the body of a trylock runs if it succeeds, then the mutex is unlocked */
	S_IF,
	S_LOOP,
	S_CREATE,
	S_JOIN,
	S_ASSUME,
	S_CHOOSE,
	S_ASSERT,
	STMT_KINDS
};

/* What a program may contain; letters of --features. */
#define FEATURES \
	FEATURE(LOADS, 'r') \
	FEATURE(STORES, 'w') \
	FEATURE(RMWS, 'u') \
	FEATURE(CAS, 'c') \
	FEATURE(FENCES, 'f') \
	FEATURE(LOCKS, 'l') \
	FEATURE(TRYLOCKS, 't') \
	FEATURE(IFS, 'i') \
	FEATURE(LOOPS, 'o') \
	FEATURE(NESTED, 'n') \
	FEATURE(ASSUMES, 'a') FEATURE(CHOICES, 'h') FEATURE(ASSERTS, 'x') FEATURE(SEQ_CST, 's') FEATURE(PLAIN, 'p')

enum feature_bit {
#define FEATURE(name, letter) BIT_##name,
	FEATURES
#undef FEATURE
		FEATURE_BITS
};
enum feature {
#define FEATURE(name, letter) F_##name = 1 << BIT_##name,
	FEATURES
#undef FEATURE
		F_ALL = (1 << FEATURE_BITS) - 1
};

struct block {
	struct stmt *data;
	size_t len, cap;
};

struct stmt {
	enum stmt_kind kind;
	enum order order;
	unsigned place; /* variable, mutex or role */
	unsigned reg; /* gets what was read; or is what a condition asks about */
	int value, expected; /* value: stored, added, compared with; the number of rounds or choices */
	bool from_register; /* store `reg` + value instead of value */
	unsigned barrier; /* what comes after a store, if that is asked for: program.c */
	bool releases; /* how a store is kept in order, if that is asked for: by itself, or by a fence */
	bool negated; /* condition: != instead of == */
	struct block body, other;
};

struct program {
	uint64_t seed;
	unsigned roles, vars, mutexes;
	bool main_runs; /* role 0 is main's own */
	bool dropped[MAX_ROLES]; /* by shrinking */
	bool nested[MAX_ROLES]; /* created by another role, not by main */
	bool epilogue; /* main reads all variables after the joins */
	int initial[MAX_VARS];
	struct block role[MAX_ROLES];
};

/* Parse letters into a feature set; 0 if there is one that is unknown. */
unsigned features_parse(const char *letters);

void program_random(struct program *p, uint64_t seed, unsigned features);
void program_copy(struct program *to, const struct program *from);
void program_release(struct program *p);
bool program_valid(const struct program *p);
/* Which features it has. */
unsigned program_features(const struct program *p);
/* Put a statement before the one that is there. */
void block_insert(struct block *b, size_t at, struct stmt s);
/* Is the role created by main itself? */
bool program_by_main(const struct program *p, unsigned r);
/* How many threads main creates, and how many orders that makes. */
unsigned program_created(const struct program *p);
unsigned program_orders(const struct program *p);
/* The k-th of these roles in the given order. */
unsigned program_in_order(const struct program *p, unsigned order, unsigned k);

/* The whole C file for n programs. What is printed by default is order 0 without further fences. */
void programs_print(struct evr_strbuf *out, const struct program *p, size_t n, unsigned order, enum fences fences);

/* The k-th program that is a bit smaller: false if there are not so many. It may be invalid. */
bool program_smaller(struct program *to, const struct program *from, unsigned k);

#endif
