/*
 * Who called the function in which something happened: found out when an execution is run once more for its report. The
 * return addresses are told to the driver as {eOFFSET}, relative to the executable, which turns them into lines.
 */
#include "runtime/runtime.h"

#include <execinfo.h>
#include <string.h>

#define DEEPEST 48 /* frames that are looked at */
#define MOST 8     /* callers that are told */

struct evr_stack {
	evr_thread_id thread;
	uint32_t index; /* of the event that was to come */
	unsigned count;
	uintptr_t callers[MOST];
};

/*
 * The program's own functions that have not returned, innermost first, without that one. Of what the runtime has called itself
 * nothing tells where it ends, so it is known by the name of the function that is at the event.
 */
static unsigned find_callers(uintptr_t *callers, const char *innermost)
{
	void *frames[DEEPEST];
	int n = backtrace(frames, DEEPEST);
	unsigned kept = 0;
	bool found = false;
	for (int i = 0; i < n && kept < MOST; i++) {
		/* A return address may lie behind the function, if that never returns. */
		uintptr_t call = (uintptr_t)frames[i] - 1;
		const struct evr_function *f = evr_object_function(call);
		if (f && found)
			callers[kept++] = call;
		found |= f && !strcmp(f->name, innermost);
	}
	return kept;
}

void evr_stack_note(void)
{
	struct evr_stack s = { .thread = evr_current->id, .index = evr_rt.world.trace.counts[evr_current->id] };
	s.count = find_callers(s.callers, evr_current->site ? evr_current->site->function : "");
	evr_vec_push(&evr_execution.stacks, s);
}

void evr_stack_describe(struct evr_strbuf *out, evr_thread_id thread, uint32_t index, const char *indent)
{
	const struct evr_stack *s = NULL;
	for (size_t i = 0; i < evr_execution.stacks.len; i++)
		if (evr_execution.stacks.data[i].thread == thread && evr_execution.stacks.data[i].index == index)
			s = &evr_execution.stacks.data[i];
	for (unsigned i = 0; s && i < s->count; i++) {
		unsigned number;
		uintptr_t base = evr_module_base(s->callers[i], &number);
		evr_strbuf_printf(out, "%scalled by %s", indent, evr_object_function(s->callers[i])->name);
		/* Libraries have files of their own, which the driver does not know. */
		if (!number)
			evr_strbuf_printf(out, " at {e%zx}", (size_t)(s->callers[i] - base));
		evr_strbuf_putc(out, '\n');
	}
}
