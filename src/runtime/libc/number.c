/*
 * Numbers: from text, taken apart, and at random.
 *
 * Invariant: no more of a text is read than the real function would read. Random numbers are a function of the thread's own
 * history, so every execution that comes to the same point finds the same ones.
 */
#define EVR_ALLOW_BANNED
#include "runtime/libc/libc.h"
#include "runtime/libc/wrappers.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>

EVR_REAL(strtof);
EVR_REAL(strtold);
EVR_REAL(strtoll);
EVR_REAL(strtoul);
EVR_REAL(strtoimax);
EVR_REAL(strtoumax);
EVR_REAL(frexp);
EVR_REAL(frexpf);
EVR_REAL(frexpl);
EVR_REAL(modf);
EVR_REAL(modff);
EVR_REAL(modfl);
EVR_REAL(rand_r);

/*
 * Read the longest text that could be a number, and the byte that ends it, as the real function does: what follows the
 * number may lie outside of the program's memory.
 */
static void read_number(struct evr_text *t, const char *s, const char *others, const struct evr_site *site)
{
	evr_text_init(t);
	bool blank = true;
	for (;; s++) {
		char c = (char)evr_byte(s, site);
		blank = blank && isspace((unsigned char)c);
		if (!c || !(blank || isalnum((unsigned char)c) || strchr(others, c)))
			return;
		evr_text_add(t, &c, 1);
	}
}

/* Just the digits of the base, unless the base depends on what comes. */
static void read_integer(struct evr_text *t, const char *s, int base, const struct evr_site *site)
{
	evr_text_init(t);
	enum { BLANKS, SIGN, PREFIX, DIGITS } part = BLANKS;
	for (;; s++) {
		unsigned char c = evr_byte(s, site);
		if (part == BLANKS && !isspace(c))
			part = SIGN;
		if (part == SIGN && c != '+' && c != '-')
			part = PREFIX;
		bool prefix = (base == 0 || base == 16) && tolower(c) == 'x' && t->len && t->data[t->len - 1] == '0';
		int digit = isdigit(c) ? c - '0' : isalpha(c) ? tolower(c) - 'a' + 10 : 99;
		if (part >= PREFIX && digit >= (base ? base : 36) && !(part == PREFIX && prefix))
			return;
		evr_text_add(t, (const char *)&c, 1);
		if (part == SIGN || (part == PREFIX && (prefix || c != '0')))
			part++;
	}
}

static void set_end(char **end, const char *s, const struct evr_text *t, const char *stop, const struct evr_site *site)
{
	if (!end)
		return;
	char *value = (char *)(uintptr_t)s + (stop - t->data);
	evr_access_write(end, &value, sizeof(value), site);
}

#define INTEGER(name, type) \
	type evr_libc_##name(const char *s, char **end, int base) \
	{ \
		const struct evr_site *site = evr_call_site; \
		struct evr_text t; \
		char *stop; \
		read_integer(&t, s, base, site); \
		type value = name(t.data, &stop, base); \
		set_end(end, s, &t, stop, site); \
		evr_text_release(&t); \
		return value; \
	} \
	/* The name that <stdlib.h> gives it in C23. */ \
	type evr_libc___isoc23_##name(const char *s, char **end, int base) \
	{ \
		return evr_libc_##name(s, end, base); \
	}

#define FLOATING(name, type) \
	type evr_libc_##name(const char *s, char **end) \
	{ \
		const struct evr_site *site = evr_call_site; \
		struct evr_text t; \
		char *stop; \
		read_number(&t, s, ".+-()_", site); \
		type value = name(t.data, &stop); \
		set_end(end, s, &t, stop, site); \
		evr_text_release(&t); \
		return value; \
	}

INTEGER(strtol, long)
INTEGER(strtoll, long long)
INTEGER(strtoul, unsigned long)
INTEGER(strtoull, unsigned long long)
INTEGER(strtoimax, intmax_t)
INTEGER(strtoumax, uintmax_t)
FLOATING(strtod, double)
FLOATING(strtof, float)
FLOATING(strtold, long double)

int evr_libc_atoi(const char *s)
{
	return (int)evr_libc_strtol(s, NULL, 10);
}

