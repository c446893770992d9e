// Numbers from text, mathematics through pointers, random numbers.
// everett: -lm
// executions: sc/rf:1 tso/traces:1 ra/rf:1
// finding: none
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
	char *end;
	const char *s = "  -42rest";
	assert(strtol(s, &end, 10) == -42 && end == s + 5);
	assert(strtol("0x1fz", &end, 0) == 31 && *end == 'z' && strtol("0x1f", NULL, 16) == 31 &&
	       strtol("077", NULL, 0) == 63);
	assert(strtol("zz", NULL, 36) == 1295 && strtol("", &end, 10) == 0 && strtoul("10", &end, 2) == 2);
	errno = 0;
	assert(strtol("99999999999999999999", NULL, 10) == LONG_MAX && errno == ERANGE);
	assert(strtoull("18446744073709551615", NULL, 10) == ULLONG_MAX && strtoll("-1", NULL, 10) == -1);
	assert(strtoimax("7", NULL, 10) == 7 && strtoumax("8", NULL, 10) == 8);
	assert(atoi("12x") == 12 && atol("-3") == -3 && atoll("4") == 4 && atof("2.5") == 2.5);
	s = "1.5e3,";
	assert(strtod(s, &end) == 1500.0 && end == s + 5 && strtof("0.5", NULL) == 0.5f &&
	       strtold("0x1p4", NULL) == 16.0L);
	assert(isinf(strtod("-inf", NULL)) && isnan(strtod("nan(1)x", &end)) && *end == 'x');
	/* A number need not end where the memory does. */
	char *open = malloc(3);
	memcpy(open, "12,", 3);
	assert(strtol(open, &end, 10) == 12 && end == open + 2 && strtod(open, &end) == 12.0 && end == open + 2);
	free(open);

	int e, q;
	double whole, sine, cosine;
	float wholef;
	long double wholel;
	assert(frexp(8.0, &e) == 0.5 && e == 4 && frexpf(1.0f, &e) == 0.5f && e == 1 && frexpl(2.0L, &e) == 0.5L &&
	       e == 2);
	assert(modf(3.25, &whole) == 0.25 && whole == 3.0 && modff(1.5f, &wholef) == 0.5f && wholef == 1.0f);
	assert(modfl(-2.5L, &wholel) == -0.5L && wholel == -2.0L);
	sincos(0.0, &sine, &cosine);
	assert(sine == 0.0 && cosine == 1.0 && remquo(7.0, 2.0, &q) == -1.0 && q == 4);
	assert(lgamma_r(1.0, &e) == 0.0 && e == 1 && isnan(nan("")));
	volatile double two = 2.0;
	assert(sqrt(two * two) == 2.0 && pow(two, 10) == 1024.0 && floor(-two - 0.5) == -3.0 && fmod(7.0, two) == 1.0);
	assert(lround(two) == 2 && fabs(-two) == 2.0 && ldexp(1.0, 4) == 16.0 && hypot(3.0, 4.0) == 5.0);

	srand(1);
	int first = rand(), second = rand();
	srand(1);
	assert(rand() == first && rand() == second && first >= 0 && random() >= 0);
	unsigned state = 5, again = 5;
	assert(rand_r(&state) == rand_r(&again) && state == again);
	double d = drand48();
	assert(d >= 0.0 && d < 1.0 && lrand48() >= 0);
	return 0;
}
