// Assembly that Everett understands. No event under SC: the two writes of x make 2.
// executions: sc/none:2
// finding: none
#include "run.h"
#include <immintrin.h>
static int x;
THREAD(work)
{
	int v = 3;
	__asm__ volatile("" ::: "memory");
	__asm__ volatile("" : "+r"(v) : : "memory");
	__asm__ volatile("" : "+m"(v));
	__asm__ volatile("" : : "r"(&v) : "memory");
	__asm__ volatile("mfence" ::: "memory");
	__asm__ volatile("lfence\n" ::: "memory");
	__asm__ volatile("\tsfence" ::: "memory");
	__asm__ __volatile__("lock; addl $0,0(%%rsp)" ::: "memory", "cc");
	__asm__ __volatile__("lock; addl $0,-4(%%rsp)" ::: "memory", "cc");
	__asm__ __volatile__("lock orl $0, (%%rsp)" ::: "memory");
	__asm__ __volatile__("pause");
	__asm__ __volatile__("rep; nop" ::: "memory");
	__asm__ __volatile__("rep nop");
	__asm__ volatile("nop");
	_mm_pause();
	_mm_mfence();
	_mm_lfence();
	_mm_sfence();
	assert(v == 3);
	x = v;
	return argument;
}
int main(void)
{
	RUN(work, work);
	return 0;
}
