// Of each header what the other tests leave out.
// everett: -lm
// executions: sc/rf:1 tso/traces:1 ra/rf:1
// finding: none
#define _GNU_SOURCE
#include <assert.h>
#include <complex.h>
#include <errno.h>
#include <fenv.h>
#include <libgen.h>
#undef basename
#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <search.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/random.h>
#include <sys/times.h>
#include <time.h>
#include <unistd.h>

static void strings(void)
{
	char a[16] = "abcdef", path[] = "/usr/lib//libc.so/", plain[] = "plain";
	bcopy(a, a + 2, 4);
	printf("%s %d %d\n", a, bcmp(a, "ababcd", 6), bcmp(a, "x", 1) != 0);
	explicit_bzero(a, 2);
	printf("%d %d\n", a[1], a[2]);
	swab("badc", a, 4);
	printf("%.4s %d %d\n", a, strverscmp("file9", "file10") < 0, strverscmp("1.0", "1.0"));
	printf("%s %s\n", basename("/usr/lib/libm.so"), basename("none"));
	char copy[32];
	strcpy(copy, path);
	printf("%s\n", __xpg_basename(copy));
	strcpy(copy, path);
	printf("%s %s %s\n", dirname(copy), dirname(plain), dirname(NULL));
}

static int same(const void *a, const void *b)
{
	return *(const int *)a != *(const int *)b;
}

static void numbers(void)
{
	int list[4] = { 3, 1, 2 }, key = 2, other = 9, q, e;
	size_t n = 3;
	printf("%td %d\n", (int *)lfind(&key, list, &n, sizeof(int), same) - list,
	       !lfind(&other, list, &n, sizeof(int), same));
	printf("%td ", (int *)lsearch(&other, list, &n, sizeof(int), same) - list);
	printf("%zu %d\n", n, list[3]);
	unsigned short x[3] = { 1, 2, 3 };
	printf("%.17g ", erand48(x));
	printf("%ld ", nrand48(x));
	printf("%ld ", jrand48(x));
	printf("%d %d %d\n", x[0], x[1], x[2]);
	srandom(1);
	srand48(1);
	long m = mrand48();
	assert(m >= -2147483648L && m <= 2147483647L && random() >= 0 && arc4random_uniform(3) < 3);
	unsigned char bytes[16];
	arc4random_buf(bytes, sizeof(bytes));
	assert(getrandom(bytes, 5, 0) == 5 && getentropy(bytes, 16) == 0 && getentropy(bytes, 257) == -1);
	assert(arc4random() != arc4random() || arc4random() != arc4random());
	float s, c;
	long double sl, cl;
	sincosf(0.5f, &s, &c);
	sincosl(0.5L, &sl, &cl);
	printf("%a %a %La %La\n", s, c, sl, cl);
	printf("%a ", remquof(7.5f, 2.0f, &q));
	printf("%d ", q);
	printf("%La ", remquol(-7.5L, 2.0L, &q));
	printf("%d\n", q);
	printf("%.5g ", lgammaf_r(-1.5f, &e));
	printf("%d ", e);
	printf("%.5Lg ", lgammal_r(3.5L, &e));
	printf("%d %d %d\n", e, isnan(nanf("1")), isnan(nanl("")));
	volatile double complex z = 3 + 4 * I, w = 1 - I;
	printf("%g %g %g %g %g\n", cabs(z), creal(z * w), cimag(z / w), creal(csqrt(z)), j0(1.0));
	volatile double one = 1, three = 3;
	feclearexcept(FE_ALL_EXCEPT);
	one = one / three;
	assert(fetestexcept(FE_INEXACT) && feclearexcept(FE_INEXACT) == 0 && !fetestexcept(FE_INEXACT));
	assert(feraiseexcept(FE_DIVBYZERO) == 0 && fetestexcept(FE_DIVBYZERO) && fesetround(FE_UPWARD) == 0);
	assert(fegetround() == FE_UPWARD && fesetround(FE_TONEAREST) == 0);
}

static int scan(const char *s, FILE *f, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	int n = s ? vsscanf(s, format, args) : f ? vfscanf(f, format, args) : vscanf(format, args);
	va_end(args);
	return n;
}

static void others(void)
{
	struct tm parts = { 0 };
	struct tms used;
	struct timespec step;
	clockid_t id;
	int a = 0;
	/* Of a date, only what a function needs must be there. */
	struct tm *some = malloc(sizeof(*some));
	some->tm_year = 100, some->tm_mon = 1, some->tm_mday = 30, some->tm_hour = some->tm_min = some->tm_sec = 0;
	char year[8];
	strftime(year, sizeof(year), "%Y", some);
	printf("%s ", year);
	some->tm_isdst = 0;
	printf("%ld ", (long)timegm(some));
	printf("%d %d\n", some->tm_mon, some->tm_wday);
	free(some);
	const char *date = "2001-02-03 04:05:06 rest";
	printf("%s|", strptime(date, "%Y-%m-%d %H:%M:%S", &parts));
	printf("%d %d %d %d %d\n", parts.tm_year, parts.tm_mon, parts.tm_mday, parts.tm_hour, parts.tm_yday);
	assert(!strptime("nonsense", "%Y", &parts) && timelocal(&parts) == mktime(&parts) && times(&used) != -1);
	assert(clock_getres(CLOCK_MONOTONIC, &step) == 0 && step.tv_sec == 0 && clock_getcpuclockid(0, &id) == 0);
	assert(clock_gettime(id, &step) == 0 && pthread_getcpuclockid(pthread_self(), &id) == 0 &&
	       clock_gettime(id, &step) == 0);
	assert(scan("5", NULL, "%d", &a) == 1 && a == 5 && scan(NULL, NULL, "%d", &a) == EOF &&
	       scan(NULL, stdin, "%d", &a) == EOF);
	assert(scanf("%d", &a) == EOF);
	assert(getppid() > 0 && gettid() > 0 && sched_yield() == 0);
	pthread_attr_t attr;
	size_t size;
	assert(pthread_attr_init(&attr) == 0 && pthread_attr_setstacksize(&attr, 1 << 20) == 0);
	assert(pthread_attr_getstacksize(&attr, &size) == 0 && size == 1 << 20 && pthread_attr_destroy(&attr) == 0);
}

int main(void)
{
	strings();
	numbers();
	others();
	return 0;
}
