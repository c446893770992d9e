/* The environment of floating point is a thread's own; from the first call on, switching threads takes care of it. */
#include "runtime/libc/wrappers.h"
#include "runtime/threads/coroutine.h"

#include <fenv.h>

/* A program that calls them has the mathematical library; others need not. */
#pragma weak fesetround
#pragma weak feclearexcept
#pragma weak feraiseexcept
#pragma weak fetestexcept

int evr_libc_fesetround(int mode)
{
	evr_coroutine_environment();
	return fesetround(mode);
}

int evr_libc_feclearexcept(int which)
{
	evr_coroutine_environment();
	return feclearexcept(which);
}

int evr_libc_feraiseexcept(int which)
{
	evr_coroutine_environment();
	return feraiseexcept(which);
}

int evr_libc_fetestexcept(int which)
{
	evr_coroutine_environment();
	return fetestexcept(which);
}
