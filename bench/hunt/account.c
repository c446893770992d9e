/* An account: deposit and withdrawal each hold the lock for a read and for a write, but not in between. */
#include "hunt.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int balance = 100;

static int read_balance(void)
{
	pthread_mutex_lock(&lock);
	int b = balance;
	pthread_mutex_unlock(&lock);
	return b;
}

static void write_balance(int b)
{
	pthread_mutex_lock(&lock);
	balance = b;
	pthread_mutex_unlock(&lock);
}

static void body(int number)
{
	for (int i = 0; i < 3; i++)
		write_balance(read_balance() + (number % 2 ? -10 : 10));
}

int main(void)
{
	run(4, body);
	assert(balance == 100);
	return 0;
}
