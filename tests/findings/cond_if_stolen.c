// `if` where `while` is needed: another takes the token between the signal and the waking. If the one who takes has not waited, there
// are 4 orders of the three, in one of which it waits in vain, but nobody for it; else, the other two come in either order, and the thief
// may come between the signal and the waking: 3. In all 7.
// everett: -I../programs -k
// executions: sc/none:16 tso/traces:7 ra/rf:7
// finding: assertion at cond_if_stolen.c:16
#include "run.h"
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int tokens;
THREAD(take)
{
	pthread_mutex_lock(&m);
	if (!tokens)
		pthread_cond_wait(&c, &m);
	assert(tokens > 0);
	tokens--;
	pthread_mutex_unlock(&m);
	return argument;
}
THREAD(steal)
{
	pthread_mutex_lock(&m);
	if (tokens)
		tokens--;
	pthread_mutex_unlock(&m);
	return argument;
}
THREAD(give)
{
	pthread_mutex_lock(&m);
	tokens++;
	pthread_cond_signal(&c);
	pthread_mutex_unlock(&m);
	return argument;
}
int main(void)
{
	pthread_t t[3];
	pthread_create(&t[0], NULL, take, NULL);
	pthread_create(&t[1], NULL, steal, NULL);
	pthread_create(&t[2], NULL, give, NULL);
	pthread_join(t[2], NULL);
	return 0;
}
