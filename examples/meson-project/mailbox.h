/* A box with room for one letter, between one sender and one receiver. Neither ever waits. */
#ifndef MAILBOX_H
#define MAILBOX_H

#include <stdatomic.h>
#include <stdbool.h>

struct mailbox {
	atomic_bool full;
	int letter;
};

/* Returns whether there was room. */
bool mailbox_send(struct mailbox *box, int letter);
/* Returns whether there was a letter. */
bool mailbox_receive(struct mailbox *box, int *letter);

#endif
