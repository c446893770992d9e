/*
 * ck_sequence (a seqlock): a reader sees both fields of one version.
 * WRONG: the reader does not look whether it has to retry.
 */
#include "real.h"

#include <ck_sequence.h>

#ifndef N
#define N 2
#endif

static ck_sequence_t sequence = CK_SEQUENCE_INITIALIZER;
static int left, right;

static void *write_versions(void *unused)
{
	for (int i = 1; i <= N; i++) {
		ck_sequence_write_begin(&sequence);
		ck_pr_store_int(&left, i);
		ck_pr_store_int(&right, i);
		ck_sequence_write_end(&sequence);
	}
	return unused;
}

int main(void)
{
	pthread_t writer = start(write_versions, NULL);
	int a, b;
#if WRONG
	ck_sequence_read_begin(&sequence);
	a = ck_pr_load_int(&left);
	b = ck_pr_load_int(&right);
#else
	unsigned int version;
	CK_SEQUENCE_READ(&sequence, &version)
	{
		a = ck_pr_load_int(&left);
		b = ck_pr_load_int(&right);
	}
#endif
	assert(a == b);
	finish(writer);
	return 0;
}
