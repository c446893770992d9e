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

#include <err.h>
#include <error.h>
#include <fcntl.h>
#include <getopt.h>
#include <inttypes.h>
#include <locale.h>
#include <malloc.h>
#include <math.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <search.h>
#include <semaphore.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/times.h>
#include <sys/uio.h>
#include <sys/utsname.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>
#include <wctype.h>

#define EVR_WRAPPER(name) __typeof__(name) evr_libc_##name

/* thread.c, key.c */
EVR_WRAPPER(pthread_create);
EVR_WRAPPER(pthread_join);
void evr_libc_pthread_exit(void *result);
EVR_WRAPPER(pthread_self);
EVR_WRAPPER(pthread_equal);
EVR_WRAPPER(pthread_detach);
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
/* mutex.c, once.c, cond.c, rwlock.c, barrier.c, semaphore.c */
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
/* attribute.c */
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
/* c11.c */
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

/* heap.c */
EVR_WRAPPER(malloc);
EVR_WRAPPER(calloc);
EVR_WRAPPER(realloc);
EVR_WRAPPER(reallocarray);
EVR_WRAPPER(free);
EVR_WRAPPER(aligned_alloc);
EVR_WRAPPER(posix_memalign);
EVR_WRAPPER(memalign);
EVR_WRAPPER(malloc_usable_size);
EVR_WRAPPER(valloc);
EVR_WRAPPER(pvalloc);

/* map.c */
EVR_WRAPPER(mmap);
EVR_WRAPPER(mmap64);
EVR_WRAPPER(munmap);
EVR_WRAPPER(mprotect);
EVR_WRAPPER(madvise);
EVR_WRAPPER(posix_madvise);
EVR_WRAPPER(mlock);
EVR_WRAPPER(munlock);
EVR_WRAPPER(mlockall);
EVR_WRAPPER(munlockall);
EVR_WRAPPER(mallopt);
EVR_WRAPPER(malloc_trim);

/* program.c: the end of a thread or of the process, and what everett.h offers. */
void evr_libc___assert_fail(const char *assertion, const char *file, unsigned line, const char *function);
void evr_libc___assert_perror_fail(int error, const char *file, unsigned line, const char *function);
void evr_libc_abort(void);
void evr_libc_exit(int status);
void evr_libc__exit(int status);
void evr_libc__Exit(int status);
void evr_libc_quick_exit(int status);
EVR_WRAPPER(atexit);
EVR_WRAPPER(at_quick_exit);
int evr_libc___cxa_at_quick_exit(void (*function)(void *), void *dso);
int evr_libc___cxa_atexit(void (*function)(void *), void *argument, void *dso);
void evr_libc_longjmp(struct __jmp_buf_tag *buffer, int value);
void evr_libc__longjmp(struct __jmp_buf_tag *buffer, int value);
void evr_libc_siglongjmp(struct __jmp_buf_tag *buffer, int value);
void evr_libc_everett_assume(int condition);
unsigned evr_libc_everett_choose(unsigned n);
void evr_libc_everett_loop_bound(unsigned n);
void evr_libc_everett_atomic_begin(void);
void evr_libc_everett_atomic_end(void);
void evr_libc___VERIFIER_atomic_begin(void);
void evr_libc___VERIFIER_atomic_end(void);
void evr_libc___VERIFIER_assert(int condition);
void evr_libc_assume_abort_if_not(int condition);
void evr_libc___VERIFIER_assume(int condition);
_Bool evr_libc___VERIFIER_nondet_bool(void);
_Bool evr_libc___VERIFIER_nondet__Bool(void);
void evr_libc___VERIFIER_loop_bound(unsigned n);
void evr_libc___VERIFIER_error(void);
void evr_libc_reach_error(void);
/* Before an execution, and after its main has returned. */
void evr_main_end(void);

