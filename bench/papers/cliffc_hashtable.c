/*
 * Cliffc_hashtable(N): Cliff Click's hash table without locks. A slot belongs for ever to the first key that is put into it; only its item is
 * exchanged. Where a table is too small a larger one is put behind it, and whoever has to leave the smaller one moves everything over
 * first: an item is marked, copied, and then gone, so that nobody can exchange it meanwhile; a slot without a key is closed. N is even:
 * each thread puts in a key, and looks for that of the other one of its pair. At least one of the two finds it: both count their keys
 * in between.
 *
 * In the table that 000 measured, of 32 slots, no keys meet and nobody moves; with -DSIZE=1 -DPROBES=1 they do. With -DAS_MEASURED
 * the slots do not remember the hashes of their keys: Tracer does not see that, since it is not atomic there, and races.
 */
#include "lockfree.h"
#include <stdlib.h>

#ifndef N
#define N 4
#endif
#ifndef PUTS
#define PUTS N /* only so many threads put in a key */
#endif
#ifndef SIZE
#define SIZE 32
#endif
#ifndef PROBES
#define PROBES 10
#endif

/* Behind each item is its twin that stands for it where it is marked as moving. */
struct item {
	int key, value;
	bool moving;
};

struct slot {
	struct item *_Atomic owner; /* has the slot's key */
	struct item *_Atomic item;
	atomic_int hash;
};

struct table {
	int size; /* a power of two */
	atomic_int keys, items, moved;
	struct table *_Atomic larger;
	struct slot slots[];
};

static struct item closed, gone = { .moving = true };
static struct item items[N][2];
static struct table *_Atomic top;
static bool found[N];

static struct table *table_new(int size, int count)
{
	struct table *table = calloc(1, sizeof(*table) + (size_t)size * sizeof(table->slots[0]));
	table->size = size;
	store(table->items, count);
	return table;
}

/* How many slots a key may be in. */
static int limit(const struct table *table)
{
	return PROBES + table->size / 4;
}

static struct slot *slot_of(struct table *table, int key, int probe)
{
	return &table->slots[(key + probe) & (table->size - 1)];
}

static bool has_key(struct slot *slot, struct item *owner, int key)
{
	int hash = as_measured ? 0 : load(slot->hash);
	return (hash == 0 || hash == key) && owner->key == key;
}

static bool is_moving(const struct item *item)
{
	return item && item->moving;
}

static struct table *larger_than(struct table *table)
{
	struct table *larger = load(table->larger), *none = NULL;
	if (larger)
		return larger;
	int count = load(table->items);
	larger = table_new(table->size * (count >= table->size / 2 ? 4 : 2), count);
	if (atomic_compare_exchange_strong(&table->larger, &none, larger))
		return larger;
	free(larger);
	return none;
}

static bool put(struct table *table, struct item *item, bool moving);

/* Gives whether it was this thread that moved what was in the slot. */
static bool move(struct slot *slot, struct table *larger)
{
	struct item *owner = NULL, *item;
	atomic_compare_exchange_strong(&slot->owner, &owner, &closed);
	item = load(slot->item);
	while (!is_moving(item)) {
		struct item *marked = item ? item + 1 : &gone;
		if (!atomic_compare_exchange_strong(&slot->item, &item, marked))
			continue;
		if (marked == &gone)
			return true;
		item = marked;
	}
	if (item == &gone)
		return false;
	bool mine = put(larger, item - 1, true);
	atomic_compare_exchange_strong(&slot->item, &item, &gone);
	return mine;
}

static struct table *leave(struct table *table)
{
	struct table *larger = larger_than(table), *before = table;
	int moved = 0;
	for (int i = 0; i < table->size; i++)
		moved += move(&table->slots[i], larger);
	if (moved && atomic_fetch_add(&table->moved, moved) + moved == table->size)
		atomic_compare_exchange_strong(&top, &before, larger);
	return larger;
}

/* The slot of a key, and what is in it; NULL if it cannot be in this table, after how many probes. */
static struct slot *claim(struct table *table, struct item *mine, struct item **item, int *probes)
{
	for (; *probes < limit(table); ++*probes) {
		struct slot *slot = slot_of(table, mine->key, *probes);
		struct item *owner = load(slot->owner);
		*item = load(slot->item);
		if (!owner && atomic_compare_exchange_strong(&slot->owner, &owner, mine)) {
			atomic_fetch_add(&table->keys, 1);
			if (!as_measured)
				store(slot->hash, mine->key);
			return slot;
		}
		if (owner == &closed)
			break;
		if (has_key(slot, owner, mine->key))
			return slot;
	}
	return NULL;
}

/* Gives whether the key had no item before. What is moved does not replace anything: if there is an item, it is newer. */
static bool put(struct table *table, struct item *mine, bool moving)
{
	int probes = 0;
	struct item *item;
	struct slot *slot = claim(table, mine, &item, &probes);
	if (!slot || load(table->larger) || (!item && probes >= PROBES && load(table->keys) >= limit(table)))
		return put(leave(table), mine, moving);
	do {
		if (is_moving(item))
			return put(leave(table), mine, moving);
		if (moving && item)
			return false;
	} while (!atomic_compare_exchange_strong(&slot->item, &item, mine));
	if (!moving && !item)
		atomic_fetch_add(&table->items, 1);
	return !item;
}

static struct item *look_up(struct table *table, int key)
{
	for (int probe = 0; probe < limit(table); probe++) {
		struct slot *slot = slot_of(table, key, probe);
		struct item *owner = load(slot->owner), *item = load(slot->item);
		if (!owner)
			return NULL;
		if (owner == &closed)
			break;
		if (has_key(slot, owner, key))
			return is_moving(item) ? look_up(leave(table), key) : item;
	}
	return load(table->larger) ? look_up(leave(table), key) : NULL;
}

static void *body(void *argument)
{
	int i = number(argument), wanted = (i ^ 1) + 1;
	if (i < PUTS) {
		items[i][0] = (struct item){ .key = i + 1, .value = -i };
		items[i][1] = (struct item){ .moving = true };
		assert(put(load(top), items[i], false));
	}
	struct item *item = look_up(load(top), wanted);
	assert(!item || (item->key == wanted && item->value == 1 - wanted));
	found[i] = item != NULL;
	return NULL;
}

int main(void)
{
	struct table *first = table_new(SIZE, 0), *larger;
	store(top, first);
	run(N, body);
	for (int i = 0; i < PUTS; i++) {
		assert(PUTS < N || found[i] || found[i ^ 1]);
		assert(look_up(load(top), i + 1) == items[i]);
	}
	for (; first; first = larger) {
		larger = load(first->larger);
		free(first);
	}
	return 0;
}
