#include "mailbox.h"

bool mailbox_send(struct mailbox *box, int letter)
{
	if (atomic_load_explicit(&box->full, memory_order_acquire))
		return false;
#ifdef BUG
	/* Nothing orders the letter before the flag: x86 and TSO do so on their own, other machines do not. */
	box->letter = letter;
	atomic_store_explicit(&box->full, true, memory_order_relaxed);
#else
	box->letter = letter;
	atomic_store_explicit(&box->full, true, memory_order_release);
#endif
	return true;
}

bool mailbox_receive(struct mailbox *box, int *letter)
{
	if (!atomic_load_explicit(&box->full, memory_order_acquire))
		return false;
	*letter = box->letter;
	atomic_store_explicit(&box->full, false, memory_order_release);
	return true;
}
