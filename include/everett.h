/*
 * What a program may say to Everett. Compiled by an ordinary compiler, nothing here has an effect. With -DEVERETT_VERIFIER it is for
 * another checker, one that knows __VERIFIER_assume as SV-COMP has it.
 */
#ifndef EVERETT_H
#define EVERETT_H

#ifdef __cplusplus
extern "C" {
#endif

#ifdef __EVERETT__

/* Only executions in which the condition holds are of interest: the thread goes no further if it does not. */
void everett_assume(int condition);
/* Some number from 0 to n-1. Every one of them is explored. */
unsigned everett_choose(unsigned n);
/* From here on no loop of this thread, or of one that it creates, runs more than n times; executions that would are cut and counted as truncated. */
void everett_loop_bound(unsigned n);
/* An atomic section: no other thread does anything between the two. Sections may lie within each other. */
void everett_atomic_begin(void);
void everett_atomic_end(void);

#elif defined(EVERETT_VERIFIER)

void __VERIFIER_assume(int condition);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

static inline void everett_assume(int condition)
{
	__VERIFIER_assume(condition);
}

static inline void everett_atomic_begin(void)
{
	__VERIFIER_atomic_begin();
}

static inline void everett_atomic_end(void)
{
	__VERIFIER_atomic_end();
}

/* Others have nothing like everett_choose and everett_loop_bound. Without them a program does not compile, rather than mean something else. */

#else

static inline void everett_assume(int condition)
{
	(void)condition;
}

static inline unsigned everett_choose(unsigned n)
{
	(void)n;
	return 0;
}

static inline void everett_loop_bound(unsigned n)
{
	(void)n;
}

static inline void everett_atomic_begin(void)
{
}

static inline void everett_atomic_end(void)
{
}

#endif

#ifdef __cplusplus
}
#endif

#endif
