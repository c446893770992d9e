/* Who waits looks at the flag before it takes the lock: the signal may have come in between. */
#include "hunt.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ready = PTHREAD_COND_INITIALIZER;
static atomic_int flag, work;

static void body(int number)
{
	for (int i = 0; i < 5; i++)
		work++;
	if (number) {
		flag = 1;
		pthread_mutex_lock(&lock);
		pthread_cond_signal(&ready);
		pthread_mutex_unlock(&lock);
	} else if (!flag) {
		pthread_mutex_lock(&lock);
		pthread_cond_wait(&ready, &lock);
		pthread_mutex_unlock(&lock);
	}
}

int main(void)
{
	run(2, body);
	return 0;
}