/* atomic.c: __atomic_* on objects of any size. */
void evr_libc___atomic_load(size_t size, const void *from, void *to, int order);
void evr_libc___atomic_store(size_t size, void *to, const void *from, int order);
void evr_libc___atomic_exchange(size_t size, void *object, const void *value, void *old, int order);
_Bool evr_libc___atomic_compare_exchange(size_t size, void *object, void *expected, const void *desired, int success,
					 int failure);
_Bool evr_libc___atomic_is_lock_free(size_t size, const volatile void *object);

__extension__ typedef unsigned __int128 evr_wide;
#define EVR_ATOMIC_SIZED(size, type) \
	type evr_libc___atomic_load_##size(const void *from, int order); \
	void evr_libc___atomic_store_##size(void *to, type value, int order); \
	_Bool evr_libc___atomic_compare_exchange_##size(void *object, void *expected, type desired, int success, \
							int failure); \
	type evr_libc___atomic_exchange_##size(void *object, type operand, int order); \
	EVR_ATOMIC_FETCH(add, size, type) \
	EVR_ATOMIC_FETCH(sub, size, type) \
	EVR_ATOMIC_FETCH(and, size, type) \
	EVR_ATOMIC_FETCH(nand, size, type) \
	EVR_ATOMIC_FETCH(or, size, type) \
	EVR_ATOMIC_FETCH(xor, size, type)
#define EVR_ATOMIC_FETCH(name, size, type) \
	type evr_libc___atomic_fetch_##name##_##size(void *object, type operand, int order); \
	type evr_libc___atomic_##name##_fetch_##size(void *object, type operand, int order);
EVR_ATOMIC_SIZED(1, uint8_t)
EVR_ATOMIC_SIZED(2, uint16_t)
EVR_ATOMIC_SIZED(4, uint32_t)
EVR_ATOMIC_SIZED(8, uint64_t)
EVR_ATOMIC_SIZED(16, evr_wide)

/* memory.c */
EVR_WRAPPER(memcpy);
EVR_WRAPPER(memmove);
EVR_WRAPPER(mempcpy);
EVR_WRAPPER(bcopy);
EVR_WRAPPER(memset);
EVR_WRAPPER(bzero);
EVR_WRAPPER(explicit_bzero);
EVR_WRAPPER(memccpy);
EVR_WRAPPER(stpcpy);
EVR_WRAPPER(stpncpy);
EVR_WRAPPER(strncpy);
EVR_WRAPPER(strncat);
EVR_WRAPPER(strdup);
EVR_WRAPPER(strndup);
EVR_WRAPPER(strxfrm);
size_t evr_libc_strlcpy(char *to, const char *from, size_t size);
size_t evr_libc_strlcat(char *to, const char *from, size_t size);
EVR_WRAPPER(swab);
char *evr_libc_dirname(char *path);
char *evr_libc_basename(const char *path);

/* string.c */
EVR_WRAPPER(memcmp);
int evr_libc_bcmp(const void *a, const void *b, size_t n);
EVR_WRAPPER(memchr);
EVR_WRAPPER(rawmemchr);
EVR_WRAPPER(memrchr);
EVR_WRAPPER(memmem);
EVR_WRAPPER(strlen);
EVR_WRAPPER(strnlen);
EVR_WRAPPER(strcmp);
EVR_WRAPPER(strncmp);
EVR_WRAPPER(strcoll);
EVR_WRAPPER(strcasecmp);
EVR_WRAPPER(strncasecmp);
EVR_WRAPPER(strchrnul);
EVR_WRAPPER(strchr);
EVR_WRAPPER(strrchr);
EVR_WRAPPER(index);
EVR_WRAPPER(rindex);
EVR_WRAPPER(strspn);
EVR_WRAPPER(strcspn);
EVR_WRAPPER(strpbrk);
EVR_WRAPPER(strstr);
EVR_WRAPPER(strcasestr);
EVR_WRAPPER(strtok_r);
EVR_WRAPPER(strsep);
EVR_WRAPPER(strerror);
EVR_WRAPPER(strsignal);
EVR_WRAPPER(strerror_r);
EVR_WRAPPER(strverscmp);

