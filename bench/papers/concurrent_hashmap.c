/*
 * Concurrent_hashmap(N): a hash table of lists, with a lock for each place, as Java had it once. Whoever looks for a key goes through the
 * list without the lock, and takes it and looks again only where that found nothing. N is 2 or 4; each thread puts in a key, and looks for
 * another. The first two meet at two places, and at least one finds what the other has put in; the last two meet at one, and the
 * last thread looks for a key that nobody puts in.
 */
#include "lockfree.h"

#ifndef N
#define N 4
#endif
#ifndef PUTS
#define PUTS N /* only so many threads put in a key */
#endif

#define PLACES 16
#define NONE 0

struct entry {
	int key;
	atomic_int value;
	struct entry *_Atomic next;
};

static struct place {
	pthread_mutex_t lock; /* of who adds an entry, or changes a value */
	struct entry *_Atomic first;
} places[PLACES];

static const struct plan {
	int key, wanted;
} plans[] = { { 4, 16 }, { 16, 4 }, { 5, 21 }, { 21, 37 } };

static struct entry entries[N];
static int found[N];

static struct place *place_of(int key)
{
	return &places[key % PLACES];
}

static struct entry *search(struct entry *entry, int key)
{
	while (entry && entry->key != key)
		entry = load(entry->next);
	return entry;
}

/* Gives the value that was there before. */
static int put(struct entry *fresh, int key, int value)
{
	struct place *place = place_of(key);
	int before = NONE;
	pthread_mutex_lock(&place->lock);
	struct entry *first = load(place->first), *entry = search(first, key);
	if (entry) {
		before = load(entry->value);
		store(entry->value, value);
	} else {
		fresh->key = key;
		store(fresh->value, value);
		store(fresh->next, first);
		store(place->first, fresh);
	}
	pthread_mutex_unlock(&place->lock);
	return before;
}

static int look_up(int key)
{
	struct place *place = place_of(key);
	int value = NONE;
	struct entry *first = load(place->first), *entry = search(first, key);
	if (entry)
		value = load(entry->value);
	if (value != NONE)
		return value;
	pthread_mutex_lock(&place->lock);
	struct entry *now = load(place->first);
	if (entry || now != first) {
		entry = search(now, key);
		if (entry)
			value = load(entry->value);
	}
	pthread_mutex_unlock(&place->lock);
	return value;
}

static void *body(void *argument)
{
	int i = number(argument);
	assert(i >= PUTS || put(&entries[i], plans[i].key, -plans[i].key) == NONE);
	found[i] = look_up(plans[i].wanted);
	assert(found[i] == NONE || found[i] == -plans[i].wanted);
	return NULL;
}

int main(void)
{
	for (int i = 0; i < PLACES; i++)
		pthread_mutex_init(&places[i].lock, NULL);
	run(N, body);
	assert(PUTS < N || found[0] != NONE || found[1] != NONE);
	assert(N < 4 || found[N - 1] == NONE);
	for (int i = 0; i < PUTS; i++)
		assert(look_up(plans[i].key) == -plans[i].key);
	return 0;
}
