/*
 * apr_queue: a producer pushes two elements through a queue of one, two consumers pop one each; both must come, each to one of them.
 * Whoever is woken and finds that another was faster gets APR_EINTR and has to try again. TERM: main tells the consumers to stop when
 * all is pushed; nobody may be left waiting.
 * WRONG: APR_EINTR is taken for an error.
 */
#include "real.h"

#include <apr_general.h>
#include <apr_queue.h>

#ifndef N
#define N 2
#endif

static apr_queue_t *queue;
static int message[N], seen[N];

static bool failed(apr_status_t status)
{
	if (WRONG)
		assert(status == APR_SUCCESS);
	return status == APR_EINTR;
}

static void *produce(void *unused)
{
	for (int i = 0; i < N; i++) {
		message[i] = 1;
		while (failed(apr_queue_push(queue, &message[i])))
			;
	}
	return unused;
}

static void *consume(void *unused)
{
	void *m;
	apr_status_t status;
	while (failed(status = apr_queue_pop(queue, &m)))
		;
#ifdef TERM
	if (status == APR_EOF)
		return unused;
#endif
	assert(status == APR_SUCCESS);
	assert(*(int *)m == 1 && "whole");
	__atomic_add_fetch(&seen[(int *)m - message], 1, __ATOMIC_SEQ_CST);
	return unused;
}

int main(void)
{
	apr_pool_t *pool;
	apr_status_t status = apr_initialize();
	assert(status == APR_SUCCESS);
	status = apr_pool_create(&pool, NULL);
	assert(status == APR_SUCCESS);
	status = apr_queue_create(&queue, 1, pool);
	assert(status == APR_SUCCESS);
	pthread_t consumer[2];
	for (int i = 0; i < 2; i++)
		consumer[i] = start(consume, NULL);
#ifdef TERM
	status = apr_queue_term(queue);
	assert(status == APR_SUCCESS);
#else
	produce(NULL);
#endif
	for (int i = 0; i < 2; i++)
		finish(consumer[i]);
#ifndef TERM
	for (int i = 0; i < N; i++)
		assert(seen[i] == 1);
#endif
	apr_terminate();
	return 0;
}