/* wide.c */
EVR_WRAPPER(wcslen);
EVR_WRAPPER(wcsnlen);
EVR_WRAPPER(wcscmp);
EVR_WRAPPER(wcsncmp);
EVR_WRAPPER(wcscoll);
EVR_WRAPPER(wmemcmp);
EVR_WRAPPER(wmemchr);
EVR_WRAPPER(wcschr);
EVR_WRAPPER(wcsrchr);
EVR_WRAPPER(wcsspn);
EVR_WRAPPER(wcscspn);
EVR_WRAPPER(wcspbrk);
EVR_WRAPPER(wcsstr);
EVR_WRAPPER(wmemcpy);
EVR_WRAPPER(wmemmove);
EVR_WRAPPER(wmempcpy);
EVR_WRAPPER(wmemset);
EVR_WRAPPER(wcscpy);
EVR_WRAPPER(wcpcpy);
EVR_WRAPPER(wcscat);
EVR_WRAPPER(wcsncat);
EVR_WRAPPER(wcsncpy);
EVR_WRAPPER(wcsdup);
EVR_WRAPPER(wcstol);
EVR_WRAPPER(wcstoul);
EVR_WRAPPER(wcstoll);
EVR_WRAPPER(wcstoull);
EVR_WRAPPER(wcstod);
EVR_WRAPPER(wcstof);
EVR_WRAPPER(wcstold);
EVR_WRAPPER(mbtowc);
EVR_WRAPPER(mblen);
EVR_WRAPPER(wctomb);
EVR_WRAPPER(mbrtowc);
EVR_WRAPPER(wcrtomb);
EVR_WRAPPER(mbrlen);
EVR_WRAPPER(mbsinit);
EVR_WRAPPER(mbstowcs);
EVR_WRAPPER(wcstombs);
EVR_WRAPPER(wctype);
EVR_WRAPPER(wctrans);

/* number.c */
EVR_WRAPPER(strtol);
EVR_WRAPPER(strtoll);
EVR_WRAPPER(strtoul);
EVR_WRAPPER(strtoull);
EVR_WRAPPER(strtoimax);
EVR_WRAPPER(strtoumax);
EVR_WRAPPER(strtod);
EVR_WRAPPER(strtof);
EVR_WRAPPER(strtold);
EVR_WRAPPER(frexp);
EVR_WRAPPER(frexpf);
EVR_WRAPPER(frexpl);
EVR_WRAPPER(modf);
EVR_WRAPPER(modff);
EVR_WRAPPER(modfl);
EVR_WRAPPER(atoi);
EVR_WRAPPER(atol);
EVR_WRAPPER(atoll);
EVR_WRAPPER(atof);
EVR_WRAPPER(random);
EVR_WRAPPER(lrand48);
EVR_WRAPPER(drand48);
EVR_WRAPPER(srand);
EVR_WRAPPER(srandom);
EVR_WRAPPER(srand48);
EVR_WRAPPER(rand_r);
EVR_WRAPPER(mrand48);
EVR_WRAPPER(erand48);
EVR_WRAPPER(nrand48);
EVR_WRAPPER(jrand48);
uint32_t evr_libc_arc4random(void);
uint32_t evr_libc_arc4random_uniform(uint32_t limit);
void evr_libc_arc4random_buf(void *to, size_t n);
EVR_WRAPPER(getrandom);
EVR_WRAPPER(getentropy);

