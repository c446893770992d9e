/*
 * In the place of urcu/futex.h: liburcu with its own substitute for the system call, which it has for kernels without it. Who waits polls.
 */
#ifndef REAL_URCU_FUTEX_H
#define REAL_URCU_FUTEX_H

#include <errno.h>
#include <stdint.h>
#include <time.h>

#define FUTEX_WAIT 0
#define FUTEX_WAKE 1

extern int compat_futex_noasync(int32_t *uaddr, int op, int32_t val, const struct timespec *timeout, int32_t *uaddr2, int32_t val3);
extern int compat_futex_async(int32_t *uaddr, int op, int32_t val, const struct timespec *timeout, int32_t *uaddr2, int32_t val3);

#define futex_noasync compat_futex_async
#define futex_async compat_futex_async

#endif
