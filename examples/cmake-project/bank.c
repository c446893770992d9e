#include "bank.h"

#include <stdatomic.h>
#include <stddef.h>

static atomic_uint count;

void account_init(struct account *a, int number, int balance)
{
	pthread_mutex_init(&a->lock, NULL);
	a->number = number;
	a->balance = balance;
}

static void lock_both(struct account *a, struct account *b)
{
#ifndef BUG
	/* In the order of their numbers, so that two transfers cannot wait for each other. */
	if (a->number > b->number) {
		struct account *other = a;
		a = b;
		b = other;
	}
#endif
	pthread_mutex_lock(&a->lock);
	pthread_mutex_lock(&b->lock);
}

int transfer(struct account *from, struct account *to, int amount)
{
	int result = -1;
	lock_both(from, to);
	if (from->balance >= amount) {
		from->balance -= amount;
		to->balance += amount;
		result = 0;
	}
	pthread_mutex_unlock(&to->lock);
	pthread_mutex_unlock(&from->lock);
	if (result == 0)
		atomic_fetch_add(&count, 1);
	return result;
}

unsigned transfers(void)
{
	return atomic_load(&count);
}
