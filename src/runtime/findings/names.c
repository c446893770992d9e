/*
 * Names of locations and values, from the types that the program's objects describe. For reports only: slow is fine.
 *
 * Invariant: nothing here changes anything, so that a report can be made between any two steps.
 */
#include "runtime/memory/lifetime.h"
#include "runtime/memory/shadow.h"
#include "runtime/runtime.h"
#include "runtime/sync/sync.h"

#if defined(__x86_64__)
#include <cpuid.h>
#endif
#include <stdio.h>
#include <string.h>

/*
 * Walk down to the part of the type at `offset` that the access covers, writing the path; returns its type or NULL. With size 0 to the
 * outermost object that begins there: what a pointer points to.
 */
static const struct evr_type *descend(struct evr_strbuf *out, const struct evr_type *type, uint64_t offset, size_t size)
{
	bool inside = false; /* of what is the C library's own business */
	while (type && type->size > 0) {
		if (type->kind == EVR_TYPE_ARRAY && type->element && type->element->size) {
			if (offset == 0 && size >= type->size)
				return type;
			evr_strbuf_printf(out, "[%llu]", (unsigned long long)(offset / type->element->size));
			offset %= type->element->size;
			type = type->element;
			continue;
		}
		bool whole = offset == 0 && (!size || (size > 16 && size >= type->size));
		if (type->kind != EVR_TYPE_STRUCT || whole)
			break;
		const struct evr_member *best = NULL;
		for (uint64_t i = 0; i < type->member_count && !best; i++) {
			const struct evr_member *m = &type->members[i];
			if (m->type && offset >= m->offset && offset - m->offset < m->type->size)
				best = m;
		}
		if (!best)
			break;
		inside |= evr_starts_with(best->name, "__");
		if (best->name[0] && !inside)
			evr_strbuf_printf(out, ".%s", best->name);
		offset -= best->offset;
		type = best->type;
	}
	if (type && offset)
		evr_strbuf_printf(out, "+%llu", (unsigned long long)offset);
	return offset ? NULL : type;
}

static const struct evr_type *name_variable(struct evr_strbuf *out, const struct evr_variable *v, uintptr_t start,
					    uintptr_t address, size_t size)
{
	evr_strbuf_puts(out, v->name[0] ? v->name : "(string constant)");
	uint64_t offset = address - start;
	if (!v->type || offset >= v->size) {
		if (offset)
			evr_strbuf_printf(out, "%+lld", (long long)offset);
		return NULL;
	}
	return descend(out, v->type, offset, size);
}

static const struct evr_local *find_local(uintptr_t address, evr_thread_id *thread)
{
	if (address - EVR_FRAMES >= EVR_TLS - EVR_FRAMES)
		return NULL;
	*thread = (evr_thread_id)((address - EVR_FRAMES) / EVR_FRAMES_SIZE);
	if (*thread >= evr_rt.world.threads)
		return NULL;
	const struct evr_thread *t = evr_rt.threads[*thread];
	for (size_t i = t->locals.len; i-- > 0;)
		if (address - t->locals.data[i].address < t->locals.data[i].size)
			return &t->locals.data[i];
	for (size_t i = t->left.len; i-- > 0;)
		if (address - t->left.data[i].address < t->left.data[i].size)
			return &t->left.data[i];
	return NULL;
}

/* "node#2->next" where the type of the block is known, "node#2[3].next" if there are several, "malloc#2[3]" of numbers, else "malloc#2+8". */
static const struct evr_type *name_block(struct evr_strbuf *out, const struct evr_block *b, size_t number,
					 uintptr_t address, size_t size)
{
	const struct evr_call *call = evr_object_call(b->allocated);
	const struct evr_type *type = call ? call->type : NULL;
	uint64_t offset = address - b->address;
	bool typed = type && type->size && type->size <= b->size, several = typed && b->size >= 2 * type->size;
	evr_strbuf_printf(out, "%s#%zu", typed && *call->type_name ? call->type_name : "malloc", number + 1);
	if (!typed || offset / type->size >= b->size / type->size) {
		if (offset)
			evr_strbuf_printf(out, "%+lld", (long long)offset);
		return NULL;
	}
	/* All of it, or a pointer to its start. */
	if (!offset && (!size || (several && size >= 2 * type->size)))
		return NULL;
	if (several)
		evr_strbuf_printf(out, "[%llu]", (unsigned long long)(offset / type->size));
	struct evr_strbuf path;
	evr_strbuf_init(&path);
	type = descend(&path, type, offset % type->size, size);
	bool member = !several && path.text[0] == '.';
	evr_strbuf_printf(out, "%s%s", member ? "->" : "", path.text + member);
	evr_strbuf_release(&path);
	return type;
}

