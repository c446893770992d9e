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

enum { MAX_ROLES = 4, MAX_VARS = 4, MAX_MUTEXES = 2, REGISTERS = 4, SEMAPHORES = 2, CONDITIONS = 2 };

/* What a program has besides; --flavour. */
#define FLAVOURS \
	FLAVOUR(ORDINARY, "ordinary") \
	FLAVOUR(MIXED, "mixed") /* variables that overlap: accesses of different sizes */ \
	FLAVOUR(FREE, "free") /* blocks on the heap, and threads that free them */ \
	FLAVOUR(AWAIT, "await") /* loops that wait for a value, or retry until they succeed */ \
	FLAVOUR(SYNC, "sync") /* semaphores, condition variables, and whatever else threads wait for */ \
	FLAVOUR(FAULT, "fault") /* threads that fault in many ways, several in one execution */ \
	FLAVOUR(SECTION, "section") /* atomic sections */ \
	FLAVOUR(RACE, "race") /* the same variables accessed with all orders and plainly; data races are findings */ \
	FLAVOUR(C11, "c11") /* atomic accesses and fences of every order that C has */

enum flavour {
#define FLAVOUR(name, word) name,
	FLAVOURS
#undef FLAVOUR
		FLAVOUR_COUNT
};

extern const char *const flavour_names[FLAVOUR_COUNT];
/* FLAVOUR_COUNT if there is none of that name. */
enum flavour flavour_parse(const char *name);

/* A variable. Where others overlap it, it consists of cells, the largest pieces that none of them divides. */
struct place {
	const char *name, *type; /* in C */
	unsigned at, cell, cells; /* in bytes: where it begins, how large a cell is; and how many they are */
	unsigned block; /* on the heap it is in this one, from 1; 0: it is static */
};

/* The variables that a program can have. */
struct layout {
	enum flavour flavour;
	unsigned places, blocks;
	struct place place[MAX_VARS];
};

extern const struct layout layouts[];
extern const unsigned layout_count;

/* A value for a place: a digit to the base four for each of its cells, which is 0, 1, 2 or the largest that there is. */
unsigned long long place_value(const struct place *at, int digits);

enum order { PLAIN, RELAXED, ACQUIRE, RELEASE, ACQ_REL, SEQ_CST, CONSUME };

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
	S_FREE,
	/* Flavour `await`. */
	S_AWAIT, /* a loop that does nothing but read until it finds a value */
	S_RETRY, /* the body again and again until the condition on `reg` holds */
	S_SPIN_ON_TRYLOCK, /* a trylock again and again until it succeeds */
	S_UPDATE, /* compare-exchange of `reg`, as it was read, and `reg` + value; `index` gets whether it succeeded */
	S_SET, /* `reg` becomes `value` */
	/* Flavour `sync`. What may fail tells so in a register, and has a body that runs if it does not. */
	S_SEM_WAIT,
	S_SEM_POST,
	S_SEM_TRYWAIT,
	S_SEM_GETVALUE,
	S_RDLOCK,
	S_WRLOCK,
	S_TRYRDLOCK, /* behind the body of this one and the next, it is unlocked, and so is a spinlock */
	S_TRYWRLOCK,
	S_RWUNLOCK,
	S_SPIN_LOCK,
	S_SPIN_TRYLOCK,
	S_SPIN_UNLOCK,
	S_COND_WAIT, /* for condition `place`, with mutex `place2` */
	S_COND_TIMEDWAIT,
	S_COND_SIGNAL,
	S_COND_BROADCAST,
	S_BARRIER, /* from_register: into `reg` goes whether this is the serial thread */
	S_ONCE,
	/* Flavour `fault`. */
	S_NULL, /* a store through a null pointer */
	S_ABORT,
	S_DIVIDE, /* by `reg` - `value` */
	S_WRONG_UNLOCK, /* of a mutex that the role does not hold */
	S_SCOPE, /* a call of a function with the role's local variable; the body is the function's */
	S_PUBLISH, /* its address goes into the shared pointer */
	S_POINTER_LOAD, /* of the shared pointer, into the role's own */
	S_POINTER_CLEAR, /* the shared pointer becomes null */
	/* Flavour `section`: its body is done in one step. */
	S_SECTION,
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

/* Kinds of objects. */
enum sync {
	SYNC_SEMAPHORE = 1,
	SYNC_RWLOCK = 2,
	SYNC_COND = 4,
	SYNC_BARRIER = 8,
	SYNC_ONCE = 16,
	SYNC_SPIN = 32,
	SYNC_KINDS = 6,
};

#define UNWRITTEN (-1)

