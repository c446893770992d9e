/*
 * Left-right, Ramalhete and Correia, 2015, with one reader and one writer: the writer changes the instance that nobody reads, sends readers there, waits until those who may be in
 * the other one have left, and changes that. Readers announce themselves under one of two versions and never wait.
 */
#include "orders.h"

static int instances[2][2];
static atomic_int side, version; /* which instance to read, and which of the counters to announce it in */
static atomic_int readers[2];

static void *read_both(void *unused)
{
	int at = LOAD(reader_version, acquire, &version);
	ADD(reader_arrive, seq_cst, &readers[at], 1);
	int *instance = instances[LOAD(reader_side, seq_cst, &side)];
	int a = instance[0], b = instance[1];
	ADD(reader_depart, release, &readers[at], -1);
	assert(a == b);
	return unused;
}

static void change(int *instance)
{
	instance[0]++;
	instance[1]++;
}

static void write_both(void)
{
	change(instances[1]);
	STORE(writer_side, seq_cst, &side, 1);
	while (LOAD(writer_scan_next, acquire, &readers[1]))
		;
	STORE(writer_version, seq_cst, &version, 1);
	while (LOAD(writer_scan, seq_cst, &readers[0]))
		;
	change(instances[0]);
}

int main(void)
{
	pthread_t t = start(read_both, NULL);
	write_both();
	finish(t);
	return 0;
}
