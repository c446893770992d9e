// Inline assembly of x86 as libraries write it, lifted to atomic instructions: the same values as on the processor.
// executions: sc/rf:1 tso/traces:1 pso/traces:1 ra/rf:1 rc11/rf:1
// finding: none
#include <assert.h>
#include <stdint.h>
#include <stdio.h>

#if defined(__x86_64__)
#define WIDTHS(F) F(uint8_t, "b", "q") F(uint16_t, "w", "r") F(uint32_t, "l", "r") F(uint64_t, "q", "r")
#define FUNCTIONS(type, suffix, kind) \
	static type exchange_##type(type *p, type v) \
	{ \
		__asm__ __volatile__("xchg" suffix " %0, %1" : "=" kind(v), "+m"(*p) : "0"(v) : "memory"); \
		return v; \
	} \
	static type fetch_add_##type(type *p, type v) \
	{ \
		__asm__ __volatile__("lock; xadd" suffix " %0, %1" : "+" kind(v), "+m"(*p) : : "memory", "cc"); \
		return v; \
	} \
	static type cas_##type(type *p, type old, type new) \
	{ \
		type result = old; \
		__asm__ __volatile__("lock\n\tcmpxchg" suffix " %2, %1" : "+a"(result), "+m"(*p) : kind(new) : "memory"); \
		return result; \
	} \
	static int cas_set_##type(type *p, type old, type new) \
	{ \
		uint8_t done; \
		__asm__ __volatile__("lock cmpxchg" suffix " %3, %0; setz %1" \
				     : "+m"(*p), "=q"(done), "+a"(old) : kind(new) : "memory", "cc"); \
		return done; \
	} \
	static int decrement_##type(type *p) \
	{ \
		int zero; \
		__asm__ __volatile__("lock; dec" suffix " %0" : "+m"(*p), "=@ccz"(zero) : : "memory"); \
		return zero; \
	} \
	static type operations_##type(type *p) \
	{ \
		__asm__ __volatile__("lock; add" suffix " %1, %0" : "=m"(*p) : "i" kind((type)5), "m"(*p) : "memory"); \
		__asm__ __volatile__("lock; or" suffix " %1, %0" : "+m"(*p) : "i" kind((type)64)); \
		__asm__ __volatile__("lock; and" suffix " $0x7d, %0" : "+m"(*p)); \
		__asm__ __volatile__("lock ; xor" suffix " %1, %0" : "+m"(*p) : kind((type)3)); \
		__asm__ __volatile__("lock; sub" suffix " %1, (%0)" : : "r"(p), kind((type)1) : "memory"); \
		__asm__ __volatile__("lock; inc" suffix " %0; pause" : "+m"(*p)); \
		__asm__ __volatile__("lock; not" suffix " %0" : "+m"(*p)); \
		return *p; \
	} \
	static type moves_##type(type *p, type v) \
	{ \
		type r; \
		__asm__ __volatile__("mov" suffix " %1, %0" : "=m"(*p) : kind(v) : "memory"); \
		__asm__ __volatile__("mov" suffix " %1, %0" : "=" kind(r) : "m"(*p) : "memory"); \
		return r; \
	} \
	static void all_##type(void) \
	{ \
		type x = 1; \
		assert(exchange_##type(&x, 7) == 1 && x == 7 && fetch_add_##type(&x, (type)-1) == 7 && x == 6); \
		assert(cas_##type(&x, 5, 9) == 6 && x == 6 && cas_##type(&x, 6, 9) == 6 && x == 9); \
		assert(!cas_set_##type(&x, 5, 1) && x == 9 && cas_set_##type(&x, 9, 2) && x == 2); \
		assert(!decrement_##type(&x) && decrement_##type(&x) && x == 0); \
		type y = operations_##type(&x), z = moves_##type(&x, (type)0xfedcba98); \
		printf("%s %llx %llx\n", #type, (unsigned long long)y, (unsigned long long)z); \
	}
WIDTHS(FUNCTIONS)

/* An address of unknown size behind the operand. */
struct wide {
	unsigned long words[10];
};

static void *swap(void **p, void *v)
{
	__asm__ __volatile__("xchgq %0, %1" : "=r"(v), "+m"(*(struct wide *)(void *)p) : "0"(v) : "memory");
	return v;
}

static int lowest(unsigned long v)
{
	unsigned long r;
	__asm__("bsfq %1, %0" : "=r"(r) : "r"(v) : "cc");
	return (int)r;
}

static int highest(unsigned v)
{
	unsigned r;
	__asm__("bsrl %1, %0" : "=r"(r) : "r"(v) : "cc");
	return (int)r;
}

int main(void)
{
	void *room[10] = { &room };
	all_uint8_t();
	all_uint16_t();
	all_uint32_t();
	all_uint64_t();
	assert(swap(room, NULL) == &room && !room[0]);
	assert(lowest(0x50) == 4 && highest(0x50) == 6 && highest(1) == 0 && lowest(1ul << 63) == 63);
	return 0;
}
#else
int main(void)
{
	return 0;
}
#endif