static const struct evr_type *name(struct evr_strbuf *out, uintptr_t address, size_t size)
{
	evr_thread_id thread;
	uintptr_t start;
	size_t number;
	const struct evr_local *local = find_local(address, &thread);
	if (local && local->variable)
		return name_variable(out, local->variable, local->address, address, size);
	const struct evr_block *b = evr_heap_find(address, &thread, &number);
	if (b) {
		if (thread)
			evr_strbuf_printf(out, "T%u:", thread);
		return name_block(out, b, number, address, size);
	}
	const struct evr_variable *v = evr_tls_variable(address, &thread, &start);
	if (v) {
		evr_strbuf_printf(out, "T%u:", thread);
		return name_variable(out, v, start, address, size);
	}
	v = evr_object_variable(address);
	if (v)
		return name_variable(out, v, (uintptr_t)v->address, address, size);
	size_t locked_size;
	uintptr_t locked = evr_atomic_locked(address, &locked_size);
	if (locked) {
		evr_strbuf_puts(out, "lock of ");
		name(out, locked, locked_size);
		return NULL;
	}
	locked = evr_section_locked(address);
	if (locked) {
		evr_strbuf_puts(out, "section of ");
		name(out, locked, 1);
		return NULL;
	}
	evr_strbuf_printf(out, "%#zx", (size_t)address);
	return NULL;
}

void evr_name_address(struct evr_strbuf *out, uintptr_t address, size_t size)
{
	name(out, address, size);
}

/* Is it the start of a struct on the heap, or of several? */
static bool is_struct_block(uintptr_t address)
{
	evr_thread_id thread;
	size_t number;
	const struct evr_block *b = evr_heap_find(address, &thread, &number);
	const struct evr_call *call = b && b->address == address ? evr_object_call(b->allocated) : NULL;
	return call && call->type && *call->type_name && call->type->size && call->type->size <= b->size;
}

static void name_pointer(struct evr_strbuf *out, uintptr_t value)
{
	if (!value) {
		evr_strbuf_puts(out, "NULL");
		return;
	}
	const struct evr_function *f = evr_object_function(value);
	struct evr_strbuf text;
	evr_strbuf_init(&text);
	if (f && (uintptr_t)f->address == value)
		evr_strbuf_puts(&text, f->name);
	else
		evr_name_address(&text, value, 0);
	/* The name of a block is that of a pointer to it. */
	bool plain = text.text[0] == '0' || is_struct_block(value);
	evr_strbuf_printf(out, "%s%s", plain ? "" : "&", text.text);
	evr_strbuf_release(&text);
}

void evr_name_value(struct evr_strbuf *out, const struct evr_event *e, evr_value value)
{
	struct evr_strbuf path;
	evr_strbuf_init(&path);
	const struct evr_type *type = name(&path, e->address, e->size);
	evr_strbuf_release(&path);
	unsigned kind = type && type->size == e->size ? (unsigned)type->kind : EVR_TYPE_OTHER;
	uint64_t low = (uint64_t)value;
	unsigned shift = e->size && e->size < 8 ? 64 - 8 * e->size : 0;
	if (e->size > 8)
		evr_strbuf_printf(out, "0x%llx%016llx", (unsigned long long)(value >> 64), (unsigned long long)low);
	else if (kind == EVR_TYPE_POINTER || (kind == EVR_TYPE_OTHER && e->size == 8 && evr_in_arena(low)))
		name_pointer(out, (uintptr_t)low);
	else if (kind == EVR_TYPE_FLOAT && e->size == 8) {
		double d;
		memcpy(&d, &low, 8);
		evr_strbuf_printf(out, "%.17g", d);
	} else if (kind == EVR_TYPE_FLOAT && e->size == 4) {
		float f;
		memcpy(&f, &low, 4);
		evr_strbuf_printf(out, "%.9g", (double)f);
	} else if (kind == EVR_TYPE_SIGNED || (kind == EVR_TYPE_OTHER && e->size == 4))
		evr_strbuf_printf(out, "%lld", (long long)((int64_t)(low << shift) >> shift));
	else
		evr_strbuf_printf(out, "%llu", (unsigned long long)low);
}

/* "{T1,T3}": see evr_waiters(). */
static void name_waiters(struct evr_strbuf *out, evr_value set)
{
	const char *before = "{";
	for (unsigned i = 0; i < 8 * sizeof(set); i++)
		if (set >> i & 1) {
			evr_strbuf_printf(out, "%sT%u", before, i);
			before = ",";
		}
	evr_strbuf_puts(out, set ? "}" : "{}");
}

