/* Threads and what synchronises them: <pthread.h>, <semaphore.h>, <threads.h>. */
#ifndef EVR_WRAPPERS_THREADS_H
#define EVR_WRAPPERS_THREADS_H

#include "runtime/libc/wrappers/wrapper.h"

#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <threads.h>

/* threads/thread.c, threads/key.c */
EVR_WRAPPER(pthread_create);
EVR_WRAPPER(pthread_join);
void evr_libc_pthread_exit(void *result);
EVR_WRAPPER(pthread_self);
EVR_WRAPPER(pthread_equal);
EVR_WRAPPER(pthread_detach);
EVR_WRAPPER(pthread_timedjoin_np);
EVR_WRAPPER(pthread_clockjoin_np);
EVR_WRAPPER(pthread_tryjoin_np);
int evr_libc_pthread_yield(void);
EVR_WRAPPER(sched_yield);
EVR_WRAPPER(pthread_once);
EVR_WRAPPER(pthread_key_create);
EVR_WRAPPER(pthread_key_delete);
EVR_WRAPPER(pthread_setspecific);
EVR_WRAPPER(pthread_getspecific);
EVR_WRAPPER(__pthread_register_cancel);
EVR_WRAPPER(__pthread_unregister_cancel);
void evr_libc___pthread_unwind_next(__pthread_unwind_buf_t *buffer);
EVR_WRAPPER(pthread_setcancelstate);
EVR_WRAPPER(pthread_setcanceltype);
EVR_WRAPPER(pthread_testcancel);
EVR_WRAPPER(pthread_cancel);

/* sync/mutex.c, once.c, cond.c, rwlock.c, barrier.c, semaphore.c */
EVR_WRAPPER(pthread_mutex_init);
EVR_WRAPPER(pthread_mutex_destroy);
EVR_WRAPPER(pthread_mutex_lock);
EVR_WRAPPER(pthread_mutex_trylock);
EVR_WRAPPER(pthread_mutex_timedlock);
EVR_WRAPPER(pthread_mutex_clocklock);
EVR_WRAPPER(pthread_mutex_unlock);
EVR_WRAPPER(pthread_mutex_consistent);
EVR_WRAPPER(pthread_spin_init);
EVR_WRAPPER(pthread_spin_destroy);
EVR_WRAPPER(pthread_spin_lock);
EVR_WRAPPER(pthread_spin_trylock);
EVR_WRAPPER(pthread_spin_unlock);
EVR_WRAPPER(pthread_cond_init);
EVR_WRAPPER(pthread_cond_destroy);
EVR_WRAPPER(pthread_cond_wait);
EVR_WRAPPER(pthread_cond_timedwait);
EVR_WRAPPER(pthread_cond_clockwait);
EVR_WRAPPER(pthread_cond_signal);
EVR_WRAPPER(pthread_cond_broadcast);
EVR_WRAPPER(pthread_rwlock_init);
EVR_WRAPPER(pthread_rwlock_destroy);
EVR_WRAPPER(pthread_rwlock_rdlock);
EVR_WRAPPER(pthread_rwlock_tryrdlock);
EVR_WRAPPER(pthread_rwlock_timedrdlock);
EVR_WRAPPER(pthread_rwlock_clockrdlock);
EVR_WRAPPER(pthread_rwlock_wrlock);
EVR_WRAPPER(pthread_rwlock_trywrlock);
EVR_WRAPPER(pthread_rwlock_timedwrlock);
EVR_WRAPPER(pthread_rwlock_clockwrlock);
EVR_WRAPPER(pthread_rwlock_unlock);
EVR_WRAPPER(pthread_barrier_init);
EVR_WRAPPER(pthread_barrier_destroy);
EVR_WRAPPER(pthread_barrier_wait);
EVR_WRAPPER(sem_init);
EVR_WRAPPER(sem_destroy);
EVR_WRAPPER(sem_wait);
EVR_WRAPPER(sem_trywait);
EVR_WRAPPER(sem_timedwait);
EVR_WRAPPER(sem_clockwait);
EVR_WRAPPER(sem_post);
EVR_WRAPPER(sem_getvalue);
EVR_WRAPPER(sem_open);
EVR_WRAPPER(sem_close);
EVR_WRAPPER(sem_unlink);

