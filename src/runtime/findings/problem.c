/*
 * What is wrong with an access or a free, told with the memory that it hits: which block or variable that is, who
 * allocated it where, and who gave it back where.
 *
 * Invariant: nothing here changes anything but `gone`, which a fault takes. It is asked before an access, and again by the scheduler if memory has changed since.
 */
#include "runtime/memory/shadow.h"
#include "runtime/runtime.h"

/* "(40 bytes allocated at a.c:7 by thread 0, freed at a.c:9 by thread 1)" */
static void describe_block(struct evr_strbuf *out, const struct evr_block *b, evr_thread_id owner)
{
	evr_strbuf_printf(out, " (%zu byte%s allocated at %s:%u by thread %u", b->size, b->size == 1 ? "" : "s",
			  b->allocated->file, b->allocated->line, owner);
	if (b->freed)
		evr_strbuf_printf(out, ", %s at %s:%u by thread %u", b->moved ? "moved by realloc" : "freed",
				  b->freed->file, b->freed->line, b->freed_by);
	evr_strbuf_puts(out, ")");
}

void evr_block_describe(struct evr_strbuf *out, uintptr_t address)
{
	evr_thread_id owner;
	size_t number;
	const struct evr_block *b = evr_heap_find(address, &owner, &number);
	if (b)
		describe_block(out, b, owner);
}

/* An access to the heap outside of what is alive: the block that it is in, or behind. */
static const char *heap_problem(struct evr_strbuf *out, const struct evr_block *b, evr_thread_id owner,
				uintptr_t address, size_t size)
{
	size_t offset = address - b->address;
	/* What is wrong in any case is said in any case, whether or not somebody has freed the block already. */
	bool inside = offset < b->size && size <= b->size - offset;
	const char *kind = b->freed && inside ? "use-after-free" : "out-of-bounds";
	evr_strbuf_puts(out, *kind == 'u' ? " of freed memory " : " at ");
	evr_name_address(out, address, size);
	if (*kind == 'o')
		evr_strbuf_puts(out, offset < b->size ? ", reaching beyond the block" : ", outside of the block");
	describe_block(out, b, owner);
	return kind;
}

/* The function's return took the local away; `left` is NULL if it is too long ago to be known. */
static const char *left_problem(struct evr_strbuf *out, const struct evr_local *left, uintptr_t address, size_t size)
{
	if (!left) {
		evr_strbuf_printf(out, " at %#zx, where a local variable was, of a function that has returned",
				  (size_t)address);
		return "use-after-free";
	}
	evr_strbuf_puts(out, " of the local variable ");
	evr_name_address(out, address, size);
	if (left->block)
		evr_strbuf_puts(out, ", whose block has ended");
	else if (left->abandoned)
		evr_strbuf_puts(out, " of a thread that has ended");
	else if (*left->left->function)
		evr_strbuf_printf(out, " of '%s', which has returned", left->left->function);
	else
		evr_strbuf_puts(out, " of a function that has returned");
	evr_strbuf_printf(out, " (at %s:%u)", left->left->file, left->left->line);
	return "use-after-free";
}

static const char *frame_problem(struct evr_strbuf *out, uintptr_t address, size_t size)
{
	const struct evr_local *l = evr_frame_near(address);
	if (!l || (l->left && address >= l->address && address - l->address + size <= l->size))
		return left_problem(out, l, address, size);
	evr_strbuf_puts(out, " at ");
	if (l->variable)
		evr_strbuf_puts(out, l->variable->name);
	else
		evr_strbuf_puts(out, "a local");
	evr_strbuf_printf(out, "%+lld, %s the local variable's %zu byte%s", (long long)(address - l->address),
			  address - l->address < l->size ? "reaching beyond" : "outside of", l->size,
			  l->size == 1 ? "" : "s");
	return "out-of-bounds";
}

