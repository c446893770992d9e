/* What must agree between the explorations of one program; docs/judge.md gives the reasons. */
#ifndef EVR_TOOLS_COMPARE_H
#define EVR_TOOLS_COMPARE_H

#include "run.h"

#include <stdatomic.h>

enum verdict { AGREES, THROWN_AWAY, MISMATCH };

struct judgement {
	char *check; /* which comparison failed: "permutation of tso", ...; NULL if none did */
	char *why;   /* what differs, and the commands that show it */
};

/* Several processes may count in the same one. */
struct judge_counts {
	_Atomic uint64_t runs, executions;
	_Atomic uint64_t compared, incomparable; /* inclusions of outcomes */
	_Atomic uint64_t fenced_too_large;       /* with further fences; the program itself was not */
	_Atomic uint64_t interpreted;            /* programs whose meaning was compared */
	_Atomic uint64_t same;                   /* programs that are the same under rc11 and another model */
	_Atomic uint64_t endless;                /* thrown away: loops may go round for ever, and change something */
	_Atomic uint64_t unrolled,
		cut; /* explorations with a bound on loops: in all, and those that need not have all results */
};

struct judge_settings {
	uint64_t limit; /* on executions: a program that needs more is thrown away */
	const char *engines; /* not NULL: only these are compared with brute force, and nothing else: "rf,traces" */
	const char *
		models; /* not NULL: and that under these models only, "tso,pso"; by all engines if `engines` is NULL */
	unsigned
		unroll; /* not 0: of flavour `await`, only the meaning, and brute force with this bound on loops, are compared */
	bool verdicts; /* only whether an engine finds anything is compared */
	bool definition; /* of flavour `c11`: only engine rf against the definition */
	bool classes; /* of flavour `c11`, the number of reads-from classes is compared with the definition, too */
	bool c11_sequences; /* under rc11, release sequences are those of C11 */
	struct judge_counts *counts;
};

/* Judge program number `index` of the checker, which is p. */
enum verdict judge_program(const struct judge_settings *s, const char *checker, size_t index, const struct program *p,
			   struct judgement *j);
void judgement_release(struct judgement *j);

#endif