/* How an access names its memory. */
enum by {
	BY_NAME,
	BY_INDEX, /* flavour `fault`: element `index` & 3 of an array of two; `place` is its block, 0: the static one */
	BY_POINTER, /* the role's pointer, if it is not null */
};

/* Flavour `await`: how a retry loop is written, and what it does between two rounds. */
enum retry_form { RETRY_DO, RETRY_BREAK, RETRY_CALL, RETRY_POINTER, RETRY_FORMS };
enum retry_pause { PAUSE_NONE, PAUSE_YIELD, PAUSE_CPU, PAUSE_SLEEP, PAUSE_BACK_OFF, PAUSES };

struct block {
	struct stmt *data;
	size_t len, cap;
};

struct stmt {
	enum stmt_kind kind;
	enum order order;
	unsigned place; /* variable, mutex, role or block */
	unsigned place2; /* an await may be content with a value of this one, `expected` */
	unsigned reg; /* gets what was read; or is what a condition asks about */
	int value,
		expected; /* value: stored, added, compared with; the number of rounds or choices. expected: of a retry loop,
			      * the largest number of rounds, which `index` counts; 0: there is none */
	bool from_register; /* store `reg` + value instead of value */
	bool either; /* await: place or place2 */
	unsigned barrier; /* what comes after a store, if that is asked for: program.c */
	bool releases; /* how a store is kept in order, if that is asked for: by itself, or by a fence */
	bool negated; /* condition: != instead of == */
	/* Flavour `await`. */
	enum retry_form form;
	enum retry_pause pause;
	/* Flavour `fault`; the second also `await`. */
	enum by by;
	unsigned index; /* a register */
	/* Flavours `await`, `fault` and `race`. */
	unsigned
		line; /* in the printed text, from 1; in `race`, what is no statement of a role has lines from MAIN_LINES on */
	/* Flavours `race` and `c11`. */
	enum order failure; /* of a compare-exchange; PLAIN: relaxed */
	bool weak; /* a compare-exchange that may fail for no reason */
	bool is_volatile; /* a plain access */
	struct block body, other;
};

struct program {
	uint64_t seed;
	enum flavour flavour;
	const struct layout *layout;
	unsigned roles, vars, mutexes;
	bool main_runs; /* role 0 is main's own */
	bool dropped[MAX_ROLES]; /* by shrinking */
	bool nested[MAX_ROLES]; /* created by another role, not by main */
	bool epilogue; /* main reads all variables after the joins */
	bool frees; /* main frees all blocks in the end */
	int initial[MAX_VARS]; /* UNWRITTEN: main does not write it, on the heap */
	struct block role[MAX_ROLES];
	/* Flavour `sync`. */
	unsigned syncs; /* what threads wait for here: bits of enum sync */
	unsigned semaphore[SEMAPHORES]; /* their values at first */
	unsigned barrier; /* how many threads it waits for */
	struct block once; /* what is done once; a function, with registers of its own */
	/* Flavour `fault`. */
	unsigned faults; /* what its statements are about: bits of enum fault_topic */
	bool flushes; /* before memory is freed, the thread's stores reach memory */
	struct block last; /* what main does after the joins */
};

/* Parse letters into a feature set; 0 if there is one that is unknown. */
unsigned features_parse(const char *letters);

/* Flavours `await` and `fault`: give every statement its line. What main does at the end has lines of its own. */
enum { FIRST_LINE = 100, EPILOGUE_LINE = 800, FREES_LINE = 900 };
void program_number(struct program *p);

void program_random(struct program *p, uint64_t seed, unsigned features, enum flavour flavour);
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

/* Of a lock: which bit stands for it in a set of what a role holds; 0 if the statement is about none. */
unsigned stmt_lock(const struct stmt *s);
/* Has it a body that runs if it succeeds, and then unlocks? */
bool stmt_tries(const struct stmt *s);

/* Is the program interpreted, too (interpret.h, interpret_await.h)? Then its threads tell in the end what they know. */
bool program_tells(const struct program *p);
/* Flavours that tell: what the role tells in the end, as a part of all that is told; MAIN_ROLE tells last. */
enum { MAIN_ROLE = 9 };
/* Flavour `race`: lines of main's last reads, and of what it frees. */
enum { MAIN_LINES = 900, MAIN_FREES = 950 };
uint64_t result_part(unsigned role, uint64_t told);

/* The whole C file for n programs. What is printed by default is order 0 without further fences. */
void programs_print(struct evr_strbuf *out, const struct program *p, size_t n, unsigned order, enum fences fences);

/* The k-th program that is a bit smaller: false if there are not so many. It may be invalid. */
bool program_smaller(struct program *to, const struct program *from, unsigned k);

#endif
