/*
 * Threads, and the pthread functions about them. A thread's number is that of its place in the tree of creations (its
 * parent, and the how-manieth child it is), so that it does not depend on who came first in an execution.
 *
 * Invariant: what another thread did in its epochs up to `clock` is ordered, by create and join, before whatever this thread does next;
 * what it did later is not.
 */
#include "runtime/hooks.h"
#include "runtime/libc/wrappers.h"
#include "runtime/memory/shadow.h"
#include "runtime/runtime.h"
#include "runtime/sync/sync.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <string.h>

static void entry(void *argument)
{
	struct evr_thread *t = argument;
	errno = t->error;
	evr_record(EVR_START, t->site, 0);
	if (t->site) /* of pthread_create: the program chose the function */
		evr_call_pointer(t->start11 ? (void *)(uintptr_t)t->start11 : (void *)(uintptr_t)t->start,
				 (void *)(uintptr_t)t->site);
	t->result = t->start(t->argument);
	/* A return from main is exit(), which destroys no keys. */
	if (t->id)
		evr_keys_destroy();
	evr_end_thread(false);
}

static struct evr_thread *new_thread(unsigned parent, unsigned rank)
{
#define TOO_MANY \
	"more than %d threads in one execution are not supported; main and those that have ended count", EVR_MAX_THREADS
	if (evr_rt.thread_count == EVR_MAX_THREADS && evr_current)
		evr_unsupported(evr_call_site, TOO_MANY);
	if (evr_rt.thread_count == EVR_MAX_THREADS)
		evr_die(TOO_MANY);
	struct evr_thread *t = evr_alloc(sizeof(*t));
	t->id = (evr_thread_id)evr_rt.thread_count++;
	t->parent = (evr_thread_id)parent;
	t->rank = rank;
	evr_coroutine_init(&t->coroutine, EVR_STACK_SIZE);
	t->heap = t->id ? EVR_HEAPS + (t->id - 1) * EVR_HEAP_SIZE : EVR_MAIN_HEAP;
	t->heap_limit = t->heap + (t->id ? EVR_HEAP_SIZE : EVR_MAIN_HEAP_SIZE);
	t->frames = EVR_FRAMES + t->id * EVR_FRAMES_SIZE;
	t->tls = EVR_TLS + t->id * EVR_TLS_SIZE;
	evr_rt.threads[t->id] = t;
	return t;
}

struct evr_thread *evr_thread_known(unsigned parent, unsigned rank)
{
	for (unsigned i = 0; i < evr_rt.thread_count; i++)
		if (evr_rt.threads[i]->parent == parent && evr_rt.threads[i]->rank == rank)
			return evr_rt.threads[i];
	/* Workers must number threads alike. */
	if (EVR_UNLIKELY(evr_rt.worker || evr_rt.helped))
		evr_learn(&evr_rt.world.knowledge);
	return new_thread(parent, rank);
}

struct evr_thread *evr_thread_child(struct evr_thread *parent)
{
	unsigned rank = parent->children++;
	if (rank == parent->known.len)
		evr_vec_push(&parent->known, evr_thread_known(parent->id, rank));
	return parent->known.data[rank];
}

static void empty(struct evr_thread *t)
{
	if (t->journaling)
		t->journals++;
	evr_vec_clear(&t->rwlocks);
	evr_vec_clear(&t->values);
	evr_vec_clear(&t->cleanups);
	evr_vec_clear(&t->blocks);
	evr_vec_clear(&t->locals);
	evr_vec_clear(&t->left);
	evr_vec_clear(&t->journal);
	evr_vec_clear(&t->looked);
	evr_vec_clear(&t->section_mutexes);
	evr_vec_clear(&t->periods);
	memset(t->clock, 0, evr_rt.thread_count * sizeof(t->clock[0]));
	evr_clear(&t->state, offsetof(struct evr_thread, clock) - offsetof(struct evr_thread, state));
}

