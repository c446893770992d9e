/*
 * jack's ringbuffer with one writer and one reader: the bytes come out as they went in. The buffer is smaller than what goes through
 * it, so that it is full, empty, and that a write is split where the buffer ends.
 * WRONG: two writers.
 */
#include "real.h"

#include <jack/ringbuffer.h>

#ifndef N
#define N 2
#endif
#ifndef CHUNK
#define CHUNK 2
#endif

static jack_ringbuffer_t *ring;
static size_t written;

static void *writer(void *unused)
{
	for (int i = 0; i < N; i++) {
		char bytes[2] = { (char)(written + 1), (char)(written + 2) };
		written += jack_ringbuffer_write(ring, bytes, CHUNK);
	}
	return unused;
}

/* What two writers have put there must be two pairs. */
static void *writer_of_pair(void *first)
{
	char bytes[2] = { (char)(intptr_t)first, (char)((intptr_t)first + 1) };
	jack_ringbuffer_write(ring, bytes, sizeof bytes);
	return NULL;
}

static size_t next;

static size_t reader(void)
{
	char bytes[CHUNK];
	size_t n = jack_ringbuffer_read(ring, bytes, sizeof bytes);
	for (size_t i = 0; i < n; i++)
		assert(bytes[i] == (char)++next);
	return n;
}

int main(void)
{
	ring = jack_ringbuffer_create(WRONG ? 8 : 4);
	assert(ring);
#if WRONG
	pthread_t a = start(writer_of_pair, (void *)1), b = start(writer_of_pair, (void *)3);
	finish(a);
	finish(b);
	char bytes[4];
	size_t n = jack_ringbuffer_read(ring, bytes, sizeof bytes);
	assert(n == 4);
	assert(bytes[1] == bytes[0] + 1 && bytes[3] == bytes[2] + 1 && bytes[0] != bytes[2]);
#else
	pthread_t a = start(writer, NULL);
	for (int i = 0; i < N; i++)
		reader();
	finish(a);
	while (reader())
		;
	assert(next == written);
#endif
	jack_ringbuffer_free(ring);
	return 0;
}
