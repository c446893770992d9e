/*
 * Wrappers of library functions: evr_libc_NAME has NAME's signature and is called in its place.
 * A wrapper finds its call's site in evr_call_site; it must read it before it touches program memory, because the thread
 * may be switched there. Program memory is touched only through evr_access_read() and evr_access_write().
 *
 * The prototypes follow from the library's own headers: a wrapper with another signature does not compile.
 */
#ifndef EVR_WRAPPERS_H
#define EVR_WRAPPERS_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include <malloc.h>
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EVR_WRAPPER(name) __typeof__(name) evr_libc_##name

EVR_WRAPPER(pthread_create);
EVR_WRAPPER(pthread_join);
void evr_libc_pthread_exit(void *result);
EVR_WRAPPER(pthread_self);
EVR_WRAPPER(pthread_equal);
EVR_WRAPPER(pthread_detach);
EVR_WRAPPER(sched_yield);
int evr_libc_pthread_yield(void);
EVR_WRAPPER(pthread_attr_init);
EVR_WRAPPER(pthread_attr_destroy);
EVR_WRAPPER(pthread_attr_setdetachstate);
EVR_WRAPPER(pthread_attr_getdetachstate);
EVR_WRAPPER(pthread_attr_setstacksize);
EVR_WRAPPER(pthread_attr_getstacksize);
EVR_WRAPPER(pthread_mutex_init);
EVR_WRAPPER(pthread_mutex_destroy);
EVR_WRAPPER(pthread_mutex_lock);
EVR_WRAPPER(pthread_mutex_trylock);
EVR_WRAPPER(pthread_mutex_timedlock);
EVR_WRAPPER(pthread_mutex_unlock);
EVR_WRAPPER(pthread_mutexattr_init);
EVR_WRAPPER(pthread_mutexattr_destroy);
EVR_WRAPPER(pthread_mutexattr_settype);
EVR_WRAPPER(pthread_mutexattr_gettype);

EVR_WRAPPER(malloc);
EVR_WRAPPER(calloc);
EVR_WRAPPER(realloc);
EVR_WRAPPER(reallocarray);
EVR_WRAPPER(free);
EVR_WRAPPER(aligned_alloc);
EVR_WRAPPER(posix_memalign);
EVR_WRAPPER(memalign);
EVR_WRAPPER(malloc_usable_size);

/* program.c: the end of a thread or of the process, and what everett.h offers. */
void evr_libc___assert_fail(const char *assertion, const char *file, unsigned line, const char *function);
void evr_libc_abort(void);
void evr_libc_exit(int status);
void evr_libc__exit(int status);
void evr_libc__Exit(int status);
void evr_libc_quick_exit(int status);
EVR_WRAPPER(atexit);
int evr_libc___cxa_atexit(void (*function)(void *), void *argument, void *dso);
void evr_libc_longjmp(struct __jmp_buf_tag *buffer, int value);
void evr_libc__longjmp(struct __jmp_buf_tag *buffer, int value);
void evr_libc_siglongjmp(struct __jmp_buf_tag *buffer, int value);
void evr_libc_everett_assume(int condition);
unsigned evr_libc_everett_choose(unsigned n);
void evr_libc_everett_loop_bound(unsigned n);
void evr_libc___VERIFIER_assume(int condition);
_Bool evr_libc___VERIFIER_nondet_bool(void);
_Bool evr_libc___VERIFIER_nondet__Bool(void);
void evr_libc___VERIFIER_loop_bound(unsigned n);
void evr_libc___VERIFIER_error(void);
void evr_libc_reach_error(void);
/* Runs what atexit() registered, last first. */
void evr_atexit_run(void);
void evr_atexit_begin(void);

/* atomic.c: __atomic_* on objects of any size. */
void evr_libc___atomic_load(size_t size, const void *from, void *to, int order);
void evr_libc___atomic_store(size_t size, void *to, const void *from, int order);
void evr_libc___atomic_exchange(size_t size, void *object, const void *value, void *old, int order);
_Bool evr_libc___atomic_compare_exchange(size_t size, void *object, void *expected, const void *desired, int success,
					 int failure);
_Bool evr_libc___atomic_is_lock_free(size_t size, const volatile void *object);

__extension__ typedef unsigned __int128 evr_wide;
evr_wide evr_libc___atomic_load_16(const void *from, int order);
void evr_libc___atomic_store_16(void *to, evr_wide value, int order);
_Bool evr_libc___atomic_compare_exchange_16(void *object, void *expected, evr_wide desired, int success, int failure);
evr_wide evr_libc___atomic_exchange_16(void *object, evr_wide operand, int order);
evr_wide evr_libc___atomic_fetch_add_16(void *object, evr_wide operand, int order);
evr_wide evr_libc___atomic_fetch_sub_16(void *object, evr_wide operand, int order);
evr_wide evr_libc___atomic_fetch_and_16(void *object, evr_wide operand, int order);
evr_wide evr_libc___atomic_fetch_nand_16(void *object, evr_wide operand, int order);
evr_wide evr_libc___atomic_fetch_or_16(void *object, evr_wide operand, int order);
evr_wide evr_libc___atomic_fetch_xor_16(void *object, evr_wide operand, int order);

#endif