void evr_thread_begin(struct evr_thread *t, void *(*start)(void *), void *argument)
{
	if (t->id >= evr_rt.world.threads) {
		/* Those between, known from other executions, are not part of this one yet. */
		for (unsigned i = evr_rt.world.threads; i < t->id; i++)
			evr_rt.threads[i]->state = EVR_UNUSED;
		evr_rt.world.threads = t->id + 1u;
	}
	evr_rt.world.await[t->id] = EVR_NO_EVENT;
	evr_rt.world.history[t->id] = (struct evr_history){ 0 };
	empty(t);
	t->start = start;
	t->argument = argument;
	t->heap_top = t->heap;
	t->fast.frames_top = t->fast.frames_held = t->frames_floor = t->frames;
	t->fast.frames_limit = t->frames + EVR_FRAMES_SIZE;
	t->random = 1;
	t->fast.loop_bound = evr_rt.config.unroll;
	t->fast.noted = 0;
	t->epoch = 1;
	evr_period_end(t, EVR_NO_EVENT);
	evr_tls_begin(t);
	t->changed = true;
	evr_coroutine_begin(&t->coroutine, entry, t);
	evr_execution.alive++;
	evr_thread_wake(t);
}

/* What every thread has, in one place; then come the state from `state` on, the clock as far as it is used, and what vectors and the stack hold. */
struct fixed {
	struct evr_fast fast;
	uint64_t journals, checked;
	void *sp;
	size_t periods, locals, left, rare;
	uint32_t epochs, stack;
};

static inline size_t rare(const struct evr_thread *t)
{
	return t->rwlocks.len | t->values.len | t->cleanups.len | t->blocks.len | t->journal.len | t->looked.len |
	       t->section_mutexes.len;
}

static inline void put_fixed_aside(const struct evr_thread *t, struct fixed *f)
{
	f->fast = t->fast;
	f->journals = t->journals;
	f->checked = evr_execution.checked[t->id];
	f->sp = t->coroutine.sp;
	f->periods = t->periods.len;
	f->locals = t->locals.len;
	f->left = t->left.len;
	f->rare = rare(t);
	/* Epochs of threads that have not begun are 0. A vector joins several of them at once. */
	f->epochs = (evr_rt.world.threads + 7) / 8 * 8;
	f->stack = t->state == EVR_ENDED ? 0 : (uint32_t)evr_coroutine_used(&t->coroutine);
}

/* Vectors never get smaller, so there is room for what there was. */
static inline void put_fixed_back(struct evr_thread *t, const struct fixed *f)
{
	t->fast = f->fast;
	t->journals = f->journals;
	evr_execution.checked[t->id] = f->checked;
	t->coroutine.sp = f->sp;
	t->periods.len = f->periods;
	t->locals.len = f->locals;
	t->left.len = f->left;
	for (unsigned i = f->epochs; i < evr_rt.thread_count; i++)
		t->clock[i] = 0;
}

static inline __attribute__((always_inline)) void pieces(struct evr_thread *t, struct evr_pieces *p, bool back)
{
	struct fixed *place = evr_piece_place(p, sizeof(*place));
	size_t any = rare(t);
	if (back)
		put_fixed_back(t, place);
	else
		put_fixed_aside(t, place);
	const size_t before = place->rare, stack = place->stack;
	const size_t state = offsetof(struct evr_thread, clock[place->epochs]) - offsetof(struct evr_thread, state);
	any |= before;
	char *at = evr_piece_place(p, state + stack + evr_vec_bytes(&t->periods) + evr_vec_bytes(&t->locals) +
					      evr_vec_bytes(&t->left));
	at = evr_piece_at(at, &t->state, state, back);
	at = evr_piece_at(at, t->coroutine.sp, stack, back);
	at = evr_piece_words(at, t->periods.data, evr_vec_bytes(&t->periods), back);
	at = evr_piece_words(at, t->locals.data, evr_vec_bytes(&t->locals), back);
	evr_piece_words(at, t->left.data, evr_vec_bytes(&t->left), back);
	if (EVR_UNLIKELY(any))
		EVR_PIECES_OF(p, before, EVR_RARE(&t->rwlocks), EVR_RARE(&t->values), EVR_RARE(&t->cleanups),
			      EVR_RARE(&t->blocks), EVR_RARE(&t->journal), EVR_RARE(&t->looked),
			      EVR_RARE(&t->section_mutexes));
	evr_world_thread_pieces(&evr_rt.world, t->id, p, back);
}

