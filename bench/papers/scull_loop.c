/*
 * scull_loop(N): a toy driver of a device. Two threads open it and read or write, N times; opening empties the device. Both is done
 * under a mutex, except for the sizes that reading and writing look up first. The module's loader empties the device without it.
 */
#include "papers.h"

#ifndef N
#define N 1
#endif
#ifndef USERS
#define USERS 2
#endif
#define QUANTUM 4000
#define SET 1000
#define COUNT 10

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static atomic_int default_quantum = QUANTUM, default_set = SET;
static atomic_int quantum, set_size, size, data, inside;

static void trim(void)
{
	(void)get(set_size);
	set(size, 0);
	set(quantum, get(default_quantum));
	set(set_size, get(default_set));
	set(data, 0);
}

static void device_open(void)
{
	pthread_mutex_lock(&mutex);
	set(inside, 2);
	trim();
	assert(get(inside) == 2);
	pthread_mutex_unlock(&mutex);
}

static int at_most(int count, int limit)
{
	return count < limit ? count : limit;
}

static void device_read(void)
{
	int limit = get(quantum), count = COUNT;
	(void)get(set_size);
	pthread_mutex_lock(&mutex);
	set(inside, 0);
	if (get(size) > 0) {
		if (count >= get(size))
			count = get(size);
		count = at_most(count, limit);
		(void)get(data);
		assert(get(inside) == 0);
	}
	pthread_mutex_unlock(&mutex);
}

static void device_write(void)
{
	int count = at_most(COUNT, get(quantum));
	(void)get(set_size);
	pthread_mutex_lock(&mutex);
	set(inside, 1);
	(void)get(data);
	if (get(size) < count)
		set(size, count);
	assert(get(inside) == 1);
	pthread_mutex_unlock(&mutex);
}

static void *body(void *argument)
{
	if (number(argument) == 0) {
		trim();
		return NULL;
	}
	for (int i = 0; i < N; i++) {
		device_open();
		if (number(argument) == 1)
			device_read();
		else
			device_write();
	}
	return NULL;
}

int main(void)
{
	run(1 + USERS, body);
	return 0;
}
