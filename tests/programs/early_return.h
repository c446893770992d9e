/* A function that leaves early: it must give back what it has, the buffer and the mutex, on every way out. */
#include <pthread.h>
#include <stdlib.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int balance = 1;
static int withdraw(int amount)
{
	int *record = malloc(sizeof(*record));
	*record = amount;
	pthread_mutex_lock(&mutex);
	if (amount > balance) {
#ifndef MISSED_UNLOCK
		pthread_mutex_unlock(&mutex);
#endif
#ifndef MISSED_FREE
		free(record);
#endif
		return -1;
	}
	balance -= *record;
	pthread_mutex_unlock(&mutex);
	free(record);
	return 0;
}
static void *work(void *argument)
{
	withdraw(1);
	return argument;
}
int main(void)
{
	pthread_t s, t;
	pthread_create(&s, NULL, work, NULL);
	pthread_create(&t, NULL, work, NULL);
	pthread_join(s, NULL);
	pthread_join(t, NULL);
	withdraw(0);
	return 0;
}
