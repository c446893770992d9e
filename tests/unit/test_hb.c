#include "twin.h"

#include "explore/hb.h"

#include <errno.h>
#include <string.h>

/*
 * Random executions of threads with store buffers and mutexes, and happens-before once more: a matrix of edges, from the
 * definition, byte by byte, closed by brute force. Nothing here reads memory: addresses are numbers.
 */
enum { THREADS = 4, LENGTH = 40, MAX_EVENTS = 2 * LENGTH + 64, BYTES = 24, MUTEXES = 2, MUTEX_SIZE = 40 };
enum { MEMORY = 1000, BLOCK = MEMORY + 16 /* 8 bytes that may be freed */, MUTEX = 2000 };

static const struct evr_site relaxed = { .order = EVR_RELAXED }, seq_cst = { .order = EVR_SEQ_CST };

struct entry {
	evr_event_id store;
	uint32_t barrier;
};

struct machine {
	bool buffered, fifo, sizes; /* sizes: accesses of several sizes */
	unsigned threads, running;
	bool ended[THREADS], freed;
	struct entry buffer[THREADS][MAX_EVENTS];
	size_t len[THREADS];
	uint32_t released[THREADS];
	unsigned holder[MUTEXES], depth[MUTEXES]; /* holder: thread + 1 */
	size_t events;
	uint32_t counts[THREADS];
};

static struct evr_trace trace;
static uint64_t seed = 1;

static size_t below(size_t n)
{
	return twin_below(&seed, n);
}

static bool overlap(const struct evr_event *a, const struct evr_event *b)
{
	return a->address < b->address + b->size && b->address < a->address + a->size;
}

static bool in_buffer(const struct evr_event *e)
{
	return evr_event_is_buffered(e);
}

/* ---- executions ---- */

static void add(struct machine *m, struct evr_event e)
{
	e.source = EVR_NO_EVENT;
	evr_event_id id = evr_trace_append(&trace, &e);
	if (in_buffer(&e)) {
		uint32_t index = trace.events.data[id].index;
		bool in_order = m->fifo || !below(4);
		m->buffer[e.thread][m->len[e.thread]++] =
			(struct entry){ id, in_order ? index : m->released[e.thread] };
	}
	m->events = trace.events.len;
	memcpy(m->counts, trace.counts, sizeof(m->counts));
}

static bool may_update(const struct machine *m, unsigned t, size_t i)
{
	const struct evr_event *events = trace.events.data;
	for (size_t k = 0; k < i; k++)
		if (events[m->buffer[t][k].store].index < m->buffer[t][i].barrier ||
		    overlap(&events[m->buffer[t][k].store], &events[m->buffer[t][i].store]))
			return false;
	return true;
}

static void update(struct machine *m, unsigned t, size_t i)
{
	if (!may_update(m, t, i))
		return;
	struct entry entry = m->buffer[t][i];
	struct evr_event e = trace.events.data[entry.store];
	e.kind = EVR_UPDATE;
	e.flags = 0;
	e.barrier = entry.barrier;
	memmove(&m->buffer[t][i], &m->buffer[t][i + 1], (m->len[t] - i - 1) * sizeof(entry));
	m->len[t]--;
	add(m, e);
}

/* An event that waits for its thread's buffer if it must. */
static void step(struct machine *m, struct evr_event e)
{
	while (evr_event_flushes(&e) && m->len[e.thread])
		update(m, e.thread, below(m->len[e.thread]));
	add(m, e);
}

