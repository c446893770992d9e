/* What can be said of an event by itself: names, what it reads and writes, what a read-modify-write makes of a value. Nothing here has state. */
#include "event/event.h"

#include <fenv.h>

const char *evr_event_kind_name(unsigned kind)
{
	static const char *const names[] = {
#define EVENT(name, text) [EVR_##name] = text,
#include "event/events.def"
#undef EVENT
	};
	return kind < EVR_COUNT(names) ? names[kind] : "?";
}

const char *evr_order_name(unsigned order)
{
	static const char *const names[] = { "", "relaxed", "acquire", "release", "acq_rel", "seq_cst" };
	return order < EVR_COUNT(names) ? names[order] : "?";
}

const char *evr_event_name(const struct evr_event *e)
{
	bool locks = e->kind == EVR_LOCK || e->kind == EVR_TRYLOCK || e->kind == EVR_TIMEDLOCK;
	if (!evr_kind_is_mutex(e->kind) || e->lock == EVR_LOCK_MUTEX)
		return evr_event_kind_name(e->kind);
	if (e->kind == EVR_MUTEX_INIT || e->kind == EVR_MUTEX_DESTROY)
		return e->kind == EVR_MUTEX_INIT ? "init" : "destroy";
	switch (e->lock) {
	case EVR_LOCK_COND:
	case EVR_LOCK_RWLOCK:
	case EVR_LOCK_SEMAPHORE:
	case EVR_LOCK_BARRIER:
	case EVR_LOCK_FUTEX:
	case EVR_LOCK_CHANNEL:
	case EVR_LOCK_POLL:
		return locks ? "enter" : "leave";
	case EVR_LOCK_ONCE:
		return locks ? "once" : "once-end";
	case EVR_LOCK_SEMAPHORE_EMPTY:
	case EVR_LOCK_CHANNEL_EMPTY:
		return locks ? "take" : "offer";
	case EVR_LOCK_WAKE:
		return locks ? "sleep" : "wake";
	case EVR_LOCK_SECTION:
		return locks ? "begin" : "end";
	default:
		return evr_event_kind_name(e->kind);
	}
}

const struct evr_lock_kind evr_lock_kinds[] = {
#define LOCK_OF(name, noun, size, offset, handed) { noun, size, offset, handed },
#include "event/locks.def"
#undef LOCK_OF
};

bool evr_event_is_mutex(const struct evr_event *e)
{
	return evr_kind_is_mutex(e->kind);
}

bool evr_event_reads(const struct evr_event *e)
{
	switch (e->kind) {
	case EVR_READ:
	case EVR_RMW:
	case EVR_CAS:
	case EVR_LOCK:
	case EVR_TRYLOCK:
	case EVR_TIMEDLOCK:
	case EVR_MUTEX_DESTROY: /* must not be held */
		return true;
	case EVR_FENCE:
		return e->size > 0; /* an update of the hidden location that orders such fences */
	default:
		return false;
	}
}

bool evr_event_writes(const struct evr_event *e)
{
	switch (e->kind) {
	case EVR_WRITE:
	case EVR_RMW:
	case EVR_UPDATE:
	case EVR_MUTEX_INIT:
	case EVR_MUTEX_DESTROY:
		return true;
	case EVR_FENCE:
		return e->size > 0;
	case EVR_CAS:
		return e->read == e->expected;
	case EVR_LOCK:
	case EVR_TRYLOCK:
	case EVR_TIMEDLOCK:
	case EVR_UNLOCK:
		return e->result == 0;
	default:
		return false;
	}
}

bool evr_event_flushes(const struct evr_event *e)
{
	switch (e->kind) {
	case EVR_READ:
	case EVR_CHOOSE:
	case EVR_START:
	case EVR_UPDATE:
		return false;
	case EVR_FAULT:
		/* That it did not take place was found out when it could have. */
		return evr_event_flushes(&(struct evr_event){ .kind = e->attempted, .site = e->site });
	case EVR_WRITE:
	case EVR_FENCE:
		return evr_event_order(e) == EVR_SEQ_CST;
	default:
		return true;
	}
}

bool evr_events_conflict(const struct evr_event *a, const struct evr_event *b)
{
	bool aw = evr_event_writes(a), bw = evr_event_writes(b);
	if (!aw && !bw)
		return false;
	if (!(aw || evr_event_reads(a)) || !(bw || evr_event_reads(b)))
		return false;
	return a->address < b->address + b->size && b->address < a->address + a->size;
}

unsigned evr_event_order_taken(const struct evr_event *e)
{
	return e->kind == EVR_CAS && !evr_event_writes(e) ? evr_site_failure(e->site) : evr_event_order(e);
}

