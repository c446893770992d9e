// Types of every kind through memory that hooks see, and back. The two writes of a long double are two each (8 and 2
// bytes, as the machine may do them): 4!/(2!2!) = 6.
// everett: -Wno-bit-int-extension
// executions: sc/none:6
// finding: none
#include "run.h"
#include <complex.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
typedef int v4 __attribute__((vector_size(16)));
typedef float v8 __attribute__((vector_size(32)));
typedef char v3 __attribute__((vector_size(4)));
struct all {
	_Bool b;
	long double l;
	_BitInt(24) b24;
	_BitInt(37) b37;
	_BitInt(128) b128;
	v4 v;
	v8 w;
	v3 c3;
	float _Complex fc;
	double _Complex dc;
	__int128 i128;
	_Float16 half;
	union {
		int i;
		float f;
		char c[8];
	} u;
	struct __attribute__((packed)) {
		char c;
		int i;
		double d;
	} p;
	enum { RED = -1, GREEN = 1 } e;
	int (*function)(int);
	struct {
		signed x : 3;
		unsigned y : 11;
		unsigned long z : 40;
		bool t : 1;
	} bits;
	int n;
	short tail[];
};
static long double shared;
static int twice(int i)
{
	return 2 * i;
}
static void fill(struct all *a)
{
	a->b = 7;
	a->l = 1.25L;
	a->b24 = -5;
	a->b37 = ((_BitInt(37))1 << 35) + 3;
	a->b128 = (_BitInt(128))1 << 99;
	a->v = (v4){ 1, 2, 3, 4 };
	a->w = (v8){ 1, 2, 3, 4, 5, 6, 7, 8 };
	a->c3 = (v3){ 1, 2, 3, 4 };
	a->fc = 1 + 2 * I;
	a->dc = 3 - 4 * I;
	a->i128 = -((__int128)1 << 90);
	a->half = (_Float16)0.5;
	a->u.f = 1.0f;
	a->p.c = 'p';
	a->p.i = 0x12345678;
	a->p.d = 2.5;
	a->e = RED;
	a->function = twice;
	a->bits.x = -3;
	a->bits.y = 2000;
	a->bits.z = 0x1234567890;
	a->bits.t = true;
	a->n = 3;
	for (int i = 0; i < a->n; i++)
		a->tail[i] = (short)(i * i);
}
static void check(const struct all *a)
{
	assert(a->b == 1 && a->l == 1.25L && a->b24 == -5 && a->b37 == ((_BitInt(37))1 << 35) + 3);
	assert(a->b128 >> 99 == 1);
	assert(a->v[0] + a->v[3] == 5 && a->w[7] == 8 && a->w[0] == 1 && a->c3[2] == 3);
	assert(creal(a->dc) == 3 && cimag(a->dc) == -4 && crealf(a->fc) == 1 && cimagf(a->fc) == 2);
	assert(a->i128 == -((__int128)1 << 90) && (float)a->half == 0.5f);
	assert(a->u.i == 0x3f800000 && a->u.c[3] == 0x3f);
	assert(a->p.c == 'p' && a->p.i == 0x12345678 && a->p.d == 2.5);
	assert(a->e == RED && a->function(21) == 42);
	assert(a->bits.x == -3 && a->bits.y == 2000 && a->bits.z == 0x1234567890 && a->bits.t);
	assert(a->n == 3 && a->tail[0] == 0 && a->tail[1] == 1 && a->tail[2] == 4);
}
THREAD(write)
{
	shared = 1.5L;
	return argument;
}
int main(void)
{
	struct all *a = aligned_alloc(32, sizeof(*a) + 32);
	fill(a);
	check(a);
	a->v = a->v * 2 + (v4){ 1, 1, 1, 1 };
	a->v[1] = 50;
	assert(a->v[0] == 3 && a->v[1] == 50 && a->v[2] == 7);
	a->w += 1;
	assert(a->w[4] == 6);
	a->dc *= 2;
	assert(cimag(a->dc) == -8);
	free(a);
	RUN(write, write);
	assert(shared == 1.5L);
	return 0;
}
