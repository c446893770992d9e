// A thread that ends in a section ends the section: by pthread_exit, by returning, by a long jump out of a function that is one.
// executions: sc/traces:6 sc/rf:6 tso/rf:6 ra/rf:6
// finding: none under sc tso ra
// everett: --no-races
#include <assert.h>
#include <everett.h>
#include <pthread.h>
#include <setjmp.h>

static int x, y;

static void *t1(void *p)
{
	everett_atomic_begin();
	x++;
	y++;
	pthread_exit(p);
}

static void *t2(void *p)
{
	everett_atomic_begin();
	x++;
	y++;
	return p;
}

static void __VERIFIER_atomic_jump(jmp_buf b)
{
	x++;
	y++;
	longjmp(b, 1);
}

static void *t3(void *p)
{
	jmp_buf b;
	if (!setjmp(b))
		__VERIFIER_atomic_jump(b);
	return p;
}

int main(void)
{
	pthread_t a, b, c;
	pthread_create(&a, 0, t1, 0);
	pthread_create(&b, 0, t2, 0);
	pthread_create(&c, 0, t3, 0);
	pthread_join(a, 0);
	pthread_join(b, 0);
	pthread_join(c, 0);
	assert(x == 3 && y == 3);
	return 0;
}
