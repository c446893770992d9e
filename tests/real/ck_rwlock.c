/*
 * Two readers (SMALL: one) and WRITERS, LOCK of rwlock and pflock: readers see both fields of one version, and no version is lost.
 * WRONG: somebody writes who holds the lock as a reader.
 */
#include "real.h"

#include <ck_pflock.h>
#include <ck_rwlock.h>

#ifndef WRITERS
#define WRITERS 1
#endif
#define GLUE(a, b) ck_##a##b
#define CALL(name, suffix) GLUE(name, suffix)

static CALL(LOCK, _t) lock;
static int left, right;

static void *write_version(void *unused)
{
#if WRONG
	CALL(LOCK, _read_lock)(&lock);
#else
	CALL(LOCK, _write_lock)(&lock);
#endif
	left++;
	right++;
#if WRONG
	CALL(LOCK, _read_unlock)(&lock);
#else
	CALL(LOCK, _write_unlock)(&lock);
#endif
	return unused;
}

static void *read_version(void *unused)
{
	CALL(LOCK, _read_lock)(&lock);
	assert(left == right);
	CALL(LOCK, _read_unlock)(&lock);
	return unused;
}

int main(void)
{
	CALL(LOCK, _init)(&lock);
	pthread_t writer[WRITERS];
#ifndef SMALL
	pthread_t reader = start(read_version, NULL);
#endif
	for (int i = 0; i < WRITERS; i++)
		writer[i] = start(write_version, NULL);
	read_version(NULL);
#ifndef SMALL
	finish(reader);
#endif
	for (int i = 0; i < WRITERS; i++)
		finish(writer[i]);
	assert(left == WRITERS && right == WRITERS);
	return 0;
}