static void some_access(struct machine *m, evr_thread_id t)
{
	static const uint8_t kinds[] = {
		EVR_READ, EVR_READ, EVR_READ, EVR_WRITE, EVR_WRITE, EVR_WRITE, EVR_RMW, EVR_CAS
	};
	struct evr_event e = { .thread = t, .kind = kinds[below(8)], .site = below(6) ? &relaxed : &seq_cst };
	e.size = m->sizes ? 1u << below(4) : 4;
	e.address = MEMORY + below(BYTES / e.size) * e.size;
	if (m->sizes && !below(4))
		e.address = MEMORY + below(BYTES - e.size + 1);
	e.read = below(2); /* a CAS expects 0 */
	if (e.kind == EVR_WRITE && m->buffered && e.site != &seq_cst)
		e.flags = EVR_BUFFERED;
	if (!below(40)) {
		e.attempted = e.kind;
		e.kind = EVR_FAULT;
	}
	step(m, e);
}

static void some_mutex(struct machine *m, evr_thread_id t)
{
	unsigned i = (unsigned)below(MUTEXES);
	static const uint8_t kinds[] = { EVR_LOCK, EVR_LOCK, EVR_UNLOCK, EVR_UNLOCK, EVR_TRYLOCK, EVR_TIMEDLOCK };
	struct evr_event e = { .thread = t,
			       .kind = kinds[below(6)],
			       .address = MUTEX + i * 100,
			       .size = MUTEX_SIZE,
			       .holder = m->holder[i] };
	bool mine = m->holder[i] == t + 1u, free = !m->holder[i];
	if (e.kind == EVR_LOCK && !free && !mine)
		return;
	if (!below(30))
		e.kind = EVR_MUTEX_INIT;
	if (e.kind == EVR_UNLOCK) {
		e.result = mine ? 0 : EPERM;
		if (mine && !--m->depth[i])
			m->holder[i] = 0;
	} else if (e.kind == EVR_MUTEX_INIT) {
		m->holder[i] = m->depth[i] = 0;
	} else if (free || mine) {
		m->holder[i] = t + 1u;
		m->depth[i]++;
	} else {
		e.result = EBUSY;
	}
	step(m, e);
}

static void some_rare_event(struct machine *m, evr_thread_id t)
{
	struct evr_event e = { .thread = t, .site = &relaxed };
	switch (below(m->buffered ? 4 : 2)) {
	case 0:
		e.kind = EVR_CHOOSE;
		e.choices = below(3);
		break;
	case 1:
		if (m->freed || below(2))
			return;
		m->freed = true;
		e = (struct evr_event){
			.thread = t,
			.kind = EVR_FREE,
			.flags = m->buffered ? EVR_OVERTAKES : 0,
			.address = BLOCK,
			.size = MEMORY + BYTES - BLOCK,
		};
		break;
	case 2:
		e.kind = EVR_FENCE;
		if (below(2))
			e.site = &seq_cst;
		else
			m->released[t] = trace.counts[t];
		break;
	default:
		e.kind = EVR_DRAIN;
	}
	step(m, e);
}

/* Main creates the others, and joins those that have ended. */
static void some_event(struct machine *m)
{
	unsigned t = (unsigned)below(m->running);
	if (m->running < m->threads && (m->running < 2 || !below(4))) {
		step(m, (struct evr_event){ .kind = EVR_CREATE, .other = m->running++ });
	} else if (t && !m->ended[t] && !below(20)) {
		step(m, (struct evr_event){ .kind = EVR_EXIT, .thread = (evr_thread_id)t });
		step(m, (struct evr_event){ .kind = EVR_JOIN, .other = t });
		m->ended[t] = true;
	} else if (m->len[t] && !below(3)) {
		update(m, t, below(m->len[t]));
	} else if (!m->ended[t]) {
		size_t kind = below(10);
		if (kind == 0)
			some_rare_event(m, (evr_thread_id)t);
		else if (kind < 4)
			some_mutex(m, (evr_thread_id)t);
		else
			some_access(m, (evr_thread_id)t);
	}
}

/* ---- the twin ---- */

static bool before[MAX_EVENTS][MAX_EVENTS];  /* happens-before, reflexive */
static bool without[MAX_EVENTS][MAX_EVENTS]; /* the past of an event without what it does to memory; not itself */
static bool touches[MAX_EVENTS][MAX_EVENTS]; /* edges because of memory */