/* sync/attribute.c */
EVR_WRAPPER(pthread_attr_init);
EVR_WRAPPER(pthread_attr_destroy);
EVR_WRAPPER(pthread_attr_setdetachstate);
EVR_WRAPPER(pthread_attr_getdetachstate);
EVR_WRAPPER(pthread_attr_setstacksize);
EVR_WRAPPER(pthread_attr_getstacksize);
EVR_WRAPPER(pthread_attr_setguardsize);
EVR_WRAPPER(pthread_attr_getguardsize);
EVR_WRAPPER(pthread_attr_setinheritsched);
EVR_WRAPPER(pthread_attr_getinheritsched);
EVR_WRAPPER(pthread_attr_setschedpolicy);
EVR_WRAPPER(pthread_attr_getschedpolicy);
EVR_WRAPPER(pthread_attr_setscope);
EVR_WRAPPER(pthread_attr_getscope);
EVR_WRAPPER(pthread_attr_setstack);
EVR_WRAPPER(pthread_attr_getstack);
EVR_WRAPPER(pthread_getattr_np);
EVR_WRAPPER(pthread_mutexattr_init);
EVR_WRAPPER(pthread_mutexattr_destroy);
EVR_WRAPPER(pthread_mutexattr_settype);
EVR_WRAPPER(pthread_mutexattr_gettype);
EVR_WRAPPER(pthread_mutexattr_setpshared);
EVR_WRAPPER(pthread_mutexattr_getpshared);
EVR_WRAPPER(pthread_mutexattr_setprotocol);
EVR_WRAPPER(pthread_mutexattr_getprotocol);
EVR_WRAPPER(pthread_mutexattr_setprioceiling);
EVR_WRAPPER(pthread_mutexattr_getprioceiling);
EVR_WRAPPER(pthread_mutexattr_setrobust);
EVR_WRAPPER(pthread_mutexattr_getrobust);
EVR_WRAPPER(pthread_condattr_init);
EVR_WRAPPER(pthread_condattr_destroy);
EVR_WRAPPER(pthread_condattr_setpshared);
EVR_WRAPPER(pthread_condattr_getpshared);
EVR_WRAPPER(pthread_condattr_setclock);
EVR_WRAPPER(pthread_condattr_getclock);
EVR_WRAPPER(pthread_rwlockattr_init);
EVR_WRAPPER(pthread_rwlockattr_destroy);
EVR_WRAPPER(pthread_rwlockattr_setpshared);
EVR_WRAPPER(pthread_rwlockattr_getpshared);
EVR_WRAPPER(pthread_rwlockattr_setkind_np);
EVR_WRAPPER(pthread_rwlockattr_getkind_np);
EVR_WRAPPER(pthread_barrierattr_init);
EVR_WRAPPER(pthread_barrierattr_destroy);
EVR_WRAPPER(pthread_barrierattr_setpshared);
EVR_WRAPPER(pthread_barrierattr_getpshared);

/* sync/c11.c */
EVR_WRAPPER(thrd_create);
EVR_WRAPPER(thrd_join);
void evr_libc_thrd_exit(int result);
EVR_WRAPPER(thrd_current);
EVR_WRAPPER(thrd_equal);
EVR_WRAPPER(thrd_detach);
EVR_WRAPPER(thrd_yield);
EVR_WRAPPER(thrd_sleep);
EVR_WRAPPER(mtx_init);
EVR_WRAPPER(mtx_destroy);
EVR_WRAPPER(mtx_lock);
EVR_WRAPPER(mtx_trylock);
EVR_WRAPPER(mtx_timedlock);
EVR_WRAPPER(mtx_unlock);
EVR_WRAPPER(cnd_init);
EVR_WRAPPER(cnd_destroy);
EVR_WRAPPER(cnd_wait);
EVR_WRAPPER(cnd_timedwait);
EVR_WRAPPER(cnd_signal);
EVR_WRAPPER(cnd_broadcast);
EVR_WRAPPER(tss_create);
EVR_WRAPPER(tss_delete);
EVR_WRAPPER(tss_get);
EVR_WRAPPER(tss_set);
EVR_WRAPPER(call_once);

#endif
