/*
 * Those of <math.h> that use pointers. The references are weak, so that only a program that calls one needs the library
 * of mathematics.
 */
#include "runtime/libc/libc.h"
#include "runtime/libc/wrappers.h"

#include <math.h>
#include <stdlib.h>

static void need(bool there, const struct evr_site *site)
{
	if (!there)
		evr_unsupported(site, "the program calls a function of the math library: link with -lm");
}

#define WITH_POINTERS(sincos, remquo, lgamma_r, type) \
	EVR_REAL(sincos); \
	EVR_REAL(remquo); \
	EVR_REAL(lgamma_r); \
	void evr_libc_##sincos(type x, type *sine, type *cosine) \
	{ \
		const struct evr_site *site = evr_call_site; \
		type s = 0, c = 0; \
		need(sincos, site); \
		sincos(x, &s, &c); \
		evr_access_write(sine, &s, sizeof(s), site); \
		evr_access_write(cosine, &c, sizeof(c), site); \
	} \
	type evr_libc_##remquo(type x, type y, int *quotient) \
	{ \
		const struct evr_site *site = evr_call_site; \
		int q = 0; \
		need(remquo, site); \
		type rest = remquo(x, y, &q); \
		evr_access_write(quotient, &q, sizeof(q), site); \
		return rest; \
	} \
	type evr_libc_##lgamma_r(type x, int *sign) \
	{ \
		const struct evr_site *site = evr_call_site; \
		int s = 0; \
		need(lgamma_r, site); \
		type value = lgamma_r(x, &s); \
		evr_access_write(sign, &s, sizeof(s), site); \
		return value; \
	}

WITH_POINTERS(sincos, remquo, lgamma_r, double)
WITH_POINTERS(sincosf, remquof, lgammaf_r, float)
WITH_POINTERS(sincosl, remquol, lgammal_r, long double)

EVR_REAL(strtof);
EVR_REAL(strtold);

/* What the standard says nan() is. */
#define NOT_A_NUMBER(nan, strtod, type) \
	type evr_libc_##nan(const char *tag) \
	{ \
		struct evr_text t; \
		evr_text_init(&t); \
		evr_text_add(&t, "NAN(", 4); \
		evr_text_string(&t, tag, SIZE_MAX, evr_call_site); \
		evr_text_add(&t, ")", 1); \
		type value = strtod(t.data, NULL); \
		evr_text_release(&t); \
		return value; \
	}

NOT_A_NUMBER(nan, strtod, double)
NOT_A_NUMBER(nanf, strtof, float)
NOT_A_NUMBER(nanl, strtold, long double)
