/* Those of <math.h> that use pointers. A file of its own: only a program that calls one needs the library of mathematics. */
#include "runtime/libc.h"
#include "runtime/wrappers.h"

#include <math.h>

#define WITH_POINTERS(sincos, remquo, lgamma_r, nan, type) \
	void evr_libc_##sincos(type x, type *sine, type *cosine) \
	{ \
		const struct evr_site *site = evr_call_site; \
		type s, c; \
		sincos(x, &s, &c); \
		evr_access_write(sine, &s, sizeof(s), site); \
		evr_access_write(cosine, &c, sizeof(c), site); \
	} \
	type evr_libc_##remquo(type x, type y, int *quotient) \
	{ \
		const struct evr_site *site = evr_call_site; \
		int q = 0; \
		type rest = remquo(x, y, &q); \
		evr_access_write(quotient, &q, sizeof(q), site); \
		return rest; \
	} \
	type evr_libc_##lgamma_r(type x, int *sign) \
	{ \
		const struct evr_site *site = evr_call_site; \
		int s; \
		type value = lgamma_r(x, &s); \
		evr_access_write(sign, &s, sizeof(s), site); \
		return value; \
	} \
	type evr_libc_##nan(const char *tag) \
	{ \
		struct evr_text t; \
		evr_text_copy(&t, tag, evr_call_site); \
		type value = nan(t.data); \
		evr_text_release(&t); \
		return value; \
	}

WITH_POINTERS(sincos, remquo, lgamma_r, nan, double)
WITH_POINTERS(sincosf, remquof, lgammaf_r, nanf, float)
WITH_POINTERS(sincosl, remquol, lgammal_r, nanl, long double)
