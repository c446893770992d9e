/*
 * An event: one step of a thread that others can observe, as recorded in a trace.
 *
 * The same struct describes an operation that a thread is about to make (its *pending* event: kind, address, size, the
 * value to write) and, once a model has executed it, what it read and wrote.
 */
#ifndef EVR_EVENT_H
#define EVR_EVENT_H

#include "base/base.h"
#include "event/site.h"

#include <string.h>

__extension__ typedef unsigned __int128 evr_value; /* wide enough for 16-byte atomics */

typedef uint16_t evr_thread_id;
typedef uint32_t evr_event_id; /* position in the trace */

#define EVR_MAX_THREADS 1024
#define EVR_NO_THREAD ((evr_thread_id)0xffff)
#define EVR_NO_EVENT ((evr_event_id)0xffffffff)

enum evr_event_kind {
#define EVENT(name, text) EVR_##name,
#include "event/events.def"
#undef EVENT
};

/* What a read-modify-write does; numbered as LLVM's AtomicRMWBinOp. */
enum evr_rmw_op {
	EVR_RMW_XCHG,
	EVR_RMW_ADD,
	EVR_RMW_SUB,
	EVR_RMW_AND,
	EVR_RMW_NAND,
	EVR_RMW_OR,
	EVR_RMW_XOR,
	EVR_RMW_MAX,
	EVR_RMW_MIN,
	EVR_RMW_UMAX,
	EVR_RMW_UMIN,
	EVR_RMW_FADD, /* float or double, which the size tells */
	EVR_RMW_FSUB,
	EVR_RMW_FMAX,
	EVR_RMW_FMIN,
	EVR_RMW_UINC_WRAP,
	EVR_RMW_UDEC_WRAP,
};

/*
 * Three kinds are the runtime's own. An UPDATE is a buffered store that reaches memory. A DRAIN waits until all of the
 * thread's stores have reached it. A FAULT is an event that was attempted and did not take place because of what it found in
 * memory: nothing that anybody wrote, or a mutex that was destroyed. It counts as a read.
 */

/* What `flags` of a READ, a WRITE or a FREE may hold. */
enum evr_access_flag {
	EVR_COPYING = 1,      /* READ: uninitialised bytes may be copied, only not be used */
	EVR_BUFFERED = 2,     /* WRITE, executed: it waits in a store buffer; its UPDATE follows */
	EVR_OVERTAKES = 4,    /* FREE: a step, because buffered stores to the memory may take effect after it */
	EVR_INITIALISES = 8,  /* WRITE, executed: nobody had initialised some of its bytes before */
	EVR_STALE = 16,       /* READ, executed: its source was overwritten before; see `source` */
};

/*
 * What the mutex of an event is part of. Nobody owns a lock that is handed over: one thread takes it, and another one
 * releases it.
 */
enum evr_lock {
#define LOCK_OF(name, noun, size, offset, handed) EVR_LOCK_##name,
#include "event/locks.def"
#undef LOCK_OF
};

/*
 * `kind` tells which member of each union holds. The members of a union are equally wide: events are compared, copied and
 * cleared as a whole, and no member may leave bytes of another one behind.
 */
struct evr_event {
	evr_thread_id thread;
	uint8_t kind; /* enum evr_event_kind */
	union {
		uint8_t op;        /* RMW: enum evr_rmw_op */
		uint8_t flags;     /* READ, WRITE, FREE: enum evr_access_flag */
		uint8_t lock;      /* of a mutex: enum evr_lock */
		uint8_t attempted; /* FAULT: the kind of the event that did not take place */
	};
	uint32_t size;
	uintptr_t address;
	const struct evr_site *site;
	uint32_t index; /* in its thread */
	/* A read-modify-write has both: in coherence it comes right after its source. */
	union {
		/*
		 * Of a read: set by a model whose steps name it, or by evr_graph_link(). If it is EVR_STALE: the event by
		 * which the source took effect, its UPDATE if it was buffered.
		 */
		evr_event_id source;
		/* Of a write, where traces name sources: its coherence predecessor when it was inserted. */
		evr_event_id predecessor;
	};
	union {
		evr_value read;        /* of a read */
		evr_value overwritten; /* of any other write: the value that was there before */
		evr_value result;      /* of a mutex: 0 or what the function returns */
	};
	union {
		evr_value written; /* of a write; of an RMW that is pending, its operand */
		evr_value choices; /* CHOOSE: how many there are */
		/* UNLOCK, MUTEX_INIT: what is to be known of the object that the lock guards; of a pthread_mutex_t its kind. */
		evr_value state;
	};
	union {
		evr_value expected; /* CAS */
		evr_value operand; /* RMW, executed */
		evr_value other; /* CREATE, JOIN: the thread created or joined */
		evr_value chosen; /* CHOOSE, executed */
		/* Of a mutex, executed: whoever held it before, plus 1, or EVR_NOBODY; 0 if it was free. */
		evr_value holder;
		evr_value barrier; /* UPDATE: stores of the thread with a lower index have reached memory before */
	};
};

