/*
 * A schedule: all that is needed to run one execution again, as text without blanks.
 *
 *   1;0.0;e4040:4,a1000020:8;1,2x3,1+1
 *
 * the format's version; the parent of thread 1, 2, ...; the shared bytes, as ranges relative to a base (`e` the
 * executable, `l1-` the first library, `a` the arena), since they decide which accesses are visible, and the contended objects
 * (`c` and a range of the arena: runtime/lifetime.h); where accesses are cut, as ranges of no bytes; what atomic sections
 * use and where they begin (`s` and `b`, the number of a group, and a range: section.c); locks that somebody tries to take, if that
 * mattered (`t` and a range: retry.c); and the steps, each a thread with its
 * variant if there is one and how often it is repeated.
 */
#include "runtime/runtime.h"
#include "runtime/shadow.h"

#include <string.h>

/* More than any search comes to: beyond it somebody has made the schedule up, and memory would run out. */
#define MOST_SHARED (128 * EVR_MIB)
#define MOST_STEPS 50000000

static void write_range(struct evr_strbuf *out, const struct evr_range *r)
{
	unsigned number = 0;
	if (evr_in_arena(r->address)) {
		evr_strbuf_printf(out, "a%llx", (unsigned long long)(r->address - EVR_ARENA_BASE));
	} else {
		uintptr_t base = evr_module_base(r->address, &number);
		if (number)
			evr_strbuf_printf(out, "l%u-", number);
		else
			evr_strbuf_puts(out, "e");
		evr_strbuf_printf(out, "%llx", (unsigned long long)(r->address - base));
	}
	evr_strbuf_printf(out, ":%zx", r->size);
}

static void write_sections(struct evr_strbuf *out, bool first)
{
	uintptr_t what = 0;
	bool is_byte = false;
	for (size_t i = 0, group; (group = evr_section_known(i, &what, &is_byte)) != SIZE_MAX; i++) {
		evr_strbuf_printf(out, "%s%c%zx.", first && !i ? "" : ",", is_byte ? 's' : 'b', group);
		write_range(out, &(struct evr_range){ what, 1 });
	}
}