/* math.c */
EVR_WRAPPER(sincos);
EVR_WRAPPER(remquo);
EVR_WRAPPER(lgamma_r);
EVR_WRAPPER(nan);
EVR_WRAPPER(sincosf);
EVR_WRAPPER(remquof);
EVR_WRAPPER(lgammaf_r);
EVR_WRAPPER(nanf);
EVR_WRAPPER(sincosl);
EVR_WRAPPER(remquol);
EVR_WRAPPER(lgammal_r);
EVR_WRAPPER(nanl);

/* printf.c */
EVR_WRAPPER(vsnprintf);
EVR_WRAPPER(snprintf);
EVR_WRAPPER(vasprintf);
EVR_WRAPPER(asprintf);
EVR_WRAPPER(vfprintf);
EVR_WRAPPER(vprintf);
EVR_WRAPPER(fprintf);
EVR_WRAPPER(printf);
EVR_WRAPPER(vdprintf);
EVR_WRAPPER(dprintf);

/* scan.c */
EVR_WRAPPER(sscanf);
EVR_WRAPPER(fscanf);
EVR_WRAPPER(scanf);
EVR_WRAPPER(vsscanf);
EVR_WRAPPER(vfscanf);
EVR_WRAPPER(vscanf);

/* file.c */

/* stdio.c */
EVR_WRAPPER(fopen);
EVR_WRAPPER(fopen64);
EVR_WRAPPER(freopen);
EVR_WRAPPER(freopen64);
EVR_WRAPPER(fdopen);
EVR_WRAPPER(tmpfile);
EVR_WRAPPER(tmpfile64);
EVR_WRAPPER(getc);
EVR_WRAPPER(getc_unlocked);
EVR_WRAPPER(fgetc_unlocked);
EVR_WRAPPER(putc);
EVR_WRAPPER(putc_unlocked);
EVR_WRAPPER(fputc_unlocked);
EVR_WRAPPER(getchar);
EVR_WRAPPER(getchar_unlocked);
EVR_WRAPPER(putchar);
EVR_WRAPPER(putchar_unlocked);
EVR_WRAPPER(fclose);
EVR_WRAPPER(fileno);
EVR_WRAPPER(fgetc);
EVR_WRAPPER(ungetc);
EVR_WRAPPER(fread);
EVR_WRAPPER(fgets);
EVR_WRAPPER(getdelim);
EVR_WRAPPER(getline);
EVR_WRAPPER(fputs);
EVR_WRAPPER(puts);
EVR_WRAPPER(fputc);
EVR_WRAPPER(fwrite);
EVR_WRAPPER(perror);
EVR_WRAPPER(fflush);
EVR_WRAPPER(feof);
EVR_WRAPPER(ferror);
EVR_WRAPPER(clearerr);
EVR_WRAPPER(fseeko);
EVR_WRAPPER(fseeko64);
EVR_WRAPPER(fseek);
EVR_WRAPPER(ftello);
EVR_WRAPPER(ftello64);
EVR_WRAPPER(ftell);
EVR_WRAPPER(rewind);
EVR_WRAPPER(setvbuf);
EVR_WRAPPER(setbuf);
EVR_WRAPPER(setlinebuf);
EVR_WRAPPER(flockfile);
EVR_WRAPPER(funlockfile);
EVR_WRAPPER(fread_unlocked);
EVR_WRAPPER(fwrite_unlocked);
EVR_WRAPPER(fputs_unlocked);
EVR_WRAPPER(fgets_unlocked);
EVR_WRAPPER(fflush_unlocked);
EVR_WRAPPER(feof_unlocked);
EVR_WRAPPER(ferror_unlocked);
EVR_WRAPPER(clearerr_unlocked);
EVR_WRAPPER(fgetpos);
EVR_WRAPPER(fsetpos);
EVR_WRAPPER(setbuffer);
EVR_WRAPPER(fileno_unlocked);

/* memstream.c */
EVR_WRAPPER(fmemopen);
EVR_WRAPPER(open_memstream);