void evr_thread_pieces(struct evr_thread *t, struct evr_pieces *p)
{
	if (p->back)
		pieces(t, p, true);
	else
		pieces(t, p, false);
}

/* The child's first step comes after all that its parent did so far, and before nothing that it does from now on. */
static void order_create(struct evr_thread *parent, struct evr_thread *child)
{
	memcpy(child->clock, parent->clock, evr_rt.thread_count * sizeof(child->clock[0]));
	child->clock[parent->id] = parent->epoch;
	/* What it will see of memory that is not shared its parent has left there. */
	if (EVR_UNLIKELY(evr_rt.world.knowledge.waits)) {
		evr_rt.world.history[child->id] = evr_rt.world.history[parent->id];
		evr_history_add(&evr_rt.world.history[child->id], ~evr_hash64(child->id));
	}
	parent->epoch++;
	parent->effects++;
	evr_period_end(parent, evr_rt.world.trace.counts[parent->id] - 1);
}

bool evr_thread_has_company(void)
{
	const struct evr_thread *t = evr_current;
	for (unsigned i = 0; i < evr_rt.world.threads; i++) {
		const struct evr_thread *o = evr_rt.threads[i];
		if (o != t && o->state != EVR_UNUSED && (o->state != EVR_ENDED || t->clock[i] < o->epoch))
			return true;
	}
	return false;
}

typedef uint16_t eight_epochs __attribute__((vector_size(16)));

static void order_join(struct evr_thread *t, const struct evr_thread *ended)
{
	eight_epochs *to = (eight_epochs *)t->clock;
	const eight_epochs *from = (const eight_epochs *)ended->clock;
	for (unsigned i = 0; i < (evr_rt.thread_count + 7) / 8; i++) {
		eight_epochs larger = (eight_epochs)(to[i] > from[i]);
		to[i] = (to[i] & larger) | (from[i] & ~larger);
	}
	t->clock[ended->id] = ended->epoch;
	if (EVR_UNLIKELY(evr_rt.world.knowledge.waits)) {
		evr_history_add(&evr_rt.world.history[t->id], evr_rt.world.history[ended->id].one);
		evr_history_add(&evr_rt.world.history[t->id], evr_rt.world.history[ended->id].two);
	}
}

static _Noreturn void end_unscouted(const struct evr_site *site)
{
	evr_learn(&evr_rt.world.knowledge);
	evr_execution.stop = true;
	evr_give_up(site);
}

int evr_thread_create(pthread_t *thread, const pthread_attr_t *attr, void *(*start)(void *), int (*start11)(void *),
		      void *argument, const struct evr_site *site)
{
	struct evr_thread *t = evr_current;
	int detached = PTHREAD_CREATE_JOINABLE;
	if (EVR_UNLIKELY(evr_rt.unscouted))
		end_unscouted(site);
	if (attr) {
		pthread_attr_t copy;
		evr_access_read(&copy, attr, sizeof(copy), site);
		pthread_attr_getdetachstate(&copy, &detached);
	}
	struct evr_thread *child = evr_thread_child(t);
	pthread_t value = child->id + 1u;
	evr_access_store((uintptr_t)thread, sizeof(value), value, site);
	evr_drain(site);
	evr_thread_begin(child, start, argument);
	child->start11 = start11;
	child->detached = detached == PTHREAD_CREATE_DETACHED;
	child->site = site;
	child->fast.loop_bound = t->fast.loop_bound;
	evr_record(EVR_CREATE, site, child->id);
	evr_rt.concurrent = true;
	order_create(t, child);
	return 0;
}

int evr_libc_pthread_create(pthread_t *thread, const pthread_attr_t *attr, void *(*start)(void *), void *argument)
{
	return evr_thread_create(thread, attr, start, NULL, argument, evr_call_site);
}

