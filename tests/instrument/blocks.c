/* Blocks of memory: copied, moved, filled, assigned, passed and returned. */
#include <string.h>

struct big {
	long words[10];
} a, b;
struct pair {
	int x, y;
} small, other;

void copy(void *to, const void *from, size_t n)
{
	memcpy(to, from, n);
	memmove(to, from, 16);
	memset(to, 1, n);
}

void assign(void)
{
	a = b;
	small = other;
}

long by_value(struct big g, struct pair s)
{
	return g.words[3] + s.x;
}

struct big result(void)
{
	return a;
}

long call(void)
{
	return by_value(b, small) + result().words[1];
}

struct {
	unsigned low : 3, high : 5;
	unsigned long wide : 40;
} bits;

unsigned long bit_fields(void)
{
	bits.low = 5;
	bits.wide = 7;
	bits.high++;
	return bits.high + bits.wide;
}
