// setjmp and longjmp inside a thread, out of nested calls with escaping locals, over and over; each thread in its own
// buffer. The two threads' writes of x, one before and one after the jump: 6.
// executions: sc/none:6
// finding: none
#include "run.h"
#include <setjmp.h>
#include <stdlib.h>
static int x;
struct context {
	jmp_buf buffer;
	int tries;
};
static void use(int *p)
{
	(*p)++;
}
static void dive(struct context *c, int depth)
{
	int local[10] = { 0 };
	use(&local[depth]);
	if (depth == 0)
		longjmp(c->buffer, 7);
	dive(c, depth - 1);
}
THREAD(work)
{
	struct context *c = malloc(sizeof(*c));
	int *volatile kept = malloc(sizeof(int));
	int escaping = 1;
	*kept = 0;
	c->tries = 0;
	use(&escaping);
	int value = setjmp(c->buffer);
	if (value == 0) {
		x = 1;
		dive(c, 9);
		assert(0);
	}
	assert(value == 7 && escaping == 2 + c->tries);
	use(&escaping);
	if (++c->tries < 50)
		dive(c, 5);
	assert(escaping == 52);
	x = 2;
	free(c);
	free(kept);
	return argument;
}
int main(void)
{
	RUN(work, work);
	return 0;
}
