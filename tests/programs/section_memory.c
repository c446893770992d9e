// Memory that is freed, a function that is a thread's first, and an atomic object that no instruction can access, in sections.
// executions: sc/traces:6 sc/rf:6 tso/rf:6
// finding: none under sc tso
#include <assert.h>
#include <everett.h>
#include <pthread.h>
#include <stdlib.h>

struct large {
	long a[3];
};
static _Atomic struct large l;
static int *p;

/* The one that comes last frees. */
void *__VERIFIER_atomic_thread(void *argument)
{
	struct large v = l;
	v.a[0]++;
	l = v;
	if (v.a[0] == 3) {
		*p = 1;
		free(p);
		p = NULL;
	} else {
		*p = 2;
		*p = 3;
	}
	return argument;
}

int main(void)
{
	pthread_t t[3];
	p = malloc(sizeof(int));
	for (int i = 0; i < 3; i++)
		pthread_create(&t[i], 0, __VERIFIER_atomic_thread, 0);
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], 0);
	struct large v = l;
	assert(v.a[0] == 3 && !p);
	return 0;
}
