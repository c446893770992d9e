// A signal wakes one of those who wait, and each of them in some execution. W and V are the two who wait, M and N main's two signals,
// R and S what W and V do when they are woken. M N first: W V or V W, 2. M first and N later: where W and V come, 4. W M, or V M: the
// other, N and R in any order, 2 * 6. W V M or V W M: 2 to wake first, and then R N S, N R S or N S R: 2 * 2 * 3.
// In all 30.
// executions: sc/none:632 tso/traces:30 pso/traces:30 ra/rf:30
// finding: none
#include "run.h"
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int waiting, tokens, first = -1;
THREAD(wait)
{
	pthread_mutex_lock(&m);
	waiting++;
	while (!tokens)
		assert(pthread_cond_wait(&c, &m) == 0);
	tokens--;
	if (first < 0)
		first = (int)(size_t)argument;
	pthread_mutex_unlock(&m);
	return argument;
}
int main(void)
{
	pthread_t t[2];
	pthread_create(&t[0], NULL, wait, (void *)0);
	pthread_create(&t[1], NULL, wait, (void *)1);
	for (int i = 0; i < 2; i++) {
		pthread_mutex_lock(&m);
		tokens++;
		assert(pthread_cond_signal(&c) == 0);
		pthread_mutex_unlock(&m);
	}
	pthread_join(t[0], NULL);
	pthread_join(t[1], NULL);
	assert(tokens == 0 && waiting == 2);
	return 0;
}
