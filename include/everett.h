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

#elif defined(EVERETT_VERIFIER)

void __VERIFIER_assume(int condition);

static inline void everett_assume(int condition)
{
	__VERIFIER_assume(condition);
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

#endif

#ifdef __cplusplus
}
#endif

#endif
