// Names of newer libraries, and those that only compilers call: what their headers would make of a program.
// executions: sc/rf:1 tso/traces:1 ra/rf:1
// finding: none
#define _GNU_SOURCE
#include <assert.h>
#include <everett.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

size_t strlcpy(char *, const char *, size_t);
size_t strlcat(char *, const char *, size_t);
long __isoc23_strtol(const char *, char **, int);
long long __isoc23_strtoll(const char *, char **, int);
unsigned long __isoc23_strtoul(const char *, char **, int);
unsigned long long __isoc23_strtoull(const char *, char **, int);
intmax_t __isoc23_strtoimax(const char *, char **, int);
uintmax_t __isoc23_strtoumax(const char *, char **, int);
int __isoc23_sscanf(const char *, const char *, ...);
int __isoc23_fscanf(FILE *, const char *, ...);
int __isoc23_scanf(const char *, ...);
int __isoc23_vsscanf(const char *, const char *, va_list);
int __isoc23_vfscanf(FILE *, const char *, va_list);
int __isoc23_vscanf(const char *, va_list);
void *_Znwm(size_t);
void *_Znam(size_t);
void *_ZnwmRKSt9nothrow_t(size_t, const void *);
void *_ZnamRKSt9nothrow_t(size_t, const void *);
void *_ZnwmSt11align_val_t(size_t, size_t);
void *_ZnamSt11align_val_t(size_t, size_t);
void _ZdlPv(void *);
void _ZdaPv(void *);
void _ZdlPvm(void *, size_t);
void _ZdaPvm(void *, size_t);
void _ZdlPvRKSt9nothrow_t(void *, const void *);
void _ZdaPvRKSt9nothrow_t(void *, const void *);
void _ZdlPvSt11align_val_t(void *, size_t);
void _ZdaPvSt11align_val_t(void *, size_t);
void _ZdlPvmSt11align_val_t(void *, size_t, size_t);
void _ZdaPvmSt11align_val_t(void *, size_t, size_t);
int __cxa_guard_acquire(void *);
void __cxa_guard_release(void *);
int __cxa_atexit(void (*)(void *), void *, void *);
int pthread_yield(void);
void __VERIFIER_assume(int);
void __VERIFIER_loop_bound(unsigned);

static void strings(void)
{
	char to[6];
	char *end;
	assert(strlcpy(to, "abc", 6) == 3 && !strcmp(to, "abc") && strlcat(to, "de", 6) == 5 && !strcmp(to, "abcde"));
	assert(strlcpy(to, "too long", 6) == 8 && !strcmp(to, "too l") && strlcat(to, "xyz", 6) == 8 &&
	       !strcmp(to, "too l"));
	assert(strlcpy(NULL, "none", 0) == 4 && strlcat(to, "x", 3) == 4);
	assert(__isoc23_strtol("-12x", &end, 10) == -12 && *end == 'x' && __isoc23_strtoll("0x10", NULL, 0) == 16);
	assert(__isoc23_strtoul("7", NULL, 8) == 7 && __isoc23_strtoull("ff", NULL, 16) == 255);
	assert(__isoc23_strtoimax("-1", NULL, 10) == -1 && __isoc23_strtoumax("2", NULL, 10) == 2);
}

static int scan(const char *s, FILE *f, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	int n = s   ? __isoc23_vsscanf(s, format, args)
		: f ? __isoc23_vfscanf(f, format, args)
		    : __isoc23_vscanf(format, args);
	va_end(args);
	return n;
}

static void scans(void)
{
	int a = 0, b = 0;
	FILE *f = tmpfile();
	assert(f && fputs("3 4", f) >= 0);
	rewind(f);
	assert(__isoc23_fscanf(f, "%d", &a) == 1 && scan(NULL, f, "%d", &b) == 1 && a == 3 && b == 4);
	fclose(f);
	assert(__isoc23_sscanf("5", "%d", &a) == 1 && scan("6", NULL, "%d", &b) == 1 && a == 5 && b == 6);
	assert(__isoc23_scanf("%d", &a) == EOF && scan(NULL, NULL, "%d", &a) == EOF);
}

static void operators(void)
{
	static uint64_t guard;
	char nothrow;
	_ZdlPv(_Znwm(8));
	_ZdaPv(_Znam(8));
	_ZdlPvm(_Znwm(8), 8);
	_ZdaPvm(_Znam(8), 8);
	_ZdlPvRKSt9nothrow_t(_ZnwmRKSt9nothrow_t(8, &nothrow), &nothrow);
	_ZdaPvRKSt9nothrow_t(_ZnamRKSt9nothrow_t(8, &nothrow), &nothrow);
	void *p = _ZnwmSt11align_val_t(8, 128);
	assert((uintptr_t)p % 128 == 0);
	_ZdlPvSt11align_val_t(p, 128);
	_ZdaPvSt11align_val_t(_ZnamSt11align_val_t(8, 64), 64);
	_ZdlPvmSt11align_val_t(_ZnwmSt11align_val_t(8, 64), 8, 64);
	_ZdaPvmSt11align_val_t(_ZnamSt11align_val_t(8, 64), 8, 64);
	assert(__cxa_guard_acquire(&guard) == 1);
	__cxa_guard_release(&guard);
	assert(__cxa_guard_acquire(&guard) == 0);
}

/* Of a size that no machine has instructions for: the compiler calls the library. */
static void odd_atomics(void)
{
	struct odd {
		char c[3];
	} x = { "ab" }, y = { "cd" }, z;
	volatile size_t size = sizeof(x);
	__atomic_exchange(&x, &y, &z, __ATOMIC_SEQ_CST);
	assert(x.c[0] == 'c' && z.c[0] == 'a' && !__atomic_is_lock_free(size, &x));
}

static int ran;

static void at_end(void *argument)
{
	assert(argument == &ran && ran == 7);
}

int main(void)
{
	strings();
	scans();
	operators();
	odd_atomics();
	ran = 7;
	assert(__cxa_atexit(at_end, &ran, NULL) == 0 && pthread_yield() == 0);
	__VERIFIER_assume(1);
	__VERIFIER_loop_bound(10);
	return 0;
}
