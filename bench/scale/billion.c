/*
 * A billion reads-from classes, each of which is cheap to explore: one thread writes a variable WRITES times, another one reads it READS times. What it reads never gets
 * older, and nothing else is forbidden, so there are as many classes as non-decreasing sequences of READS of the WRITES + 1 values: (WRITES + READS)! / (WRITES! READS!).
 */
#include <pthread.h>
#include <stdatomic.h>

#ifndef WRITES
#define WRITES 16
#endif
#ifndef READS
#define READS 17
#endif

static atomic_int x;

static void *writer(void *p)
{
	for (int i = 1; i <= WRITES; i++)
		atomic_store(&x, i);
	return p;
}

static void *reader(void *p)
{
	for (int i = 0; i < READS; i++)
		(void)atomic_load(&x);
	return p;
}

int main(void)
{
	pthread_t a, b;
	pthread_create(&a, NULL, writer, NULL);
	pthread_create(&b, NULL, reader, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
