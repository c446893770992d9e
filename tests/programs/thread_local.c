// Thread-local variables: initialised, zero, in a function, an array, defined in another file. Each thread has fresh ones;
// only the two writes through a pointer to main's copy are shared: 2.
// everett: thread_local_other.c
// executions: sc/none:2
// finding: none
#include "run.h"
static _Thread_local int five = 5;
static __thread char text[20] = "abc";
_Thread_local long zero;
extern _Thread_local int elsewhere;
int bump_elsewhere(void);
static int *mains;
static int next(void)
{
	static _Thread_local int n = 10;
	return ++n;
}
THREAD(work)
{
	assert(five == 5 && zero == 0 && elsewhere == 77 && text[2] == 'c' && text[19] == 0);
	five = zero = elsewhere = 1;
	text[2] = 'x';
	assert(next() == 11 && next() == 12 && bump_elsewhere() == 2 && elsewhere == 2);
	assert(&five != mains);
	*mains = (int)(size_t)argument;
	return argument;
}
int main(void)
{
	five = 6;
	mains = &five;
	assert(next() == 11);
	RUN(work, work);
	assert(five == 0 || five == 1);
	assert(elsewhere == 77 && text[2] == 'c' && next() == 12);
	return 0;
}
