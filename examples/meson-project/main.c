/* Two letters are sent; what arrives, arrives whole and in order. */
#include "mailbox.h"

#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static struct mailbox box;

static void *sender(void *unused)
{
	for (int letter = 1; letter <= 2 && mailbox_send(&box, letter); letter++)
		;
	return unused;
}

int main(void)
{
	pthread_t thread;
	int letter, expected = 1;
	pthread_create(&thread, NULL, sender, NULL);
	for (int i = 0; i < 2; i++)
		if (mailbox_receive(&box, &letter))
			assert(letter == expected++);
	pthread_join(thread, NULL);
	return 0;
}
