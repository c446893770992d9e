/* Two transfers in opposite directions: no money is lost, and both come to an end. */
#include "bank.h"

#include <assert.h>
#include <stddef.h>

static struct account alice, bob;

static void *there(void *unused)
{
	transfer(&alice, &bob, 5);
	return unused;
}

static void *back(void *unused)
{
	transfer(&bob, &alice, 3);
	return unused;
}

int main(void)
{
	pthread_t a, b;
	account_init(&alice, 1, 10);
	account_init(&bob, 2, 10);
	pthread_create(&a, NULL, there, NULL);
	pthread_create(&b, NULL, back, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	assert(alice.balance == 8 && bob.balance == 12);
	assert(transfers() == 2);
	return 0;
}