const char *evr_event_kind_name(unsigned kind);
/* The same, and for a lock that is part of something else a word that says so. */
const char *evr_event_name(const struct evr_event *e);
const char *evr_order_name(unsigned order); /* "" for plain */

/* Does it read memory? A lock reads its mutex. */
bool evr_event_reads(const struct evr_event *e);
/* Does it write memory? A failed CAS or trylock does not. Only for executed events. */
bool evr_event_writes(const struct evr_event *e);
/* Does it access memory for the program: is it none of a mutex, and none of the runtime's own? */
static inline bool evr_event_is_access(const struct evr_event *e)
{
	return e->kind == EVR_READ || e->kind == EVR_WRITE || e->kind == EVR_RMW || e->kind == EVR_CAS;
}
/* Does it wait in a store buffer? Only for executed events. */
static inline bool evr_event_is_buffered(const struct evr_event *e)
{
	return e->kind == EVR_WRITE && e->flags & EVR_BUFFERED;
}
/* Before it has taken place. Thread, kind and size are written in one piece, as they will be read. */
static inline void evr_event_init(struct evr_event *e, evr_thread_id thread, unsigned kind, uintptr_t address,
				  uint32_t size, const struct evr_site *site)
{
	_Static_assert(offsetof(struct evr_event, kind) == 2 && offsetof(struct evr_event, size) == 4,
		       "the first word");
	uint64_t first = thread | (uint64_t)kind << 16 | (uint64_t)size << 32;
	memcpy(e, &first, sizeof(first));
	e->address = address;
	e->site = site;
	e->index = 0;
	e->source = EVR_NO_EVENT;
	e->read = e->written = e->expected = 0;
}

/* The declared memory order, enum evr_order; of a compare-exchange that of its success. */
static inline unsigned evr_event_order(const struct evr_event *e)
{
	return e->site ? e->site->order : EVR_PLAIN;
}
/* The order that an executed event had. */
unsigned evr_event_order_taken(const struct evr_event *e);
/*
 * The order that the event has in C if it writes, or does not: the declared one, which of a compare-exchange that fails is another; to
 * take a lock is to acquire, and to give it back to release. A condition variable's own lock orders nothing, nor does a lock that was
 * not taken.
 */
unsigned evr_event_order_if(const struct evr_event *e, bool writes);
/* Where stores are buffered: does it wait until those of its own thread are in memory? */
bool evr_event_flushes(const struct evr_event *e);
static inline bool evr_kind_is_mutex(unsigned kind)
{
	return kind >= EVR_LOCK && kind <= EVR_MUTEX_DESTROY;
}
bool evr_event_is_mutex(const struct evr_event *e);
/* What the lock is a part of: a word for it, its size, where in it the lock lies; and whether it is handed over. */
struct evr_lock_kind {
	const char *noun;
	uint32_t size, offset;
	bool handed;
};
extern const struct evr_lock_kind evr_lock_kinds[];
/* Do the two, of different threads, touch a common byte, one of them writing? */
bool evr_events_conflict(const struct evr_event *a, const struct evr_event *b);

/* Events that have no place of their own among the events of their thread. */
static inline bool evr_event_uncounted(const struct evr_event *e)
{
	return e->kind >= EVR_UPDATE;
}

static inline bool evr_rmw_rounds(unsigned op)
{
	return op == EVR_RMW_FADD || op == EVR_RMW_FSUB;
}
bool evr_rounds_to_nearest(void);
evr_value evr_rmw_result(enum evr_rmw_op op, evr_value old, evr_value operand, unsigned size);
/* Values are made in registers: a wide load of what was just stored in narrow pieces makes a processor wait. */
static inline evr_value evr_memory_load(uintptr_t address, unsigned size)
{
	evr_value value = 0;
	uint64_t eight;
	uint32_t four;
	switch (size) { /* the sizes that matter become one instruction */
	case 4:
		memcpy(&four, (const void *)address, 4);
		return four;
	case 8:
		memcpy(&eight, (const void *)address, 8);
		return eight;
	case 1:
		return *(const uint8_t *)address;
	default:
		memcpy(&value, (const void *)address, size);
		return value;
	}
}

static inline void evr_memory_store(uintptr_t address, unsigned size, evr_value value)
{
	switch (size) {
	case 4:
		memcpy((void *)address, &value, 4);
		break;
	case 8:
		memcpy((void *)address, &value, 8);
		break;
	default:
		memcpy((void *)address, &value, size);
	}
}

#endif
