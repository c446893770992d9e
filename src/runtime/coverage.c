#include "runtime/coverage.h"

#include "base/map.h"
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

/* A point. `key` orders those of different files and lines, and functions before lines before branches; its lowest bit tells whether it was executed. */
struct place {
	const struct evr_point *point;
	uint64_t key;
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

typedef EVR_VEC(char *) text_vec;

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
	const struct place *one = a, *other = b;
	int order = compare(one->key >> 1, other->key >> 1);
	if (order || one->point->kind == EVR_POINT_LINE)
		return order;
	const struct evr_point *p = one->point, *q = other->point;
	order = p->site->function == q->site->function ? 0 : strcmp(p->site->function, q->site->function);
	if (!order)
		order = compare(p->number, q->number);
	if (!order)
		order = compare(p->kind, q->kind);
	return order ? order : p->value < q->value ? -1 : p->value > q->value;
}

/* What has to be made for it is put into `made`. */
static const char *edge_of(const struct evr_point *p, text_vec *made)
{
	switch (p->kind) {
	case EVR_POINT_TRUE:
		return "true";
	case EVR_POINT_FALSE:
		return "false";
	case EVR_POINT_DEFAULT:
		return "default";
	case EVR_POINT_CASE:
		evr_vec_push(made, evr_format("case %" PRId64, p->value));
		return evr_vec_last(made);
	default:
		return "";
	}
}

static struct evr_result_point describe(const struct place *place, text_vec *made)
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
		.edge = (char *)(uintptr_t)edge_of(p, made),
		.executed = place->key & 1,
	};
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* The address of each file's name -> the place of that name in their order. Names that are equal may lie at several addresses. */
static void rank_files(struct evr_map *ranks)
{
	EVR_VEC(const char *) names = { 0 };
	const char *last = NULL;
	for (const struct evr_object *o = coverage.objects; o; o = o->next)
		for (uint64_t i = 0; i < o->point_count; i++) {
			const char *name = o->points[i].site->file;
			if (name != last && !evr_map_get(ranks, (uintptr_t)name)) {
				evr_map_put(ranks, (uintptr_t)name, 0);
				evr_vec_push(&names, name);
			}
			last = name;
		}
	if (names.len)
		qsort(names.data, names.len, sizeof(*names.data), by_name);
	for (uint64_t i = 0, rank = 0; i < names.len; i++) {
		rank += i && strcmp(names.data[i - 1], names.data[i]) != 0;
		evr_map_put(ranks, (uintptr_t)names.data[i], rank);
	}
	evr_vec_release(&names);
}

static struct place place_of(const struct evr_point *p, uint64_t rank, bool executed)
{
	uint64_t kind = is_branch(p) ? 2 : p->kind;
	return (struct place){ p, rank << 35 | (uint64_t)p->site->line << 3 | kind << 1 | executed };
}

void evr_coverage_tell(int fd)
{
	EVR_VEC(struct place) places = { 0 };
	EVR_VEC(struct evr_result_point) points = { 0 };
	struct evr_map ranks = { 0 };
	text_vec made = { 0 };
	const uint8_t *shared = coverage.shared;
	const char *last = NULL;
	uint64_t rank = 0;
	rank_files(&ranks);
	for (const struct evr_object *o = coverage.objects; o; o = o->next) {
		for (uint64_t i = 0; i < o->point_count; i++) {
			const struct evr_point *p = &o->points[i];
			if (p->site->file != last)
				rank = *evr_map_get(&ranks, (uintptr_t)p->site->file);
			last = p->site->file;
			evr_vec_push(&places, place_of(p, rank, shared[p->flag]));
		}
		shared += flag_count(o);
	}
	if (places.len)
		qsort(places.data, places.len, sizeof(*places.data), by_place);
	for (size_t i = 0; i < places.len;) {
		struct place all = places.data[i];
		for (; i < places.len && !by_place(&places.data[i], &all); i++)
			all.key |= places.data[i].key & 1;
		evr_vec_push(&points, describe(&all, &made));
	}
	evr_wire_coverage(fd, points.data, points.len);
	for (size_t i = 0; i < made.len; i++)
		free(made.data[i]);
	evr_map_release(&ranks);
	evr_vecs_release(&places, &points, &made);
}
