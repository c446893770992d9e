/* The findings of an exploration, and those that a program of flavour `await` ought to have. */
#ifndef EVR_TOOLS_COMPARE_AWAIT_H
#define EVR_TOOLS_COMPARE_AWAIT_H

#include "interpret_await.h"
#include "run.h"

/* What is found and should not be, or what should be and is not; NULL: nothing. To be freed. */
char *await_surplus(const struct run *r, const struct await_meaning *m);
char *await_missing(const struct run *r, const struct await_meaning *m);

#endif
