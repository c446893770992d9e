/* That threads share `secret` is found out late: a few random executions do not choose this number. */
#include <assert.h>
#include <everett.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x;
static int secret, chosen;
static void *thread(void *p)
{
	atomic_fetch_add(&x, 1);
	if (chosen == 321) {
		secret++;
		assert(secret != 3);
	}
	return p;
}
int main(void)
{
	pthread_t t[3];
	chosen = everett_choose(500);
	for (int i = 0; i < 3; i++)
		pthread_create(&t[i], NULL, thread, NULL);
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
	return 0;
}