long evr_libc_atol(const char *s)
{
	return evr_libc_strtol(s, NULL, 10);
}

long long evr_libc_atoll(const char *s)
{
	return evr_libc_strtoll(s, NULL, 10);
}

double evr_libc_atof(const char *s)
{
	return evr_libc_strtod(s, NULL);
}

/* Those of <math.h> that write through a pointer. These are part of libc itself; math.c has the others. */
#define TAKE_APART(frexp, modf, type) \
	type evr_libc_##frexp(type x, int *exponent) \
	{ \
		const struct evr_site *site = evr_call_site; \
		int e; \
		type fraction = frexp(x, &e); \
		evr_access_write(exponent, &e, sizeof(e), site); \
		return fraction; \
	} \
	type evr_libc_##modf(type x, type *whole) \
	{ \
		const struct evr_site *site = evr_call_site; \
		type w = 0; \
		type fraction = modf(x, &w); \
		evr_access_write(whole, &w, sizeof(w), site); \
		return fraction; \
	}

TAKE_APART(frexp, modf, double)
TAKE_APART(frexpf, modff, float)
TAKE_APART(frexpl, modfl, long double)

/*
 * Random numbers: a sequence of each thread's own, since which thread draws which number of a common sequence would
 * depend on the interleaving. SplitMix64.
 */
static uint64_t draw_word(void)
{
	uint64_t z = evr_current->random += UINT64_C(0x9e3779b97f4a7c15);
	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return z ^ (z >> 31);
}

static long draw(void)
{
	return (long)(draw_word() >> 33);
}

int evr_libc_rand(void)
{
	return (int)draw();
}

long evr_libc_random(void)
{
	return draw();
}

long evr_libc_lrand48(void)
{
	return draw();
}

double evr_libc_drand48(void)
{
	return (double)draw() / 2147483648.0;
}

long evr_libc_mrand48(void)
{
	return (int32_t)(draw_word() >> 32);
}

uint32_t evr_libc_arc4random(void)
{
	return (uint32_t)(draw_word() >> 32);
}

uint32_t evr_libc_arc4random_uniform(uint32_t limit)
{
	return limit ? (uint32_t)(draw_word() >> 32) % limit : 0;
}

static void draw_bytes(char *to, size_t n, const struct evr_site *site)
{
	for (size_t i = 0; i < n; i += sizeof(uint64_t)) {
		uint64_t word = draw_word();
		evr_access_write(to + i, &word, n - i < sizeof(word) ? n - i : sizeof(word), site);
	}
}

void evr_libc_arc4random_buf(void *to, size_t n)
{
	draw_bytes(to, n, evr_call_site);
}

ssize_t evr_libc_getrandom(void *to, size_t n, unsigned flags)
{
	(void)flags;
	draw_bytes(to, n, evr_call_site);
	return (ssize_t)n;
}

int evr_libc_getentropy(void *to, size_t n)
{
	if (n > 256) {
		errno = EIO;
		return -1;
	}
	draw_bytes(to, n, evr_call_site);
	return 0;
}

void evr_libc_srand(unsigned seed)
{
	evr_current->random = seed;
}

void evr_libc_srandom(unsigned seed)
{
	evr_current->random = seed;
}

void evr_libc_srand48(long seed)
{
	evr_current->random = (uint64_t)seed;
}

int evr_libc_rand_r(unsigned *state)
{
	const struct evr_site *site = evr_call_site;
	unsigned s = (unsigned)evr_access_load((uintptr_t)state, sizeof(*state), site);
	int value = rand_r(&s);
	evr_access_store((uintptr_t)state, sizeof(*state), s, site);
	return value;
}

/* Those that keep their state where the program says. */
#define FROM_STATE(name, type) \
	EVR_REAL(name); \
	type evr_libc_##name(unsigned short state[3]) \
	{ \
		const struct evr_site *site = evr_call_site; \
		unsigned short s[3]; \
		evr_access_look(s, state, sizeof(s), site); \
		type value = name(s); \
		evr_access_write(state, s, sizeof(s), site); \
		return value; \
	}

FROM_STATE(erand48, double)
FROM_STATE(nrand48, long)
FROM_STATE(jrand48, long)
