/*
 * Two readers (SMALL: one) and WRITERS, LOCK of rwlock, pflock, swlock (which is for one writer), tflock_ticket, brlock, bytelock: readers see
 * both fields of one version, and no version is lost.
 * WRONG: somebody writes who holds the lock as a reader.
 */
#include "real.h"

#include <ck_brlock.h>
#include <ck_bytelock.h>
#include <ck_pflock.h>
#include <ck_rwlock.h>
#include <ck_swlock.h>
#include <ck_tflock.h>

#ifndef WRITERS
#define WRITERS 1
#endif
#define GLUE(a, b) ck_##a##b
#define CALL(name, suffix) GLUE(name, suffix)

#define IS_brlock 1
#define IS_bytelock 2
#define KIND_OF(name) IS_##name
#define KIND(name) KIND_OF(name)

static CALL(LOCK, _t) lock;
static int left, right;

/* What a lock wants to know of a thread. */
#if KIND(LOCK) == IS_brlock
static ck_brlock_reader_t places[2 + WRITERS];
#define PLACE(me) , &places[me]
#define WRITING_PLACE(me)
#elif KIND(LOCK) == IS_bytelock
#define PLACE(me) , (unsigned)(me) + 1
#define WRITING_PLACE(me) PLACE(me)
#else
#define PLACE(me)
#define WRITING_PLACE(me)
#endif

static void unlock_as_reader(int me)
{
#if KIND(LOCK) == IS_brlock
	ck_brlock_read_unlock(&places[me]);
#else
	(void)me;
	CALL(LOCK, _read_unlock)(&lock PLACE(me));
#endif
}

static void *write_version(void *argument)
{
	int me = (int)(intptr_t)argument;
	(void)me;
#if WRONG
	CALL(LOCK, _read_lock)(&lock PLACE(me));
#else
	CALL(LOCK, _write_lock)(&lock WRITING_PLACE(me));
#endif
	left++;
	right++;
#if WRONG
	unlock_as_reader(me);
#else
	CALL(LOCK, _write_unlock)(&lock);
#endif
	return NULL;
}

static void *read_version(void *argument)
{
	int me = (int)(intptr_t)argument;
	(void)me;
	CALL(LOCK, _read_lock)(&lock PLACE(me));
	assert(left == right);
	unlock_as_reader(me);
	return NULL;
}

int main(void)
{
	CALL(LOCK, _init)(&lock);
#if KIND(LOCK) == IS_brlock
	for (int i = 0; i < 2 + WRITERS; i++)
		ck_brlock_read_register(&lock, &places[i]);
#endif
	pthread_t writer[WRITERS];
#ifndef SMALL
	pthread_t reader = start(read_version, (void *)1);
#endif
	for (int i = 0; i < WRITERS; i++)
		writer[i] = start(write_version, (void *)(intptr_t)(2 + i));
	read_version(NULL);
#ifndef SMALL
	finish(reader);
#endif
	for (int i = 0; i < WRITERS; i++)
		finish(writer[i]);
	assert(left == WRITERS && right == WRITERS);
	return 0;
}