static const struct evr_event *event(size_t i)
{
	return &trace.events.data[i];
}

static bool changes(size_t i)
{
	return evr_event_writes(event(i)) && !in_buffer(event(i));
}

static bool reads(size_t i)
{
	return !changes(i) && (evr_event_reads(event(i)) || event(i)->kind == EVR_FAULT);
}

static bool covers(size_t i, uintptr_t byte)
{
	return byte - event(i)->address < event(i)->size;
}

/* The event that changed the byte last before i, or -1. */
static long last_change(size_t i, uintptr_t byte)
{
	for (size_t k = i; k-- > 0;)
		if (changes(k) && covers(k, byte))
			return (long)k;
	return -1;
}

/* Where the update of this store is among the first n events, or n. */
static size_t update_of(size_t store, size_t n)
{
	for (size_t i = store + 1; i < n; i++)
		if (event(i)->kind == EVR_UPDATE && event(i)->thread == event(store)->thread &&
		    event(i)->index == event(store)->index)
			return i;
	return n;
}

/* The buffered store from which load i takes the byte, or -1. */
static long forwarded_from(size_t i, uintptr_t byte)
{
	for (size_t k = i; k-- > 0 && event(i)->kind == EVR_READ;)
		if (in_buffer(event(k)) && event(k)->thread == event(i)->thread && covers(k, byte) &&
		    update_of(k, i) == i)
			return (long)k;
	return -1;
}

/* A thread and its own updates are not ordered by what they read. */
static bool own_update(size_t a, size_t b)
{
	return event(a)->thread == event(b)->thread && (event(a)->kind == EVR_UPDATE || event(b)->kind == EVR_UPDATE);
}

/* Memory is gone before a store takes effect, or after. */
static void late_edges(size_t i)
{
	const struct evr_event *e = event(i);
	for (size_t k = 0; k < i; k++) {
		const struct evr_event *o = event(k);
		bool both = (e->kind == EVR_FREE && o->kind == EVR_UPDATE) ||
			    (e->kind == EVR_UPDATE && o->kind == EVR_FREE);
		touches[k][i] |= both && e->thread != o->thread && e->address < o->address + o->size &&
				 o->address < e->address + e->size;
	}
}

static void byte_edges(size_t i, uintptr_t byte)
{
	long last = last_change(i, byte);
	if (reads(i) && forwarded_from(i, byte) >= 0)
		return;
	if (last >= 0 && !(reads(i) && own_update((size_t)last, i)))
		touches[last][i] = true;
	for (size_t k = 0; changes(i) && k < i; k++) {
		if (!reads(k) || !covers(k, byte))
			continue;
		long store = forwarded_from(k, byte);
		bool reader = store < 0 ? (long)k > last : last >= 0 && update_of((size_t)store, i) == (size_t)last;
		/* What a fault found is not forwarded: an own update in between does not make it see something else. */
		reader |= event(k)->kind == EVR_FAULT;
		touches[k][i] |= reader && !own_update(k, i);
	}
}

/* Is a before b, whatever they do to memory? */
static bool ordered(size_t a, size_t b)
{
	const struct evr_event *x = event(a), *y = event(b);
	if (x->thread == y->thread && x->kind != EVR_UPDATE && y->kind != EVR_UPDATE)
		return true;
	if (x->kind == EVR_CREATE && x->other == y->thread && y->kind != EVR_UPDATE)
		return true;
	if (y->kind == EVR_JOIN && y->other == x->thread && x->kind != EVR_UPDATE)
		return true;
	if (x->thread != y->thread)
		return false;
	if (y->kind == EVR_UPDATE)
		return x->kind == EVR_UPDATE ? x->index < y->barrier : in_buffer(x) && x->index == y->index;
	return evr_event_flushes(y);
}