/* err.c */
EVR_WRAPPER(warn);
EVR_WRAPPER(warnx);
EVR_WRAPPER(vwarn);
EVR_WRAPPER(vwarnx);
void evr_libc_err(int status, const char *format, ...);
void evr_libc_errx(int status, const char *format, ...);
void evr_libc_verr(int status, const char *format, va_list args);
void evr_libc_verrx(int status, const char *format, va_list args);
EVR_WRAPPER(error);

/* descriptor.c */
EVR_WRAPPER(open);
EVR_WRAPPER(open64);
EVR_WRAPPER(close);
EVR_WRAPPER(read);
EVR_WRAPPER(write);
EVR_WRAPPER(lseek);
EVR_WRAPPER(lseek64);
EVR_WRAPPER(isatty);
EVR_WRAPPER(mkstemp);
EVR_WRAPPER(mkstemp64);
EVR_WRAPPER(remove);
EVR_WRAPPER(unlink);
EVR_WRAPPER(rename);
EVR_WRAPPER(creat);
EVR_WRAPPER(creat64);
EVR_WRAPPER(pread);
EVR_WRAPPER(pread64);
EVR_WRAPPER(pwrite);
EVR_WRAPPER(pwrite64);
EVR_WRAPPER(readv);
EVR_WRAPPER(writev);
EVR_WRAPPER(mkostemp);

/* status.c */
EVR_WRAPPER(stat);
EVR_WRAPPER(lstat);
EVR_WRAPPER(fstat);
EVR_WRAPPER(stat64);
EVR_WRAPPER(lstat64);
EVR_WRAPPER(fstat64);
EVR_WRAPPER(access);
EVR_WRAPPER(ftruncate);
EVR_WRAPPER(ftruncate64);
EVR_WRAPPER(fsync);
EVR_WRAPPER(fdatasync);
EVR_WRAPPER(fcntl);
EVR_WRAPPER(fcntl64);
EVR_WRAPPER(getcwd);

/* time.c */
EVR_WRAPPER(time);
EVR_WRAPPER(clock);
EVR_WRAPPER(clock_gettime);
EVR_WRAPPER(clock_getres);
EVR_WRAPPER(timespec_get);
EVR_WRAPPER(gettimeofday);
EVR_WRAPPER(sleep);
EVR_WRAPPER(usleep);
EVR_WRAPPER(poll);
EVR_WRAPPER(nanosleep);
EVR_WRAPPER(clock_nanosleep);
EVR_WRAPPER(gmtime_r);
EVR_WRAPPER(localtime_r);
EVR_WRAPPER(gmtime);
EVR_WRAPPER(localtime);
EVR_WRAPPER(mktime);
EVR_WRAPPER(timegm);
EVR_WRAPPER(strftime);
EVR_WRAPPER(asctime);
EVR_WRAPPER(asctime_r);
EVR_WRAPPER(ctime_r);
EVR_WRAPPER(ctime);
EVR_WRAPPER(times);
EVR_WRAPPER(clock_getcpuclockid);
EVR_WRAPPER(pthread_getcpuclockid);
EVR_WRAPPER(timelocal);
EVR_WRAPPER(strptime);

/* getopt.c */
EVR_WRAPPER(getopt);
EVR_WRAPPER(getopt_long);

/* misc.c */
EVR_WRAPPER(qsort);
EVR_WRAPPER(qsort_r);
EVR_WRAPPER(bsearch);
EVR_WRAPPER(lfind);
EVR_WRAPPER(lsearch);
EVR_WRAPPER(getpid);
EVR_WRAPPER(getppid);
EVR_WRAPPER(gettid);
EVR_WRAPPER(system);
EVR_WRAPPER(setlocale);

/* environment.c */
EVR_WRAPPER(getenv);
EVR_WRAPPER(secure_getenv);
EVR_WRAPPER(setenv);
EVR_WRAPPER(unsetenv);
EVR_WRAPPER(putenv);
EVR_WRAPPER(clearenv);

