/* Programs of flavour `c11`: what must be compared with the definition, and with which other models. docs/judge.md gives the reasons. */
#ifndef EVR_TOOLS_COMPARE_C11_H
#define EVR_TOOLS_COMPARE_C11_H

#include "define_c11.h"
#include "run.h"

/* What is asked of a program, at a glance. */
struct c11_kinds {
	bool only_sc; /* every atomic access is seq_cst, and all fences are: under RC11 it is a program under SC */
	bool only_ra; /* loads acquire, stores release, read-modify-writes do both, there are no fences: it is one under RA */
	bool plain, loops;
	bool counted; /* all loops leave out rounds that fail, so that the number of classes is known */
	bool weak_loop; /* a loop retries a weak compare-exchange */
	unsigned weak; /* locations with a weak compare-exchange */
};
struct c11_kinds c11_kinds_of(const struct program *p);

/* What differs between a run and its definition, to be freed; NULL: nothing. classes: reads-from classes are counted, too. */
char *c11_differing(const struct run *r, const struct c11_meaning *m, const struct program *p, bool classes);
/*
 * The same for an implementation that keeps some of what no two threads contend for out of psc: it may have results that the definition does not have, but
 * none that the definition would not have without all of it.
 */
char *c11_differing_between(const struct run *r, const struct c11_meaning *loud, const struct c11_meaning *quiet,
			    const struct program *p, bool classes);
/* A result of a stronger model that the definition does not have; NULL: there is none. */
char *c11_surplus(const struct run *r, const struct c11_meaning *m);

#endif