unsigned evr_event_order_if(const struct evr_event *e, bool writes)
{
	bool fault = e->kind == EVR_FAULT;
	unsigned kind = fault ? e->attempted : e->kind;
	if (!evr_kind_is_mutex(kind))
		return kind == EVR_CAS && !writes ? evr_site_failure(e->site) : evr_event_order(e);
	if (!writes || (!fault && e->lock == EVR_LOCK_COND))
		return EVR_RELAXED;
	if (kind == EVR_UNLOCK)
		return EVR_RELEASE;
	return kind == EVR_LOCK || kind == EVR_TRYLOCK || kind == EVR_TIMEDLOCK ? EVR_ACQUIRE : EVR_RELAXED;
}

static evr_value mask_of(unsigned size)
{
	return size >= 16 ? ~(evr_value)0 : ((evr_value)1 << (8 * size)) - 1;
}

/* With the sign bit flipped, unsigned comparison is signed comparison. */
static bool less(evr_value a, evr_value b, unsigned size, bool is_signed)
{
	evr_value flip = is_signed ? (evr_value)1 << (8 * size - 1) : 0;
	return (a ^ flip) < (b ^ flip);
}

static double calculate(enum evr_rmw_op op, double a, double b)
{
	switch (op) {
	case EVR_RMW_FADD:
		return a + b;
	case EVR_RMW_FSUB:
		return a - b;
	case EVR_RMW_FMAX:
		return a < b || a != a ? b : a; /* what is a number wins */
	default:
		return b < a || a != a ? b : a;
	}
}

/* The sum of two floats is the same by way of double: that has more than twice as many digits. */
__attribute__((noinline)) static evr_value float_result(enum evr_rmw_op op, evr_value old, evr_value operand,
							unsigned size)
{
	evr_value value = 0;
	if (size == sizeof(float)) {
		float a, b;
		memcpy(&a, &old, sizeof(a));
		memcpy(&b, &operand, sizeof(b));
		float result = (float)calculate(op, (double)a, (double)b);
		memcpy(&value, &result, sizeof(result));
	} else {
		double a, b;
		memcpy(&a, &old, sizeof(a));
		memcpy(&b, &operand, sizeof(b));
		double result = calculate(op, a, b);
		memcpy(&value, &result, sizeof(result));
	}
	return value;
}

/* A program without the mathematical library cannot change the mode. */
#pragma weak fegetround
#pragma weak fesetround

bool evr_rounds_to_nearest(void)
{
	return !fegetround || fegetround() == FE_TONEAREST;
}

/* Whoever executes a thread's event may round in another way than it does; who does so itself does not get here. */
static evr_value rounded_result(enum evr_rmw_op op, evr_value old, evr_value operand, unsigned size)
{
	if (evr_rounds_to_nearest())
		return float_result(op, old, operand, size);
	int mode = fegetround();
	fesetround(FE_TONEAREST);
	evr_value result = float_result(op, old, operand, size);
	fesetround(mode);
	return result;
}

evr_value evr_rmw_result(enum evr_rmw_op op, evr_value old, evr_value operand, unsigned size)
{
	evr_value result = old;
	switch (op) {
	case EVR_RMW_XCHG:
		result = operand;
		break;
	case EVR_RMW_ADD:
		result = old + operand;
		break;
	case EVR_RMW_SUB:
		result = old - operand;
		break;
	case EVR_RMW_AND:
		result = old & operand;
		break;
	case EVR_RMW_NAND:
		result = ~(old & operand);
		break;
	case EVR_RMW_OR:
		result = old | operand;
		break;
	case EVR_RMW_XOR:
		result = old ^ operand;
		break;
	case EVR_RMW_MAX:
	case EVR_RMW_UMAX:
		result = less(old, operand, size, op == EVR_RMW_MAX) ? operand : old;
		break;
	case EVR_RMW_MIN:
	case EVR_RMW_UMIN:
		result = less(old, operand, size, op == EVR_RMW_MIN) ? old : operand;
		break;
	case EVR_RMW_FADD:
	case EVR_RMW_FSUB:
	case EVR_RMW_FMAX:
	case EVR_RMW_FMIN:
		result = rounded_result(op, old, operand, size);
		break;
	case EVR_RMW_UINC_WRAP:
		result = old >= operand ? 0 : old + 1;
		break;
	case EVR_RMW_UDEC_WRAP:
		result = old == 0 || old > operand ? operand : old - 1;
		break;
	}
	return result & mask_of(size);
}
