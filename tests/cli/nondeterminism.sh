#!/bin/bash
# A program whose state is partly out of sight does not repeat itself, and is told so: here a library without hooks has a
# thread of its own, which counts.
. "$(dirname "$0")/lib.bash"
cat >tick.c <<'END'
#include <pthread.h>
volatile unsigned long ticks;
static void *count(void *unused)
{
	for (;;)
		ticks++;
	return unused;
}
__attribute__((constructor)) static void start(void)
{
	pthread_t t;
	pthread_create(&t, 0, count, 0);
	while (!ticks)
		;
}
END
cat >prog.c <<'END'
#include <pthread.h>
extern volatile unsigned long ticks;
unsigned long x;
static void *work(void *p)
{
	/* Long enough for the other to have its turn, also on a busy machine. */
	for (int i = 0; i < 30000000; i++)
		;
	x = ticks;
	return p;
}
int main(void)
{
	pthread_t a, b;
	pthread_create(&a, 0, work, 0);
	pthread_create(&b, 0, work, 0);
	pthread_join(a, 0);
	pthread_join(b, 0);
	return 0;
}
END
run 0 cc -shared -fPIC -pthread tick.c -o libtick.so
run 1 "$EVERETT" check -e none --check --json r.json prog.c -L. -ltick "-Wl,-rpath,$PWD"
has err 'FINDING nondeterminism at prog.c:9'
finish
