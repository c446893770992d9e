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
int main(void)
{
	through_a_pointer();
	through_an_input();
	through_the_accumulator();
	return 0;
}