char *evr_schedule_text(void)
{
	struct evr_strbuf out;
	evr_strbuf_init(&out);
	evr_strbuf_puts(&out, "1;");
	for (unsigned i = 1; i < evr_rt.thread_count; i++)
		evr_strbuf_printf(&out, "%s%u", i > 1 ? "." : "", evr_rt.threads[i]->parent);
	evr_strbuf_putc(&out, ';');
	const struct evr_range *ranges;
	size_t n = evr_shadow_shared_ranges(&ranges);
	for (size_t i = 0; i < n; i++) {
		if (i)
			evr_strbuf_putc(&out, ',');
		write_range(&out, &ranges[i]);
	}
	const struct evr_range *objects;
	size_t count = evr_shadow_contended(&objects);
	for (size_t i = 0; i < count; i++)
		evr_strbuf_printf(&out, "%sc%llx:%zx", n || i ? "," : "",
				  (unsigned long long)(objects[i].address - EVR_ARENA_BASE), objects[i].size);
	for (size_t i = 0; i < evr_rt.world.cuts.len; i++) {
		evr_strbuf_puts(&out, n || count || i ? "," : "");
		write_range(&out, &(struct evr_range){ evr_rt.world.cuts.data[i], 0 });
	}
	write_sections(&out, !n && !count && !evr_rt.world.cuts.len);
	uintptr_t lock = 0;
	for (size_t i = 0; (i = evr_retry_known(i, &lock));) {
		evr_strbuf_puts(&out, ",t");
		write_range(&out, &(struct evr_range){ lock, 1 });
	}
	evr_strbuf_putc(&out, ';');
	const evr_steps *steps = &evr_rt.taken;
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

/* Digits and nothing else: strtoull would also take blanks, signs and 0x. */
static bool number(const char **p, unsigned base, unsigned long long *value)
{
	const char *digits = "0123456789abcdef", *start = *p, *digit;
	*value = 0;
	for (; **p && (digit = strchr(digits, **p)) && digit < digits + base; (*p)++)
		if (__builtin_mul_overflow(*value, base, value) ||
		    __builtin_add_overflow(*value, (unsigned)(digit - digits), value))
			return false;
	return *p != start;
}

static bool skip(const char **p, char c)
{
	if (**p != c)
		return false;
	(*p)++;
	return true;
}

static bool read_parents(const char **p)
{
	unsigned ranks[EVR_MAX_THREADS] = { 0 };
	unsigned long long parent;
	if (skip(p, ';'))
		return true;
	do {
		if (!number(p, 10, &parent) || parent >= evr_rt.thread_count)
			return false;
		evr_thread_known((unsigned)parent, ranks[parent]++);
	} while (skip(p, '.'));
	return skip(p, ';');
}

static bool read_base(const char **p, uintptr_t *base)
{
	unsigned long long library = 0;
	if (skip(p, 'a'))
		*base = EVR_ARENA_BASE;
	else if (skip(p, 'e'))
		*base = evr_module_number_base(0);
	else if (skip(p, 'l') && number(p, 10, &library) && skip(p, '-'))
		*base = evr_module_number_base((unsigned)library);
	else
		return false;
	return true;
}

static bool read_section(const char **p, bool is_byte)
{
	unsigned long long group, offset, size;
	uintptr_t base;
	if (!number(p, 16, &group) || !skip(p, '.') || !read_base(p, &base) || !number(p, 16, &offset) ||
	    !skip(p, ':') || !number(p, 16, &size) || size != 1)
		return false;
	/* Without it being shared, nothing is known of a byte. */
	if (is_byte && !evr_shadow_shared(base + offset, 1))
		return false;
	evr_section_add(group, base + offset, is_byte);
	return true;
}

static bool read_ranges(const char **p)
{
	unsigned long long offset, size, all = 0;
	if (skip(p, ';'))
		return true;
	do {
		uintptr_t base;
		if (skip(p, 'c')) {
			if (!number(p, 16, &offset) || !skip(p, ':') || !number(p, 16, &size) || size > MOST_SHARED ||
			    (all += size) > MOST_SHARED || offset > EVR_ARENA_SIZE ||
			    !evr_in_arena(EVR_ARENA_BASE + offset))
				return false;
			evr_shadow_contend(EVR_ARENA_BASE + offset, size);
			continue;
		}
		if (**p == 's' || **p == 'b') {
			bool is_byte = *(*p)++ == 's';
			if (!read_section(p, is_byte))
				return false;
			continue;
		}
		bool tried = skip(p, 't');
		if (!read_base(p, &base) || !number(p, 16, &offset) || !skip(p, ':') || !number(p, 16, &size) ||
		    size > MOST_SHARED || (all += size) > MOST_SHARED)
			return false;
		if (tried)
			evr_retry_tried(base + offset, true);
		else if (size)
			evr_shadow_share(base + offset, size);
		else
			evr_model_add_cut(&evr_rt.world, base + offset);
	} while (skip(p, ','));
	return skip(p, ';');
}

static bool read_steps(const char **p, evr_steps *steps)
{
	if (!**p)
		return true;
	do {
		unsigned long long actor, variant = 0, times = 1;
		if (!number(p, 10, &actor) || (skip(p, '+') && !number(p, 10, &variant)) ||
		    (skip(p, 'x') && !number(p, 10, &times)) || actor > 0xfffe || variant > UINT32_MAX ||
		    times > MOST_STEPS || steps->len + times > MOST_STEPS)
			return false;
		for (; times > 0; times--)
			evr_vec_push(steps, (struct evr_step){ (uint16_t)actor, (uint32_t)variant });
	} while (skip(p, ','));
	return !**p;
}

struct evr_engine *evr_schedule_engine(const char *text, char **error)
{
	unsigned long long version;
	evr_steps steps = { 0 };
	const char *p = text;
	evr_thread_known(EVR_NO_THREAD, 0);
	if (!number(&p, 10, &version) || version != 1 || !skip(&p, ';') || !read_parents(&p) || !read_ranges(&p) ||
	    !read_steps(&p, &steps)) {
		*error = evr_format("'%s' is not a schedule", text);
		evr_vec_release(&steps);
		return NULL;
	}
	struct evr_engine *e = evr_engine_replay(&evr_rt.world, steps.data, steps.len);
	evr_vec_release(&steps);
	return e;
}
