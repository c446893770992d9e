#include "runtime/coverage.h"

#include "base/strbuf.h"
#include "report/result.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

static EVR_LASTING struct {
	const struct evr_object *objects;
	size_t flags; /* of all objects */
	uint8_t *
		shared; /* the bytes of all objects, one behind the other, as they were committed; NULL: there are none */
} coverage;

/* A point, and whether it was executed. */
struct place {
	const struct evr_point *point;
	bool executed;
};

/* How many flags the object has. */
static size_t flag_count(const struct evr_object *o)
{
	uint64_t n = 0;
	for (uint64_t i = 0; i < o->point_count; i++)
		n = o->points[i].flag >= n ? o->points[i].flag + 1 : n;
	return n;
}

void evr_coverage_init(const struct evr_object *objects)
{
	coverage.objects = objects;
	for (const struct evr_object *o = objects; o; o = o->next)
		coverage.flags += flag_count(o);
	if (!coverage.flags)
		return;
	coverage.shared = mmap(NULL, coverage.flags, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (coverage.shared == MAP_FAILED)
		evr_die("cannot share memory with workers: %s", strerror(errno));
}

void evr_coverage_clear(void)
{
	for (const struct evr_object *o = coverage.objects; o; o = o->next)
		if (o->point_count)
			memset(o->executed, 0, flag_count(o));
	if (coverage.shared)
		memset(coverage.shared, 0, coverage.flags);
}

/* Others write the same value, if any: a race that nobody loses. */
void evr_coverage_commit(void)
{
	uint8_t *shared = coverage.shared;
	for (const struct evr_object *o = coverage.objects; o; o = o->next) {
		size_t n = flag_count(o);
		for (size_t i = 0; i < n; i++)
			if (o->executed[i] && !shared[i])
				__atomic_store_n(&shared[i], 1, __ATOMIC_RELAXED);
		shared += n;
	}
}

char *evr_coverage_text(void)
{
	char *text = evr_alloc(coverage.flags + 1);
	for (size_t i = 0; i < coverage.flags; i++)
		text[i] = coverage.shared[i] ? '1' : '0';
	return text;
}

void evr_coverage_add(const char *text)
{
	for (size_t i = 0; i < coverage.flags && text[i]; i++)
		if (text[i] == '1')
			__atomic_store_n(&coverage.shared[i], 1, __ATOMIC_RELAXED);
}

/* ---- telling ---- */

static bool is_branch(const struct evr_point *p)
{
	return p->kind >= EVR_POINT_TRUE;
}

static int compare(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

/* Functions and branches of one place are told apart by the function; it does not matter which of them a line is in. */
static int by_place(const void *a, const void *b)
{
	const struct evr_point *p = ((const struct place *)a)->point, *q = ((const struct place *)b)->point;
	int order = strcmp(p->site->file, q->site->file);
	if (!order)
		order = compare(p->site->line, q->site->line);
	if (!order)
		order = compare(is_branch(p) ? 2 : p->kind, is_branch(q) ? 2 : q->kind);
	if (order || p->kind == EVR_POINT_LINE)
		return order;
	order = strcmp(p->site->function, q->site->function);
	if (!order)
		order = compare(p->number, q->number);
	if (!order)
		order = compare(p->kind, q->kind);
	return order ? order : p->value < q->value ? -1 : p->value > q->value;
}

static char *edge_of(const struct evr_point *p)
{
	switch (p->kind) {
	case EVR_POINT_TRUE:
		return evr_strdup("true");
	case EVR_POINT_FALSE:
		return evr_strdup("false");
	case EVR_POINT_DEFAULT:
		return evr_strdup("default");
	case EVR_POINT_CASE:
		return evr_format("case %" PRId64, p->value);
	default:
		return evr_strdup("");
	}
}

static struct evr_result_point describe(const struct place *place)
{
	const struct evr_point *p = place->point;
	return (struct evr_result_point){
		.kind = (char *)(uintptr_t)(p->kind == EVR_POINT_FUNCTION ? "function"
					    : p->kind == EVR_POINT_LINE   ? "line"
									  : "branch"),
		.file = (char *)(uintptr_t)p->site->file,
		.line = p->site->line,
		.column = is_branch(p) ? p->site->column : 0,
		.function = (char *)(uintptr_t)(p->kind == EVR_POINT_LINE ? "" : p->site->function),
		.number = p->number,
		.edge = edge_of(p),
		.executed = place->executed,
	};
}

void evr_coverage_tell(int fd)
{
	EVR_VEC(struct place) places = { 0 };
	EVR_VEC(struct evr_result_point) points = { 0 };
	const uint8_t *shared = coverage.shared;
	for (const struct evr_object *o = coverage.objects; o; o = o->next) {
		for (uint64_t i = 0; i < o->point_count; i++)
			evr_vec_push(&places, ((struct place){ &o->points[i], shared[o->points[i].flag] }));
		shared += flag_count(o);
	}
	if (places.len)
		qsort(places.data, places.len, sizeof(*places.data), by_place);
	for (size_t i = 0; i < places.len;) {
		struct place all = places.data[i];
		for (; i < places.len && !by_place(&places.data[i], &all); i++)
			all.executed |= places.data[i].executed;
		evr_vec_push(&points, describe(&all));
	}
	evr_wire_coverage(fd, points.data, points.len);
	for (size_t i = 0; i < points.len; i++)
		free(points.data[i].edge);
	evr_vecs_release(&places, &points);
}