/* signal.c */
EVR_WRAPPER(signal);
EVR_WRAPPER(sigaction);
EVR_WRAPPER(sigprocmask);
EVR_WRAPPER(pthread_sigmask);
EVR_WRAPPER(sigemptyset);
EVR_WRAPPER(sigfillset);
EVR_WRAPPER(sigaddset);
EVR_WRAPPER(sigdelset);
EVR_WRAPPER(sigismember);
EVR_WRAPPER(raise);
int evr_libc_siginterrupt(int number, int flag);
EVR_WRAPPER(sigisemptyset);
EVR_WRAPPER(sigandset);
EVR_WRAPPER(sigorset);
EVR_WRAPPER(sigpending);
EVR_WRAPPER(psignal);

/* machine.c */
EVR_WRAPPER(sched_getcpu);
EVR_WRAPPER(getcpu);
EVR_WRAPPER(sched_setaffinity);
EVR_WRAPPER(sched_getaffinity);
EVR_WRAPPER(pthread_setaffinity_np);
EVR_WRAPPER(pthread_getaffinity_np);
EVR_WRAPPER(__sched_cpucount);
EVR_WRAPPER(pthread_setname_np);
EVR_WRAPPER(pthread_getname_np);
EVR_WRAPPER(prctl);
EVR_WRAPPER(syscall);
EVR_WRAPPER(uname);
EVR_WRAPPER(gethostname);
EVR_WRAPPER(getrlimit);
EVR_WRAPPER(getrusage);

/* Names that the library's headers give its functions, or that _FORTIFY_SOURCE calls. */
void *evr_libc___memcpy_chk(void *to, const void *from, size_t n, size_t room);
void *evr_libc___memmove_chk(void *to, const void *from, size_t n, size_t room);
void *evr_libc___mempcpy_chk(void *to, const void *from, size_t n, size_t room);
void *evr_libc___memset_chk(void *to, int byte, size_t n, size_t room);
char *evr_libc___strcpy_chk(char *to, const char *from, size_t room);
char *evr_libc___stpcpy_chk(char *to, const char *from, size_t room);
char *evr_libc___strncpy_chk(char *to, const char *from, size_t n, size_t room);
char *evr_libc___strcat_chk(char *to, const char *from, size_t room);
char *evr_libc___strncat_chk(char *to, const char *from, size_t n, size_t room);
char *evr_libc___stpncpy_chk(char *to, const char *from, size_t n, size_t room);
void evr_libc___explicit_bzero_chk(void *to, size_t n, size_t room);
char *evr_libc___xpg_basename(char *path);
int evr_libc___xpg_strerror_r(int number, char *to, size_t size);
long evr_libc___isoc23_strtol(const char *s, char **end, int base);
long long evr_libc___isoc23_strtoll(const char *s, char **end, int base);
unsigned long evr_libc___isoc23_strtoul(const char *s, char **end, int base);
unsigned long long evr_libc___isoc23_strtoull(const char *s, char **end, int base);
intmax_t evr_libc___isoc23_strtoimax(const char *s, char **end, int base);
uintmax_t evr_libc___isoc23_strtoumax(const char *s, char **end, int base);
int evr_libc___vsnprintf_chk(char *to, size_t size, int flag, size_t room, const char *format, va_list args);
int evr_libc___vsprintf_chk(char *to, int flag, size_t room, const char *format, va_list args);
int evr_libc___vfprintf_chk(FILE *stream, int flag, const char *format, va_list args);
int evr_libc___vprintf_chk(int flag, const char *format, va_list args);
int evr_libc___vasprintf_chk(char **to, int flag, const char *format, va_list args);
int evr_libc___asprintf_chk(char **to, int flag, const char *format, ...);
int evr_libc___snprintf_chk(char *to, size_t size, int flag, size_t room, const char *format, ...);
int evr_libc___sprintf_chk(char *to, int flag, size_t room, const char *format, ...);
int evr_libc___fprintf_chk(FILE *stream, int flag, const char *format, ...);
int evr_libc___printf_chk(int flag, const char *format, ...);
int evr_libc___vdprintf_chk(int fd, int flag, const char *format, va_list args);
int evr_libc___dprintf_chk(int fd, int flag, const char *format, ...);
int evr_libc___isoc99_sscanf(const char *string, const char *format, ...);
int evr_libc___isoc99_fscanf(FILE *stream, const char *format, ...);
int evr_libc___isoc99_scanf(const char *format, ...);
int evr_libc___isoc99_vsscanf(const char *string, const char *format, va_list args);
int evr_libc___isoc99_vfscanf(FILE *stream, const char *format, va_list args);
int evr_libc___isoc99_vscanf(const char *format, va_list args);
int evr_libc___isoc23_sscanf(const char *string, const char *format, ...);
int evr_libc___isoc23_fscanf(FILE *stream, const char *format, ...);
int evr_libc___isoc23_scanf(const char *format, ...);
int evr_libc___isoc23_vsscanf(const char *string, const char *format, va_list args);
int evr_libc___isoc23_vfscanf(FILE *stream, const char *format, va_list args);
int evr_libc___isoc23_vscanf(const char *format, va_list args);
ssize_t evr_libc___read_chk(int fd, void *to, size_t n, size_t room);
void evr_libc___longjmp_chk(struct __jmp_buf_tag *buffer, int value);
char *evr_libc___fgets_chk(char *to, size_t room, int size, FILE *stream);
char *evr_libc___fgets_unlocked_chk(char *to, size_t room, int size, FILE *stream);
size_t evr_libc___fread_unlocked_chk(void *to, size_t room, size_t size, size_t n, FILE *stream);
size_t evr_libc___fread_chk(void *to, size_t room, size_t size, size_t n, FILE *stream);

