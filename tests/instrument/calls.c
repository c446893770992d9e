/* Calls: of wrappers, of harmless functions, of what nobody knows; by pointer; setjmp; division; traps. */
#include <ctype.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdlib.h>

int unknown(int);
int unknown_too(void);
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static int own(int n)
{
	return n;
}

int calls(int n)
{
	pthread_mutex_lock(&mutex);
	void *p = malloc(8);
	free(p);
	n += toupper(n);
	n += unknown(n);
	n += unknown_too();
	n += unknown(n);
	n += own(n);
	return n;
}

int by_pointer(int (*f)(int), int n)
{
	void *(*allocate)(size_t) = malloc;
	allocate(8);
	return f(n);
}

jmp_buf buffer;

int jumps(void)
{
	if (setjmp(buffer))
		return 1;
	longjmp(buffer, 1);
}

int divide(int a, unsigned b, long c, double d)
{
	return (int)(a / c + b % b + a / 7 + (int)(d / 2.0));
}

void trap(void)
{
	__builtin_trap();
}

int main(void)
{
	return calls(1);
}
