/* Accounts, and money that moves between them. */
#ifndef BANK_H
#define BANK_H

#include <pthread.h>

struct account {
	pthread_mutex_t lock;
	int number;
	int balance;
};

void account_init(struct account *a, int number, int balance);
/* Returns 0, or -1 if `from` has too little. */
int transfer(struct account *from, struct account *to, int amount);
/* How many transfers succeeded. */
unsigned transfers(void);

#endif