static struct evr_thread *thread_of(pthread_t value)
{
	if (value == 0 || value > evr_rt.world.threads)
		return NULL;
	struct evr_thread *t = evr_rt.threads[value - 1];
	return t->state == EVR_UNUSED ? NULL : t;
}

int evr_thread_join(pthread_t thread, void **result, const struct evr_site *site)
{
	struct evr_thread *t = evr_current, *other = thread_of(thread);
	*result = NULL;
	if (!other)
		return ESRCH;
	if (other->detached || other->joined)
		return EINVAL;
	if (other == t)
		return EDEADLK;
	t->site = site;
	evr_drain(site);
	if (other->state != EVR_ENDED || other->failed) {
		t->state = EVR_JOINING;
		t->target = other->id;
		other->awaited++;
		other->changed = true;
		evr_yield();
	}
	other->joined = other->changed = true;
	evr_record(EVR_JOIN, site, other->id);
	order_join(t, other);
	*result = other->result;
	return 0;
}

int evr_libc_pthread_join(pthread_t thread, void **result)
{
	const struct evr_site *site = evr_call_site;
	void *value;
	int status = evr_thread_join(thread, &value, site);
	if (!status && result)
		evr_access_write(result, &value, sizeof(value), site);
	return status;
}

/*
 * It may give up whatever the other thread has done: the last thing that a thread does, which nobody sees, is to end. If it does not
 * give up, it waits; that the other one never ends is then of no interest, since there are executions in which this gives up.
 */
static int join_or_give_up(pthread_t thread, void **result, int given_up, const struct evr_site *site)
{
	struct evr_thread *other = thread_of(thread);
	void *value;
	EVR_ASSERT(evr_current);
	if (other == evr_current && given_up == EBUSY)
		return EBUSY;
	if (other && other != evr_current && !other->detached && !other->joined && evr_choose(2, site))
		return given_up;
	evr_current->tries = true;
	int status = evr_thread_join(thread, &value, site);
	evr_current->tries = false;
	if (!status && result)
		evr_access_write(result, &value, sizeof(value), site);
	return status;
}

int evr_libc_pthread_tryjoin_np(pthread_t thread, void **result)
{
	return join_or_give_up(thread, result, EBUSY, evr_call_site);
}

int evr_libc_pthread_timedjoin_np(pthread_t thread, void **result, const struct timespec *until)
{
	const struct evr_site *site = evr_call_site;
	if (!until)
		return evr_libc_pthread_join(thread, result);
	/* The time is looked at only by who has to wait. */
	int error = evr_check_time(until, site);
	return join_or_give_up(thread, result, error ? error : ETIMEDOUT, site);
}

int evr_libc_pthread_clockjoin_np(pthread_t thread, void **result, clockid_t clock, const struct timespec *until)
{
	int error = evr_check_clock(clock);
	return error ? error : evr_libc_pthread_timedjoin_np(thread, result, until);
}

int evr_libc_pthread_detach(pthread_t thread)
{
	struct evr_thread *other = thread_of(thread);
	if (!other)
		return ESRCH;
	if (other->detached || other->joined)
		return EINVAL;
	other->detached = other->changed = true;
	return 0;
}

void evr_libc_pthread_exit(void *result)
{
	struct evr_thread *t = evr_current;
	t->result = result;
	t->site = evr_call_site;
	evr_cleanup_run();
	evr_keys_destroy();
	/* Main's stack is there until the process ends, whatever POSIX says, and programs count on it. */
	if (t->id)
		evr_frame_abandon(t, t->site);
	else
		evr_execution.main_left = true;
	evr_end_thread(false);
}

pthread_t evr_libc_pthread_self(void)
{
	return evr_current->id + 1u;
}

int evr_libc_pthread_equal(pthread_t a, pthread_t b)
{
	return a == b;
}

int evr_libc_sched_yield(void)
{
	return 0;
}

int evr_libc_pthread_yield(void)
{
	return 0;
}
