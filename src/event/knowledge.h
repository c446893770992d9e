/*
 * What the search has learned about the program: which bytes threads share, which objects one thread ends while others use
 * them, where accesses are cut, what atomic sections use, which locks are tried, who waits.
 *
 * Invariant: knowledge only grows, and decides which accesses are events and what they are to. So an execution in which
 * something was learned began without knowing it, and fits to no other one: nobody looks at how it ended, and the search
 * starts again. That is all that `version` is for: whoever learns something calls evr_learn(), and whoever has to know
 * whether anything was learned since then compares versions (world.known).
 *
 * Indexes of it, such as the bits of shadow cells, are kept by those who need them.
 */
#ifndef EVR_KNOWLEDGE_H
#define EVR_KNOWLEDGE_H

#include "base/map.h"
#include "base/strbuf.h"
#include "base/vec.h"
#include "event/event.h"

struct evr_range {
	uintptr_t address;
	size_t size;
};

/* A byte of the program's memory, or the struct evr_site of a place where atomic sections begin. */
struct evr_section_member {
	uintptr_t what;
	bool is_byte;
	uint32_t parent; /* its own index: the root of a group */
	uintptr_t lowest; /* of a root: the lowest byte of its group, 0 if there is none */
};

/* A lock that somebody tries to take without waiting. */
struct evr_tried {
	uintptr_t lock;
	bool matters; /* a loop takes it and releases it again */
};

struct evr_knowledge {
	uint64_t version; /* grows whenever something is learned */
	EVR_VEC(struct evr_range) shared; /* disjoint */
	EVR_VEC(struct evr_range) contended; /* objects */
	/*
	 * Under a model that orders whole locations, not bytes: where an access begins or ends within another one. Plain accesses are
	 * made in pieces that do not cross these. In no order; none is there twice.
	 */
	EVR_VEC(uintptr_t) cuts;
	/* Under the others: accesses that overlap some of another size. None is there twice. */
	EVR_VEC(struct evr_range) mixed;
	/* All bytes that sections which begin at a place ever used are in the place's group. Roots are the oldest of their groups. */
	EVR_VEC(struct evr_section_member) members;
	struct evr_map member_of; /* what -> index in members */
	EVR_VEC(struct evr_tried) tried; /* their places in it stay the same */
	bool tries_matter; /* one of them does */
	EVR_VEC(uintptr_t)
	awaits; /* the struct evr_site of accesses that ended such an iteration; none is there twice */
	bool untold; /* something is in a table of the runtime that the text does not have */
	bool waits; /* threads go round loops for nothing: what they have seen is kept (world.history) */
	bool writes_matter; /* in such loops they write what they wrote before: who writes what is kept (runtime/threads/retry.c) */
};

/* Something was learned that has no place here: it is in the tables of an engine, or of the runtime. */
static inline void evr_learn(struct evr_knowledge *k)
{
	k->version++;
}

/* None of the bytes must be known to be shared. */
void evr_learn_shared(struct evr_knowledge *k, uintptr_t address, size_t size);
void evr_learn_contended(struct evr_knowledge *k, uintptr_t object, size_t size);
void evr_learn_cut(struct evr_knowledge *k, uintptr_t address); /* if it is not known */
void evr_learn_mixed(struct evr_knowledge *k, uintptr_t address, size_t size); /* if it is not known */
void evr_learn_tried(struct evr_knowledge *k, uintptr_t lock, bool matters);
void evr_learn_await(struct evr_knowledge *k, uintptr_t site); /* if it is not known */
bool evr_is_await(const struct evr_knowledge *k, uintptr_t site);
/* The index of the lock; SIZE_MAX if nobody tries to take it. */
size_t evr_find_tried(const struct evr_knowledge *k, uintptr_t lock);

#define EVR_NO_GROUP UINT32_MAX
/* The root of the group that it is in. */
uint32_t evr_find_group(struct evr_knowledge *k, uintptr_t what);
/* The root of its group, which it may be the first of. */
uint32_t evr_learn_member(struct evr_knowledge *k, uintptr_t what, bool is_byte);
/* Make one group of two, given by their roots. */
void evr_learn_same_group(struct evr_knowledge *k, uint32_t a, uint32_t b);

void evr_knowledge_release(struct evr_knowledge *k);

/*
 * As text, for another process, in which the program's memory may lie elsewhere: items with commas between them. What is not
 * in it that process has to learn again.
 *
 *   e4040:4         shared bytes: an address and how many, in hexadecimal digits
 *   e4042:0         a cut
 *   c1000020:8      a contended object, in the arena
 *   s2.e4040:1      a byte that sections use, with the number of its group; b: a place where they begin
 *   te4080:1        a lock that is tried, and it matters; 0: it does not
 *   oe4040:4        an access that overlaps others of another size
 *   ye4100:1        an access that ends an iteration for nothing
 *   w, v            threads wait; writes matter
 */
struct evr_addresses {
	void (*write)(struct evr_strbuf *out, uintptr_t address);
	bool (*read)(const char **p, uintptr_t *address); /* *p is then behind it; false: it is none */
	struct evr_range arena; /* where objects are that come and go */
};
/* `all`: also what a replay does not need. */
void evr_knowledge_write(const struct evr_knowledge *k, const struct evr_addresses *a, bool all,
			 struct evr_strbuf *out);
/* Adds to *k what the text says, up to the first character that does not belong to it; nothing of it may be known. */
bool evr_knowledge_read(struct evr_knowledge *k, const struct evr_addresses *a, const char **p);
/* Step over the character, if it is there. */
bool evr_read_char(const char **p, char c);
/* Digits and nothing else: strtoull() would also take blanks, signs and 0x. */
bool evr_read_number(const char **p, unsigned base, unsigned long long *value);

#endif
