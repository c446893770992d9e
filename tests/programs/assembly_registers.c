// Statements of one piece of assembly that use what those before them have left in registers: a pointer, and an input that is in the register of an output.
// executions: sc/none:1 rc11/rf:1
// finding: none
#include <assert.h>
static int first = 1, second = 10;
static void through_a_pointer(void)
{
	int *p = &first;
	__asm__ volatile("movq %2, %0; lock; incl (%0)" : "+r"(p), "+m"(second) : "r"(&second) : "memory");
	assert(first == 1 && second == 11 && p == &second);
}
static void through_an_input(void)
{
	int old;
	__asm__ volatile("xchgl %0, %1; lock; addl %2, %1" : "=r"(old), "+m"(first) : "0"(5) : "memory");
	assert(old == 1 && first == 6);
}
static void through_the_accumulator(void)
{
	int found;
	__asm__ volatile("lock; cmpxchgl %3, %1; lock; addl %2, %1"
			 : "=a"(found), "+m"(second)
			 : "a"(7), "r"(100)
			 : "memory", "cc");
	assert(found == 11 && second == 22);
}
/* The result of setz is in the low byte of the register that cmpxchg compares, as Concurrency Kit has it. */
static unsigned char exchanged(int *p, int old, int new)
{
	unsigned char z;
	__asm__ volatile("lock; cmpxchgl %2, %0; setz %1" : "+m"(*p), "=a"(z) : "q"(new), "a"(old) : "memory", "cc");
	return z;
}
static void through_a_byte(void)
{
	unsigned char low;
	second = 0x1234;
	assert(exchanged(&second, 0x1234, 0x5678) == 1 && second == 0x5678);
	assert(exchanged(&second, 0x1234, 1) == 0 && second == 0x5678);
	__asm__ volatile("lock; cmpxchgl %2, %0" : "+m"(second), "=a"(low) : "q"(1), "a"(0) : "memory", "cc");
	assert(low == 0x78);
}
static void through_a_scan(void)
{
	unsigned long at, word = 0x50;
	__asm__("rep; bsf %1, %0" : "=r"(at) : "r"(word));
	assert(at == 4);
	__asm__("bsfq %1, %0" : "=r"(at) : "r"(word));
	assert(at == 4);
	__asm__("bsrq %1, %0" : "=r"(at) : "r"(word));
	assert(at == 6);
}
int main(void)
{
	through_a_pointer();
	through_an_input();
	through_the_accumulator();
	through_a_byte();
	through_a_scan();
	return 0;
}
