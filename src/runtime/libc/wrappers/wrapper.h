/* How a wrapper is declared: see wrappers.h. */
#ifndef EVR_WRAPPER_H
#define EVR_WRAPPER_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include <stddef.h>

/* With the signature that the library's own header gives the function. */
#define EVR_WRAPPER(name) __typeof__(name) evr_libc_##name

#endif
