/* An axiom that models share whose steps name sources: coherence, by numbers. */
#include "model/model.h"

/*
 * The writes to a byte are numbered in coherence, 0 being
 * the initial one; a read has the number of its source. If one access happens before another, their numbers must not say
 * otherwise, and a read-modify-write has the number after that of its source.
 */
struct numbered_access {
	evr_event_id event;
	long read, written; /* -1: it does not */
};

static bool in_order(const struct numbered_access *a, const struct numbered_access *b)
{
	bool writes = a->written < 0 || b->written < 0 || a->written < b->written;
	bool write_read = a->written < 0 || b->read < 0 || a->written <= b->read;
	bool read_write = a->read < 0 || b->written < 0 || a->read < b->written;
	bool reads = a->read < 0 || b->read < 0 || a->read <= b->read;
	return writes && write_read && read_write && reads;
}

typedef EVR_VEC(struct numbered_access) numbered_accesses;

static long number_of(const struct evr_graph_byte *b, evr_event_id write)
{
	for (size_t i = 0; i < b->writes.len; i++)
		if (b->writes.data[i] == write)
			return (long)i + 1;
	return write == EVR_NO_EVENT ? 0 : -1;
}

static void number_accesses(const struct evr_graph *g, size_t byte, numbered_accesses *out)
{
	const struct evr_graph_byte *b = &g->bytes.data[byte];
	evr_vec_clear(out);
	for (size_t i = 0; i < g->reads.len; i++) {
		const struct evr_graph_read *r = &g->reads.data[i];
		if (r->byte == byte)
			evr_vec_push(out, (struct numbered_access){ r->read, number_of(b, r->source),
								    number_of(b, r->read) });
	}
	for (size_t i = 0; i < b->writes.len; i++)
		if (!evr_event_reads(&g->trace->events.data[b->writes.data[i]]))
			evr_vec_push(out, (struct numbered_access){ b->writes.data[i], -1, (long)i + 1 });
}

static bool byte_allowed(const struct evr_relation *before, const numbered_accesses *all)
{
	for (size_t i = 0; i < all->len; i++) {
		const struct numbered_access *a = &all->data[i];
		if (a->read >= 0 && a->written >= 0 && a->written != a->read + 1)
			return false;
		for (size_t k = 0; k < all->len; k++)
			if (evr_relation_has(before, a->event, all->data[k].event) && !in_order(a, &all->data[k]))
				return false;
	}
	return true;
}

bool evr_axiom_numbered(const struct evr_graph *g, const struct evr_relation *before)
{
	numbered_accesses all = { 0 };
	bool fine = true;
	for (size_t b = 0; b < g->bytes.len && fine; b++) {
		number_accesses(g, b, &all);
		fine = byte_allowed(before, &all);
	}
	evr_vec_release(&all);
	return fine;
}
