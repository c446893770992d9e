/* What a thread does when it ends: cleanup handlers, and the destructors of thread-specific data. */
#include "runtime/hooks.h"
#include "runtime/libc/wrappers.h"
#include "runtime/sync/sync.h"

#include <errno.h>
#include <limits.h>

/*
 * Keys. The number of a key follows from which thread created it, and how many it had created before; how many there can be
 * is counted for each thread, so that it does not depend on what others do meanwhile.
 */
#define CREATED_BY_THREAD (1u << 20)

static struct evr_specific_key *find_key(pthread_key_t number)
{
	for (size_t i = 0; i < evr_execution.keys.len; i++)
		if (evr_execution.keys.data[i].number == number)
			return &evr_execution.keys.data[i];
	return NULL;
}

static struct evr_specific *find_value(struct evr_thread *t, pthread_key_t number)
{
	for (size_t i = 0; i < t->values.len; i++)
		if (t->values.data[i].key == number)
			return &t->values.data[i];
	return NULL;
}

int evr_libc_pthread_key_create(pthread_key_t *key, void (*destructor)(void *))
{
	const struct evr_site *site = evr_call_site;
	struct evr_thread *t = evr_current;
	unsigned live = 0;
	for (size_t i = 0; i < evr_execution.keys.len; i++)
		live += evr_execution.keys.data[i].number / CREATED_BY_THREAD == t->id;
	if (live == PTHREAD_KEYS_MAX || t->keys == CREATED_BY_THREAD)
		return EAGAIN;
	pthread_key_t number = t->id * CREATED_BY_THREAD + t->keys++;
	evr_vec_push(&evr_execution.keys, (struct evr_specific_key){ number, destructor });
	evr_access_store((uintptr_t)key, sizeof(number), number, site);
	return 0;
}

int evr_libc_pthread_key_delete(pthread_key_t key)
{
	struct evr_specific_key *k = find_key(key);
	if (!k)
		return EINVAL;
	*k = evr_vec_last(&evr_execution.keys);
	evr_execution.keys.len--;
	return 0;
}

int evr_libc_pthread_setspecific(pthread_key_t key, const void *value)
{
	struct evr_thread *t = evr_current;
	struct evr_specific *v = find_value(t, key);
	if (!find_key(key))
		return EINVAL;
	if (v)
		v->value = (void *)(uintptr_t)value;
	else
		evr_vec_push(&t->values, (struct evr_specific){ key, (void *)(uintptr_t)value });
	return 0;
}

void *evr_libc_pthread_getspecific(pthread_key_t key)
{
	const struct evr_specific *v = find_value(evr_current, key);
	return v && find_key(key) ? v->value : NULL;
}

void evr_keys_destroy(void)
{
	struct evr_thread *t = evr_current;
	bool again = true;
	for (unsigned round = 0; again && round < PTHREAD_DESTRUCTOR_ITERATIONS; round++) {
		again = false;
		/* A destructor may set values: the list can move, and grow. */
		for (size_t i = 0; i < t->values.len; i++) {
			void *value = t->values.data[i].value;
			struct evr_specific_key *k = find_key(t->values.data[i].key);
			if (!value || !k || !k->destructor)
				continue;
			t->values.data[i].value = NULL;
			again = true;
			evr_call_pointer((void *)(uintptr_t)k->destructor, (void *)(uintptr_t)t->site);
			k->destructor(value);
		}
	}
}

/* Cleanup handlers: pthread_cleanup_push() makes a place to jump to, which calls the handler and then asks for the next. */
void evr_libc___pthread_register_cancel(__pthread_unwind_buf_t *buffer)
{
	evr_vec_push(&evr_current->cleanups, buffer);
}

void evr_libc___pthread_unregister_cancel(__pthread_unwind_buf_t *buffer)
{
	struct evr_thread *t = evr_current;
	if (t->cleanups.len && evr_vec_last(&t->cleanups) == buffer)
		t->cleanups.len--;
}

void evr_cleanup_run(void)
{
	struct evr_thread *t = evr_current;
	if (!t->cleanups.len)
		return;
	void *buffer = evr_vec_last(&t->cleanups);
	t->cleanups.len--;
	evr_libc__longjmp(buffer, 1);
}

void evr_libc___pthread_unwind_next(__pthread_unwind_buf_t *buffer)
{
	(void)buffer;
	evr_libc_pthread_exit(evr_current->result);
}
