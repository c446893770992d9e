/* What is shared is found out late: only if all that comes before goes one way. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x, y, z;
static int secret, other;
static void *thread(void *p)
{
	int r = atomic_fetch_add(&x, 1), s = atomic_fetch_add(&y, 1), t = atomic_fetch_add(&z, 1);
	if (r == 0 && s == 3 && t == 1)
		secret++;
	if (r == 3 && s == 0 && t == 3)
		other = ++secret;
	assert(other != 2);
	return p;
}
int main(void)
{
	pthread_t t[4];
	for (int i = 0; i < 4; i++)
		pthread_create(&t[i], NULL, thread, NULL);
	for (int i = 0; i < 4; i++)
		pthread_join(t[i], NULL);
	return 0;
}
