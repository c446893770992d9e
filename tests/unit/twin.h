/* What tests against a slow, obvious twin share: cmocka, and random numbers that are the same in every run. */
#ifndef TWIN_H
#define TWIN_H

/* cmocka.h wants these before it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* splitmix64 */
static inline uint64_t twin_random(uint64_t *seed)
{
	uint64_t x = *seed += UINT64_C(0x9e3779b97f4a7c15);
	x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
	return x ^ (x >> 31);
}

/* From 0 to n - 1. */
static inline size_t twin_below(uint64_t *seed, size_t n)
{
	return (size_t)(twin_random(seed) % n);
}

#endif