void evr_name_effect(struct evr_strbuf *out, const struct evr_event *e)
{
	switch (e->kind) {
	case EVR_READ:
		evr_name_value(out, e, e->read);
		break;
	case EVR_WRITE:
	case EVR_UPDATE:
		evr_name_value(out, e, e->written);
		break;
	case EVR_RMW:
	case EVR_CAS:
		evr_name_value(out, e, e->read);
		if (evr_event_writes(e)) {
			evr_strbuf_puts(out, " -> ");
			evr_name_value(out, e, e->written);
		}
		break;
	case EVR_CREATE:
	case EVR_JOIN:
		evr_strbuf_printf(out, "%u", (unsigned)e->other);
		break;
	case EVR_CHOOSE:
		evr_strbuf_printf(out, "%u", (unsigned)e->chosen);
		break;
	case EVR_TRYLOCK:
	case EVR_TIMEDLOCK:
		evr_strbuf_puts(out, e->result ? "failed" : "taken");
		break;
	case EVR_MUTEX_INIT:
		if (e->lock == EVR_LOCK_SEMAPHORE)
			evr_strbuf_printf(out, "%u", (unsigned)e->state);
		break;
	case EVR_UNLOCK:
		/* What is left behind: the value of the one, the number of readers of the other, who waits for the third. */
		if (e->lock == EVR_LOCK_SEMAPHORE || e->lock == EVR_LOCK_RWLOCK)
			evr_strbuf_printf(out, "%u", (unsigned)e->state);
		else if (e->lock == EVR_LOCK_COND || e->lock == EVR_LOCK_FUTEX)
			name_waiters(out, e->state);
		break;
	default:
		break;
	}
}

void evr_name_location(struct evr_strbuf *out, const struct evr_event *e)
{
	const struct evr_lock_kind *k = evr_event_is_mutex(e) ? &evr_lock_kinds[e->lock] : NULL;
	if (k && e->lock == EVR_LOCK_WAKE)
		evr_strbuf_printf(out, "thread %u", evr_wake_thread(e->address));
	else if (k && evr_lock_is_channel(e->lock))
		evr_lock_name(out, e->lock, e->address);
	else if (k && e->lock == EVR_LOCK_FUTEX)
		evr_name_address(out, evr_futex_word(e->address), k->size);
	else if (e->address)
		evr_name_address(out, e->address - (k ? k->offset : 0), k ? k->size : e->size);
}

void evr_name_thread(struct evr_strbuf *out, evr_thread_id thread)
{
	const struct evr_thread *t = evr_rt.threads[thread];
	if (*t->name) {
		evr_strbuf_puts(out, t->name);
		return;
	}
	uintptr_t start = t->start11 ? (uintptr_t)t->start11 : (uintptr_t)t->start;
	const struct evr_function *f = thread ? evr_object_function(start) : NULL;
	if (!thread)
		evr_strbuf_puts(out, "main");
	else if (f && (uintptr_t)f->address == start)
		evr_strbuf_puts(out, f->name);
}

EVR_LASTING char evr_told_text[256];

/*
 * The registers of vectors: gdb before version 14 does not write them back after a call where the processor has AMX, and the program may be
 * using them. AMX's own (bits 17 and 18) would not fit, and are not touched.
 */
static void keep_vectors(bool restore)
{
#if defined(__x86_64__)
	static EVR_LASTING _Alignas(64) char vectors[4096];
	unsigned a, b, c = 0, d, low, high;
	if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & bit_OSXSAVE))
		return;
	__asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
	low &= ~(3u << 17);
	if (restore)
		__asm__ volatile("xrstor64 %0" : : "m"(vectors), "a"(low), "d"(0) : "memory");
	else
		__asm__ volatile("xsave64 %0" : "=m"(vectors) : "a"(low), "d"(0) : "memory");
#else
	(void)restore;
#endif
}

/* Of an event of an object's life: who accesses the object looks whether it is alive; who frees it says so, and then the memory goes away. */
static void tell_life(struct evr_strbuf *out, const struct evr_event *e, int what)
{
	if (what == 'k')
		evr_strbuf_puts(out, e->kind == EVR_READ ? "use" : e->kind == EVR_CAS ? "free" : "freed");
	else if (what == 'l')
		evr_name_address(out, e->kind == EVR_FREE ? e->address : evr_life_object(e->address), 0);
}

static __attribute__((noinline)) void tell(const struct evr_event *e, unsigned thread, int what)
{
	struct evr_strbuf out;
	evr_strbuf_init(&out);
	if (strchr("klv", what) && (e->kind == EVR_FREE || evr_is_life(e->address)))
		tell_life(&out, e, what);
	else if (what == 'k')
		evr_strbuf_puts(&out, evr_event_name(e));
	else if (what == 'l')
		evr_name_location(&out, e);
	else if (what == 'v')
		evr_name_effect(&out, e);
	else if (what == 'p')
		name_pointer(&out, (uintptr_t)e);
	else
		evr_name_thread(&out, (evr_thread_id)thread);
	snprintf(evr_told_text, sizeof(evr_told_text), "%s", out.text);
	evr_strbuf_release(&out);
}

const char *evr_told(const struct evr_event *e, unsigned thread, int what)
{
	keep_vectors(false);
	tell(e, thread, what);
	keep_vectors(true);
	return evr_told_text;
}
