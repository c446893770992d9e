/*
 * The meaning of a program under RC11 (Lahav, Vafeiadis, Kang, Hur, Dreyer: Repairing Sequential Consistency in C/C++11, PLDI
 * 2017), by definition: all execution graphs, each with all modification orders, and the axioms on them. Nothing here is shared
 * with src/model or src/explore.
 *
 * What the paper leaves open is assumed to be so:
 * - memory_order_consume is memory_order_acquire, as in all compilers;
 * - a lock is a read-modify-write that reads "free" and writes "taken", its read acquires; an unlock is a release write of
 *   "free"; a trylock that fails is a relaxed read of "taken";
 * - a weak compare-exchange that fails for no reason is a choice, and then a read of the order for failures; if that
 *   does not find what was expected, the thread stops, and the graph is a class without a result;
 * - a loop waits for ever if the last write to its location in mo does not end it: every write is seen some time;
 * - what a thread does happens after its creation, and before whoever joins it goes on;
 * - plain accesses are events as others are. A program with a race is undefined in C; here it has the results that it would
 *   have if plain accesses were weaker than relaxed, and `racy` says so.
 */
#ifndef EVR_TOOLS_DEFINE_C11_H
#define EVR_TOOLS_DEFINE_C11_H

#include "program.h"

/* Parts of the definition, which tests leave out to see that they matter. */
#define C11_CLAUSES \
	CLAUSE(RELEASE) /* sw: from release writes */ \
	CLAUSE(ACQUIRE) /* to acquire reads */ \
	CLAUSE(RELEASE_FENCE) /* from release fences before writes */ \
	CLAUSE(ACQUIRE_FENCE) /* to acquire fences behind reads */ \
	CLAUSE(RS_RMW) /* rs: through read-modify-writes */ \
	CLAUSE(CREATE) /* hb */ \
	CLAUSE(JOIN) \
	CLAUSE(NO_THIN_AIR) /* axioms */ \
	CLAUSE(COHERENCE) \
	CLAUSE(ATOMICITY) \
	CLAUSE(SC) \
	CLAUSE(HB_MO) /* COHERENCE: hb; mo irreflexive, and so on */ \
	CLAUSE(HB_MO_RF) \
	CLAUSE(HB_RB) \
	CLAUSE(HB_RB_RF) \
	CLAUSE(SCB_SB) /* scb */ \
	CLAUSE(SCB_SB_HB_SB) \
	CLAUSE(SCB_HB_LOC) \
	CLAUSE(SCB_MO) \
	CLAUSE(SCB_RB) \
	CLAUSE(FENCE_HB) /* psc: [Fsc]; hb? before scb */ \
	CLAUSE(HB_FENCE) /* hb?; [Fsc] behind it */ \
	CLAUSE(FENCE_HB_ECO_HB) /* [Fsc]; hb; eco; hb; [Fsc] */

enum c11_clause_bit {
#define CLAUSE(name) C11_BIT_##name,
	C11_CLAUSES
#undef CLAUSE
		C11_CLAUSE_COUNT
};
enum c11_clause {
#define CLAUSE(name) C11_##name = 1 << C11_BIT_##name,
	C11_CLAUSES
#undef CLAUSE
};

/* Of a consistent execution that ends: the registers of each role, and of main, as they are in the end. */
enum { C11_MAIN = MAX_ROLES, C11_ACTORS };
struct c11_outcome {
	int reg[C11_ACTORS][REGISTERS + 1]; /* the last one is nobody's */
};

struct c11_options {
	bool c11_sequences; /* release sequences as in C11: they go on with later writes of the same thread. Else as in C++20 */
	enum order locks; /* how strong they are; PLAIN: as assumed above, else both their halves, and failures */
	unsigned without; /* clauses */
	unsigned
		rounds; /* of loops: how many that fail are part of a graph: of no consequence but for races (threads_c11.h) */
	unsigned spurious; /* how many weak compare-exchanges of a thread may fail for no reason */
	bool every_access; /* only creating and joining says that threads do not contend for a location, not happens-before */
	uint64_t
		quiet; /* locations whose accesses psc does not see: sb|!=loc; hb; sb|!=loc neither begins nor ends with one */
	bool promises; /* build graphs in which reads read from later writes, too: of no consequence with NO_THIN_AIR */
	void (*outcome)(void *context,
			const struct c11_outcome *o); /* of each consistent reads-from class; may be NULL */
	void *context;
};

struct c11_meaning {
	bool too_large; /* the rest says nothing */
	bool deadlock;
	bool no_progress; /* a loop may wait for ever, and nobody waits for a mutex */
	bool both; /* the same, and somebody does: that may be a deadlock of its own, or because of the loop */
	bool racy; /* some consistent graph has a data race */
	uint64_t graphs; /* complete, consistent or not */
	uint64_t classes; /* consistent reads-from: those with some modification order that satisfies the axioms */
	uint64_t pairs; /* consistent reads-from with a modification order */
	uint64_t shared; /* locations for which two threads contend, in some consistent graph (c11_is_contended()) */
	uint64_t used; /* locations that are accessed, in a graph with seq_cst */
	EVR_VEC(uint64_t) results; /* what the threads tell: sums of result_part(); sorted, each once */
};

void define_c11(const struct program *p, const struct c11_options *options, struct c11_meaning *out);
/*
 * An implementation may keep what no two threads contend for out of psc, or not. `loud` is the meaning if none is kept out; here is the meaning if all
 * is. True: there is no difference. It is to be released, too.
 */
bool define_c11_quiet(const struct program *p, const struct c11_options *options, const struct c11_meaning *loud,
		      struct c11_meaning *out);
void c11_meaning_release(struct c11_meaning *m);

/*
 * The program as a stronger model sees it, which ignores orders; `to` is to be released. Under SC every access is seq_cst.
 * Under RA, as Everett has it, every access is release or acquire or both, a seq_cst fence is a read-modify-write of a
 * hidden location, and other fences are nothing.
 */
void c11_as_sc(struct program *to, const struct program *from);
void c11_as_ra(struct program *to, const struct program *from);

#endif