/* Event a, and what is before it, are in the past of i. */
static void add_past(bool to[][MAX_EVENTS], size_t i, size_t a)
{
	for (size_t k = 0; k <= a; k++)
		to[k][i] |= before[k][a];
}

static void relate(void)
{
	size_t n = trace.events.len;
	memset(before, 0, sizeof(before));
	memset(without, 0, sizeof(without));
	memset(touches, 0, sizeof(touches));
	for (size_t i = 0; i < n; i++) {
		for (uintptr_t byte = event(i)->address; byte < event(i)->address + event(i)->size; byte++)
			if (changes(i) || reads(i))
				byte_edges(i, byte);
		late_edges(i);
		before[i][i] = true;
		for (size_t a = 0; a < i; a++) {
			if (ordered(a, i))
				add_past(without, i, a);
			if (ordered(a, i) || touches[a][i])
				add_past(before, i, a);
		}
	}
}

static bool acquires(size_t i)
{
	const struct evr_event *e = event(i);
	return (e->kind == EVR_LOCK || e->kind == EVR_TRYLOCK || e->kind == EVR_TIMEDLOCK) && !e->result && !e->holder;
}

/* The last event before n that took this free mutex, or -1. */
static long taker(size_t n, uintptr_t mutex)
{
	for (size_t i = n; i-- > 0;)
		if (event(i)->address == mutex && acquires(i))
			return (long)i;
	return -1;
}

static bool immediate(size_t a, size_t b)
{
	for (size_t k = a + 1; k < b; k++)
		if (before[a][k] && before[k][b])
			return false;
	return true;
}

static bool is_race(size_t a, size_t b)
{
	if (a == b)
		return event(a)->kind == EVR_CHOOSE && event(a)->choices > 1;
	if (event(a)->thread == event(b)->thread)
		return false;
	if (acquires(b) && taker(b, event(b)->address) == (long)a && !without[a][b])
		return true;
	/* A mutex that was held before a was held after it, or a gave it free: the lock would have had to wait. */
	bool waits = event(b)->kind == EVR_LOCK && evr_event_is_mutex(event(a)) && event(a)->holder;
	return touches[a][b] && immediate(a, b) && !waits;
}

/* ---- comparisons ---- */

/* Events that order nothing on their own are left out, but not what touches memory or is a decision. */
static bool counts(const struct evr_hb *o, size_t i)
{
	bool idle = o->events.data[i].chain == (uint32_t)-1;
	assert_false(idle && event(i)->kind != EVR_CREATE && event(i)->kind != EVR_EXIT && event(i)->kind != EVR_FREE);
	return !idle;
}

static void compare_order(const struct evr_hb *o)
{
	size_t n = trace.events.len;
	assert_int_equal(o->events.len, n);
	for (size_t a = 0; a < n; a++)
		for (size_t b = 0; b < n; b++)
			if (counts(o, a) && counts(o, b) &&
			    evr_hb_before(o, (evr_event_id)a, (evr_event_id)b) != before[a][b])
				fail_msg("%zu (%s of thread %u) and %zu (%s of thread %u) should%s be ordered", a,
					 evr_event_kind_name(event(a)->kind), event(a)->thread, b,
					 evr_event_kind_name(event(b)->kind), event(b)->thread,
					 before[a][b] ? "" : " not");
}

static void compare_races(const struct evr_hb *o)
{
	size_t n = trace.events.len, expected = 0;
	for (size_t b = 0; b < n; b++)
		for (size_t a = 0; a <= b; a++)
			expected += is_race(a, b);
	for (size_t i = 0; i < o->races.len; i++) {
		struct evr_race r = o->races.data[i];
		if (!is_race(r.first, r.second))
			fail_msg("%u (%s) and %u (%s) are no race", r.first, evr_event_kind_name(event(r.first)->kind),
				 r.second, evr_event_kind_name(event(r.second)->kind));
		assert_true(!i || o->races.data[i - 1].second <= r.second);
		for (size_t k = 0; k < i; k++)
			assert_false(o->races.data[k].first == r.first && o->races.data[k].second == r.second);
	}
	assert_int_equal(o->races.len, expected);
}