/* What our own sources must not call; see base/banned.h. */
#ifdef EVR_ALLOW_BANNED
EVR_WRAPPER(strcpy);
EVR_WRAPPER(strcat);
EVR_WRAPPER(sprintf);
EVR_WRAPPER(vsprintf);
EVR_WRAPPER(strtok);
EVR_WRAPPER(rand);
#endif

/* cxx.c: operator new and delete by their mangled names, and guards of static variables in functions. */
void *evr_libc__Znwm(size_t size);
void *evr_libc__Znam(size_t size);
void *evr_libc__ZnwmRKSt9nothrow_t(size_t size, const void *nothrow);
void *evr_libc__ZnamRKSt9nothrow_t(size_t size, const void *nothrow);
void *evr_libc__ZnwmSt11align_val_t(size_t size, size_t align);
void *evr_libc__ZnamSt11align_val_t(size_t size, size_t align);
void evr_libc__ZdlPv(void *p);
void evr_libc__ZdaPv(void *p);
void evr_libc__ZdlPvm(void *p, size_t size);
void evr_libc__ZdaPvm(void *p, size_t size);
void evr_libc__ZdlPvRKSt9nothrow_t(void *p, const void *nothrow);
void evr_libc__ZdaPvRKSt9nothrow_t(void *p, const void *nothrow);
void evr_libc__ZdlPvSt11align_val_t(void *p, size_t align);
void evr_libc__ZdaPvSt11align_val_t(void *p, size_t align);
void evr_libc__ZdlPvmSt11align_val_t(void *p, size_t size, size_t align);
void evr_libc__ZdaPvmSt11align_val_t(void *p, size_t size, size_t align);
int evr_libc___cxa_guard_acquire(void *guard);
void evr_libc___cxa_guard_release(void *guard);

/* fenv.c */
int evr_libc_fesetround(int mode);
int evr_libc_feclearexcept(int which);
int evr_libc_feraiseexcept(int which);
int evr_libc_fetestexcept(int which);

#endif
