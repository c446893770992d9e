// A loop that only waits may look at what it waits for in sections.
// executions: sc/traces:2 sc/rf:2 tso/rf:2 ra/rf:2
// blocked: sc/traces:0 sc/rf:0 tso/rf:0 ra/rf:0
// finding: none under sc tso ra
// everett: --no-races
#include <assert.h>
#include <everett.h>
#include <pthread.h>

static int flag, data;

static int __VERIFIER_atomic_ready(void) { return flag && data; }

static void *t1(void *p)
{
	while (!__VERIFIER_atomic_ready())
		;
	assert(data == 1);
	return p;
}

static void *t2(void *p)
{
	for (;;) {
		int f;
		everett_atomic_begin();
		f = flag;
		everett_atomic_end();
		if (f)
			break;
	}
	return p;
}

int main(void)
{
	pthread_t a;
	pthread_create(&a, 0, everett_choose(2) ? t1 : t2, 0);
	everett_atomic_begin();
	data = flag = 1;
	everett_atomic_end();
	pthread_join(a, 0);
	return 0;
}