static void compare_questions(const struct evr_hb *o, const struct machine *m)
{
	size_t n = trace.events.len;
	for (unsigned t = 0; t < m->running; t++) {
		for (size_t e = 0; e < n; e++) {
			bool known = false;
			for (size_t i = 0; i < n; i++)
				known |= before[e][i] && (event(i)->thread == t ||
							  (event(i)->kind == EVR_CREATE && event(i)->other == t));
			if (!counts(o, e))
				continue;
			assert_int_equal(evr_hb_known_to(o, (evr_event_id)e, (evr_thread_id)t), known);
		}
	}
	for (unsigned i = 0; i < MUTEXES; i++) {
		long k = taker(n, MUTEX + i * 100);
		evr_event_id holder = evr_hb_holder(o, MUTEX + i * 100, MUTEX_SIZE);
		assert_true(k < 0 ? holder == EVR_NO_EVENT : holder == (evr_event_id)k);
	}
}

/* Of the races, which could be reversed at once after some prefix? Nothing else of the second's past is behind it. */
static void compare_only(const struct evr_hb *o)
{
	_Alignas(16) int32_t lengths[64] = { 0 };
	size_t n = below(trace.events.len + 1);
	assert_in_range(o->clocks.width, 0, EVR_COUNT(lengths));
	for (size_t i = 0; i < n; i++)
		if (counts(o, i))
			lengths[o->events.data[i].chain]++;
	for (size_t i = 0; i < o->races.len; i++) {
		struct evr_race r = o->races.data[i];
		if (r.first < n || r.first == r.second)
			continue;
		size_t behind = 0;
		for (size_t k = n; k < r.second; k++)
			behind += counts(o, k) && before[k][r.second];
		assert_int_equal(evr_hb_only(o, lengths, r.first, r.second), behind == 1);
	}
}

static void catch_up(struct evr_hb *o, const struct machine *m)
{
	while (o->events.len < trace.events.len)
		evr_hb_add(o);
	relate();
	compare_order(o);
	compare_races(o);
	compare_questions(o, m);
	compare_only(o);
}

/* An execution, then a few others that begin like the one before, with the same evr_hb. */
static void compare_executions(bool buffered, bool sizes)
{
	static struct machine now, branch;
	struct evr_hb o;
	evr_trace_begin(&trace, 0);
	evr_hb_init(&o, &trace);
	now = (struct machine){ .buffered = buffered,
				.fifo = below(2),
				.sizes = sizes,
				.threads = 2 + (unsigned)below(THREADS - 1),
				.running = 1 };
	branch = now;
	for (unsigned round = 0; round < 4; round++) {
		for (unsigned i = 0; i < LENGTH && now.events + THREADS * 2 < LENGTH * 2; i++) {
			if (!below(LENGTH / 2))
				branch = now;
			/* Sometimes the engine looks in between. */
			if (!below(LENGTH / 2))
				catch_up(&o, &now);
			some_event(&now);
		}
		catch_up(&o, &now);
		evr_hb_rewind(&o, (evr_event_id)branch.events);
		now = branch;
		trace.events.len = now.events;
		memcpy(trace.counts, now.counts, sizeof(now.counts));
	}
	evr_hb_release(&o);
}

static void sequential(void **state)
{
	(void)state;
	for (unsigned i = 0; i < 300; i++)
		compare_executions(false, false);
}

static void store_buffers(void **state)
{
	(void)state;
	for (unsigned i = 0; i < 400; i++)
		compare_executions(true, false);
}

static void sizes_that_overlap(void **state)
{
	(void)state;
	for (unsigned i = 0; i < 500; i++)
		compare_executions(i % 2, true);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sequential),
		cmocka_unit_test(store_buffers),
		cmocka_unit_test(sizes_that_overlap),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
