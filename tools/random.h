/* What the makers of random programs share. */
#ifndef EVR_TOOLS_RANDOM_H
#define EVR_TOOLS_RANDOM_H

#include "program.h"

/* splitmix64: the whole state is one number, and every seed is as good as any other. */
struct maker {
	uint64_t state;
	unsigned features;
	struct program *p;
	unsigned held;       /* locks, by the role being made: stmt_lock() */
	bool nested_block;
	unsigned last;       /* the register that was written last */
	unsigned last_place; /* and what it was read from */
	unsigned awaits;     /* so far; in `await`: loops */
	bool read;           /* something has been */
	bool predicate;      /* whoever waits for a condition has looked, and whoever signals has changed something */
	bool waiter;         /* the role waits for conditions, others signal */
	unsigned syncs;      /* what the program is about */
	unsigned signaller;  /* a role that does not wait */
	bool scoped;         /* the role has had its local variable */
	bool pointed;        /* its pointer may be not null */
	unsigned topic;      /* flavour `await`: which loops there are most of */
	bool must_end;       /* flavour `await`: some executions come to their end */
	const char *shape;   /* flavour `c11`: what is left of the litmus test that the program varies, or NULL */
	bool ordered;        /* flavour `c11`: which has orders, too */
	unsigned plain;      /* flavour `c11`: which accesses are plain */
	unsigned kind;       /* flavour `c11`: what the program is, without a litmus test */
};

unsigned random_below(struct maker *m, unsigned n);
bool random_percent(struct maker *m, unsigned chance);
/* One load, store or read-modify-write. */
struct stmt random_access(struct maker *m, enum stmt_kind kind);
enum order random_order(struct maker *m, enum stmt_kind kind);
/* n events; fewer if they are of a kind that is not wanted. */
void random_block(struct maker *m, struct block *b, unsigned n);

/* random_sync.c: flavour `sync`. Objects are chosen before the roles are made, barriers put into them afterwards. */
unsigned random_sync_kinds(struct maker *m);
void random_sync_objects(struct maker *m);
void random_sync_role(struct maker *m, unsigned role);
bool random_sync(struct maker *m, struct block *b);
void random_sync_barriers(struct maker *m);
bool random_sync_enough(const struct program *p);
/* random_await.c: flavour `await`. */
bool random_await(struct maker *m, struct block *b);
/* must_end: there are several results. */
bool random_await_enough(const struct program *p, bool must_end);
/* random_section.c: flavour `section`. */
bool random_section(struct maker *m, struct block *b);

/* About how many visible steps the statement makes. */
double random_sync_steps(const struct program *p, const struct stmt *s);

/* random_fault.c: flavour `fault`. */
void random_fault_topics(struct maker *m);
bool random_fault(struct maker *m, struct block *b);
/* What main does after the joins. */
void random_fault_last(struct maker *m);
bool random_fault_enough(const struct program *p);
double random_fault_steps(const struct stmt *s);
/* A condition on a register that was read. */
struct stmt random_condition(struct maker *m, enum stmt_kind kind);
/* random_race.c: flavour `race`. */
void random_race_role(struct maker *m, unsigned role);
bool random_race(struct maker *m, struct block *b);
/* What all roles have in common, and what is to be known of statements; when the roles are made. */
void random_race_end(struct maker *m);
bool random_race_enough(const struct program *p);
/* random_c11.c: flavour `c11`. What the program is about is chosen before the roles are made. */
void random_c11_topic(struct maker *m);
void random_c11_role(struct maker *m, unsigned role);
bool random_c11_enough(const struct program *p);
/* random_c11_loops.c: make loops of some of its accesses, when the roles are made. */
void random_c11_loops(struct maker *m);

#endif
