/* Lazy initialisation that looks twice, but not under the lock. */
#include "hunt.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int there, made;

static void use(void)
{
	if (!there) {
		pthread_mutex_lock(&lock);
		made++;
		there = 1;
		pthread_mutex_unlock(&lock);
	}
	assert(made == 1);
}

static void body(int number)
{
	(void)number;
	for (int i = 0; i < 3; i++)
		use();
}

int main(void)
{
	run(4, body);
	return 0;
}
