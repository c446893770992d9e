/*
 * A schedule: all that is needed to run one execution again, as text without blanks.
 *
 *   1;0.0;e4040:4,a1000020:8;1,2x3,1+1
 *
 * the format's version; the parent of thread 1, 2, ...; what was known (event/knowledge.h), since that decides which
 * accesses are visible, with addresses relative to a base (`e` the executable, `l1-` the first library, `a` the arena); and
 * the steps, each a thread with its variant if there is one and how often it is repeated.
 */
#include "runtime/memory/shadow.h"
#include "runtime/runtime.h"

#include <string.h>

/* More than any search comes to: beyond it somebody has made the schedule up, and memory would run out. */
#define MOST_STEPS 50000000

/* ---- addresses ---- */

static void write_address(struct evr_strbuf *out, uintptr_t address)
{
	unsigned number = 0;
	if (evr_in_arena(address)) {
		evr_strbuf_printf(out, "a%llx", (unsigned long long)(address - EVR_ARENA_BASE));
		return;
	}
	uintptr_t base = evr_module_base(address, &number);
	if (number)
		evr_strbuf_printf(out, "l%u-", number);
	else
		evr_strbuf_puts(out, "e");
	evr_strbuf_printf(out, "%llx", (unsigned long long)(address - base));
}

static bool read_address(const char **p, uintptr_t *address)
{
	unsigned long long library = 0, offset;
	uintptr_t base;
	if (evr_read_char(p, 'a'))
		base = EVR_ARENA_BASE;
	else if (evr_read_char(p, 'e'))
		base = evr_module_number_base(0);
	else if (evr_read_char(p, 'l') && evr_read_number(p, 10, &library) && evr_read_char(p, '-'))
		base = evr_module_number_base((unsigned)library);
	else
		return false;
	if (!evr_read_number(p, 16, &offset))
		return false;
	*address = base + offset;
	return true;
}

static const struct evr_addresses addresses = {
	.write = write_address,
	.read = read_address,
	.arena = { EVR_ARENA_BASE, EVR_ARGUMENTS - EVR_ARENA_BASE },
};

/* ---- schedules ---- */

static void write_known(struct evr_strbuf *out, bool all)
{
	for (unsigned i = 1; i < evr_rt.thread_count; i++)
		evr_strbuf_printf(out, "%s%u", i > 1 ? "." : "", evr_rt.threads[i]->parent);
	evr_strbuf_putc(out, ';');
	evr_knowledge_write(&evr_rt.world.knowledge, &addresses, all, out);
	evr_strbuf_putc(out, ';');
}

char *evr_known_text(void)
{
	struct evr_strbuf out;
	evr_strbuf_init(&out);
	write_known(&out, true);
	return evr_strbuf_take(&out);
}

char *evr_schedule_text(void)
{
	struct evr_strbuf out;
	evr_strbuf_init(&out);
	evr_strbuf_puts(&out, "1;");
	write_known(&out, false);
	const evr_steps *steps = &evr_execution.taken;
	for (size_t i = 0, k; i < steps->len; i = k) {
		struct evr_step s = steps->data[i];
		for (k = i + 1; k < steps->len && evr_same_step(steps->data[k], s);)
			k++;
		evr_strbuf_printf(&out, "%s%u", i ? "," : "", s.actor);
		if (s.variant)
			evr_strbuf_printf(&out, "+%u", s.variant);
		if (k - i > 1)
			evr_strbuf_printf(&out, "x%zu", k - i);
	}
	return evr_strbuf_take(&out);
}

static bool read_parents(const char **p)
{
	unsigned ranks[EVR_MAX_THREADS] = { 0 };
	unsigned long long parent;
	if (evr_read_char(p, ';'))
		return true;
	do {
		if (!evr_read_number(p, 10, &parent) || parent >= evr_rt.thread_count)
			return false;
		evr_thread_known((unsigned)parent, ranks[parent]++);
	} while (evr_read_char(p, '.'));
	return evr_read_char(p, ';');
}

static bool read_knowledge(const char **p)
{
	struct evr_knowledge *k = &evr_rt.world.knowledge;
	if (evr_read_char(p, ';'))
		return true;
	if (!evr_knowledge_read(k, &addresses, p))
		return false;
	evr_shadow_apply_knowledge();
	/* Without it being shared, nothing is known of a byte. */
	for (size_t i = 0; i < k->members.len; i++)
		if (k->members.data[i].is_byte && !evr_shadow_shared(k->members.data[i].what, 1))
			return false;
	return evr_read_char(p, ';');
}

static bool read_steps(const char **p, evr_steps *steps)
{
	if (!**p)
		return true;
	do {
		unsigned long long actor, variant = 0, times = 1;
		if (!evr_read_number(p, 10, &actor) || (evr_read_char(p, '+') && !evr_read_number(p, 10, &variant)) ||
		    (evr_read_char(p, 'x') && !evr_read_number(p, 10, &times)) || actor > 0xfffe ||
		    variant > UINT32_MAX || times > MOST_STEPS || steps->len + times > MOST_STEPS)
			return false;
		for (; times > 0; times--)
			evr_vec_push(steps, (struct evr_step){ (uint16_t)actor, (uint32_t)variant });
	} while (evr_read_char(p, ','));
	return !**p;
}

struct evr_engine *evr_schedule_engine(const char *text, char **error)
{
	unsigned long long version;
	evr_steps steps = { 0 };
	const char *p = text;
	evr_thread_known(EVR_NO_THREAD, 0);
	if (!evr_read_number(&p, 10, &version) || version != 1 || !evr_read_char(&p, ';') || !read_parents(&p) ||
	    !read_knowledge(&p) || !read_steps(&p, &steps)) {
		*error = evr_format("'%s' is not a schedule", text);
		evr_vec_release(&steps);
		return NULL;
	}
	struct evr_engine *e = evr_engine_replay(&evr_rt.world, steps.data, steps.len);
	evr_vec_release(&steps);
	return e;
}

bool evr_known_take(const char *text, char **error)
{
	const char *p = text;
	struct evr_knowledge *k = &evr_rt.world.knowledge;
	uint64_t version = k->version;
	/* The text has all of it: nothing may be there twice. */
	evr_knowledge_release(k);
	*k = (struct evr_knowledge){ .version = version + 1 };
	evr_thread_known(EVR_NO_THREAD, 0);
	if (read_parents(&p) && read_knowledge(&p) && !*p)
		return true;
	*error = evr_format("'%s' is not the saved knowledge of a search", text);
	return false;
}
