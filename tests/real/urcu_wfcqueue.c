/*
 * liburcu's wait-free queue (wfcqueue): two threads enqueue, one (SMALL: one of them)
 * dequeues; in each thread's order, whole, nothing lost, nothing twice.
 * BLOCKING: by the function that waits for an enqueuer that is half done. Its loop counts from 0 to 10 again and again, and has to be bounded.
 * WRONG: two threads dequeue without the lock that excludes them.
 */
#include "real.h"

#include <urcu/wfcqueue.h>

#ifndef N
#define N 2
#endif

static struct node {
	struct cds_wfcq_node link;
	int payload, taken;
} node[2 * N];
static struct cds_wfcq_head head;
static struct cds_wfcq_tail tail;

static void *enqueue(void *first)
{
	for (int i = 0; i < N; i++) {
		struct node *n = (struct node *)first + i;
		n->payload = 1;
		cds_wfcq_node_init(&n->link);
		cds_wfcq_enqueue(&head, &tail, &n->link);
	}
	return NULL;
}

static struct node *dequeue(void)
{
#ifdef BLOCKING
	struct cds_wfcq_node *link = cds_wfcq_dequeue_blocking(&head, &tail);
#else
	if (!WRONG)
		cds_wfcq_dequeue_lock(&head, &tail);
	struct cds_wfcq_node *link = __cds_wfcq_dequeue_nonblocking(&head, &tail);
	if (!WRONG)
		cds_wfcq_dequeue_unlock(&head, &tail);
	if (link == CDS_WFCQ_WOULDBLOCK)
		return NULL;
#endif
	if (!link)
		return NULL;
	struct node *n = (struct node *)link;
	assert(n->payload == 1 && "whole");
	int before = __atomic_fetch_add(&n->taken, 1, __ATOMIC_SEQ_CST);
	assert(!before && "once");
	return n;
}

static void *dequeue_once(void *unused)
{
	dequeue();
	return unused;
}

int main(void)
{
	cds_wfcq_init(&head, &tail);
	pthread_t a = start(enqueue, node);
#ifdef SMALL
	enqueue(node + N);
#else
	pthread_t b = start(enqueue, node + N);
#endif
#ifdef DEQUEUERS
	pthread_t c = start(dequeue_once, NULL);
#endif
	struct node *last[2] = { node - 1, node + N - 1 };
	for (int i = 0; i < N; i++) {
		struct node *n = dequeue();
		if (n) {
			struct node **before = &last[n >= node + N];
			assert(n > *before && "in order");
			*before = n;
		}
	}
	finish(a);
#ifndef SMALL
	finish(b);
#endif
#ifdef DEQUEUERS
	finish(c);
#endif
	while (dequeue())
		;
	for (int i = 0; i < 2 * N; i++)
		assert(node[i].taken == 1);
	assert(cds_wfcq_empty(&head, &tail));
	return 0;
}
