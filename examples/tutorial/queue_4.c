// A bounded queue without locks: any number of threads put messages in, one takes them out.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

#ifndef SLOTS
#define SLOTS 2
#endif

struct message {
	int value;
};

struct slot {
	atomic_bool full;
	struct message *message;
};

static struct slot slots[SLOTS];
static atomic_uint tail; // how many messages were put in
static atomic_uint head; // how many were taken out

static bool put(struct message *m)
{
	unsigned t = atomic_load(&tail);

	do {
		if ((int)(t - atomic_load(&head)) >= SLOTS)
			return false;
	} while (!atomic_compare_exchange_strong(&tail, &t, t + 1));
	slots[t % SLOTS].message = m;
	atomic_store_explicit(&slots[t % SLOTS].full, true, memory_order_release);
	return true;
}

static struct message *get(void)
{
	unsigned h = atomic_load(&head);
	struct slot *s = &slots[h % SLOTS];
	struct message *m;

	if (!atomic_load_explicit(&s->full, memory_order_acquire))
		return NULL;
	m = s->message;
	atomic_store_explicit(&s->full, false, memory_order_release);
	atomic_store(&head, h + 1);
	return m;
}

// The test: two producers, and main is the consumer. What was sent must be received.

static void *producer(void *sent)
{
	struct message *m = malloc(sizeof(*m));

	m->value = 7;
	if (put(m))
		*(int *)sent = m->value;
	else
		assert(SLOTS < 2);
	return NULL;
}

static int receive(void)
{
	struct message *m = get();
	int value = m ? m->value : 0;

	free(m);
	return value;
}

int main(void)
{
	pthread_t a, b;
	int sent_a = 0, sent_b = 0, received;

	pthread_create(&a, NULL, producer, &sent_a);
	pthread_create(&b, NULL, producer, &sent_b);
	received = receive();
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	received += receive();
	received += receive();
	assert(received == sent_a + sent_b);
	return 0;
}