static const char *variable_problem(struct evr_strbuf *out, uintptr_t address, size_t size)
{
	evr_thread_id owner;
	uintptr_t start;
	if (address - EVR_TLS < EVR_FRAMES_END - EVR_TLS && evr_tls_variable(address, &owner, &start)) {
		evr_strbuf_puts(out, " of ");
		evr_name_address(out, address, size);
		evr_strbuf_puts(out, ", a variable of a thread that has ended");
		return "use-after-free";
	}
	const struct evr_variable *v = evr_object_variable(address);
	const char *foreign = evr_foreign_owner(address);
	evr_strbuf_puts(out, " at ");
	evr_name_address(out, address, size);
	if (foreign && (!v || address - (uintptr_t)v->address >= v->size)) {
		evr_strbuf_printf(out, ", %s", foreign);
		return "invalid-access";
	}
	if (address - EVR_TLS < EVR_FRAMES_END - EVR_TLS) {
		evr_strbuf_puts(out, ", outside of the thread's variables");
		return "out-of-bounds";
	}
	if (!v)
		return "invalid-access";
	evr_strbuf_printf(out, ", %s the variable's %llu byte%s",
			  address - (uintptr_t)v->address < v->size ? "reaching beyond" : "outside of",
			  (unsigned long long)v->size, v->size == 1 ? "" : "s");
	return "out-of-bounds";
}

/* Of an access to an object whose lifetime is over, or to none. */
const char *evr_gone_problem(uintptr_t address, size_t size, bool write, char **message)
{
	const char *kind = "invalid-access";
	evr_thread_id owner;
	size_t number;
	evr_execution.gone = address;
	const struct evr_block *b = evr_heap_find(address, &owner, &number), *last = evr_heap_below(address, &owner);
	struct evr_strbuf out;
	evr_strbuf_init(&out);
	evr_strbuf_printf(&out, "%s of %zu byte%s", write ? "write" : "read", size, size == 1 ? "" : "s");
	if (address < 4096) {
		evr_strbuf_printf(&out, " at a null pointer (address %#zx)", (size_t)address);
	} else if (b) {
		kind = heap_problem(&out, b, owner, address, size);
	} else if (last) {
		kind = "out-of-bounds";
		evr_strbuf_printf(&out, " at %#zx, %zu bytes past the last block of the heap", (size_t)address,
				  (size_t)(address - last->address - last->size));
		describe_block(&out, last, owner);
	} else if (evr_in_frames(address) && address < EVR_TLS) {
		kind = frame_problem(&out, address, size);
	} else {
		kind = variable_problem(&out, address, size);
	}
	*message = evr_strbuf_take(&out);
	return kind;
}

const char *evr_access_problem(uintptr_t address, size_t size, bool write, char **message)
{
	if (!evr_shadow_valid(address, size))
		return evr_gone_problem(address, size, write, message);
	if (!write || !(evr_cell(address)->constant & evr_mask_in(address & ~(uintptr_t)7, address, size)))
		return NULL;
	struct evr_strbuf out;
	evr_strbuf_init(&out);
	evr_strbuf_printf(&out, "write of %zu byte%s to constant memory: ", size, size == 1 ? "" : "s");
	evr_name_address(&out, address, size);
	*message = evr_strbuf_take(&out);
	return "invalid-access";
}

static const char *place_of(uintptr_t address)
{
	evr_thread_id thread;
	uintptr_t start;
	if (evr_tls_variable(address, &thread, &start))
		return "which is a thread-local variable";
	if (evr_in_frames(address))
		return "which is a local variable";
	if (evr_object_variable(address))
		return "which is a global variable";
	return "which is not an allocated block";
}

const char *evr_free_problem(uintptr_t address, const char *what, char **message)
{
	evr_thread_id owner;
	size_t number;
	const struct evr_block *b = evr_heap_find(address, &owner, &number);
	bool start = b && b->address == address;
	if (start && !b->freed)
		return NULL;
	evr_execution.gone = address;
	struct evr_strbuf out;
	evr_strbuf_init(&out);
	evr_strbuf_printf(&out, "%s of ", what);
	evr_name_address(&out, address, 0);
	if (start)
		evr_strbuf_printf(&out, ", which was %s before", b->moved ? "moved by realloc" : "freed");
	else if (b)
		evr_strbuf_printf(&out, ", which is %s the block, not its start",
				  address - b->address < b->size ? "inside of" : "outside of");
	else
		evr_strbuf_printf(&out, ", %s", place_of(address));
	if (b)
		describe_block(&out, b, owner);
	*message = evr_strbuf_take(&out);
	return start ? "double-free" : "invalid-free";
}
