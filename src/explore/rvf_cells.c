/*
 * Engine `rvf`: the values of a read of several cells, where accesses of different sizes overlap.
 *
 * Each cell may be read from another write. A read that had its turn above must not read all of its cells from writes that were there
 * then: that has been explored. One new source is enough, whichever cell it is of, and which one is left to the witness. Otherwise
 * one value would be given several times, for each cell that may be the new one.
 */
#include "explore/rvf_search.h"

#define NONE EVR_NO_EVENT

static struct evr_rvf_choices *of_cell(struct evr_rvf_search *f, const struct evr_rvf_pending *p, uint32_t cell)
{
	return &f->choices.data[cell - p->cell];
}

static void add_option(struct evr_rvf_search *f, const struct evr_rvf_node *n, const struct evr_rvf_pending *p,
		       evr_event_id w, uint32_t cell)
{
	struct evr_rvf_option o = { .source = w, .new = !evr_rvf_is_forbidden(f, n, p, w) };
	if (evr_rvf_is_hidden(f, n, p, w, cell))
		return;
	if (w == NONE)
		o.value = evr_rvf_initial(f, p, cell);
	else
		o.value.value = evr_rvf_written(&f->x, &f->x.events.data[w], cell);
	evr_vec_push(&f->options, o);
	struct evr_rvf_choices *c = of_cell(f, p, cell);
	c->end = (uint32_t)f->options.len;
	/* What the read finds if it comes last is first: that needs no search. */
	if (w == c->active) {
		evr_vec_last(&f->options) = f->options.data[c->first];
		f->options.data[c->first] = o;
	}
}

static bool same_sources(const struct evr_rvf_search *f, const struct evr_rvf_choices *a,
			 const struct evr_rvf_choices *b)
{
	bool same = a->end - a->first == b->end - b->first;
	for (uint32_t i = 0; same && i < a->end - a->first; i++)
		same = f->options.data[a->first + i].source == f->options.data[b->first + i].source;
	return same;
}

static void list_cell(struct evr_rvf_search *f, const struct evr_rvf_node *n, const struct evr_rvf_pending *p,
		      uint32_t cell)
{
	const struct evr_rvf *x = &f->x;
	uint32_t first = (uint32_t)f->options.len, i = 0;
	evr_vec_push(&f->choices,
		     (struct evr_rvf_choices){ .first = first, .end = first, .active = evr_rvf_active(f, n, cell) });
	for (evr_event_id w = x->newest.data[p->location]; w != NONE; w = x->events.data[w].older)
		if (x->events.data[w].flags & EVR_RVF_WRITES && evr_rvf_covers(&x->events.data[w], cell))
			add_option(f, n, p, w, cell);
	add_option(f, n, p, NONE, cell);
	while (!same_sources(f, &f->choices.data[i], of_cell(f, p, cell)))
		i++;
	of_cell(f, p, cell)->like = i;
}

/* Do the cells that are read from the same source have the same values from these two? */
static bool same_values(const struct evr_rvf_search *f, const struct evr_rvf_choices *all, uint32_t like, uint32_t i,
			uint32_t k)
{
	bool same = true;
	for (uint32_t c = like; same && c < f->choices.len; c++)
		same = all[c].like != like || evr_rvf_same_value(f->options.data[all[c].first + i].value,
								 f->options.data[all[c].first + k].value);
	return same;
}

/* The i-th of the cell's options is the first with its values. */
static bool is_first(const struct evr_rvf_search *f, uint32_t like, uint32_t i)
{
	for (uint32_t k = 0; k < i; k++)
		if (same_values(f, f->choices.data, like, i, k))
			return false;
	return true;
}

static void list_choices(struct evr_rvf_search *f, const struct evr_rvf_node *n, const struct evr_rvf_pending *p)
{
	evr_vec_clear(&f->options);
	evr_vec_clear(&f->choices);
	for (uint32_t cell = p->cell; cell < p->cell + p->cells; cell++)
		list_cell(f, n, p, cell);
	for (uint32_t c = 0; c < f->choices.len; c++) {
		struct evr_rvf_choices *l = &f->choices.data[c];
		for (uint32_t i = 0; l->like == c && i < l->end - l->first; i++)
			l->values += is_first(f, c, i);
	}
}

/* Which option the k-th way to read these is. */
static uint32_t option_of(const struct evr_rvf_search *f, uint32_t like, uint32_t k)
{
	for (uint32_t i = 0;; i++)
		if (is_first(f, like, i) && !k--)
			return i;
}

/* Choose for all cells: the number-th of all ways. False: there are not so many. */
static bool choose(struct evr_rvf_search *f, uint32_t number)
{
	for (uint32_t c = 0; c < f->choices.len; c++) {
		struct evr_rvf_choices *l = &f->choices.data[c];
		if (l->like != c) {
			l->chosen = f->choices.data[l->like].chosen;
			continue;
		}
		if (!l->values)
			return false;
		l->chosen = option_of(f, c, number % l->values);
		number /= l->values;
	}
	return !number;
}

static struct evr_rvf_value chosen_value(const struct evr_rvf_search *f, const struct evr_rvf_choices *l)
{
	return f->options.data[l->first + l->chosen].value;
}

/* Can any of the cells have its value from a write that was not there when the read had its turn above? */
static bool may_be_new(const struct evr_rvf_search *f)
{
	for (uint32_t c = 0; c < f->choices.len; c++) {
		const struct evr_rvf_choices *l = &f->choices.data[c];
		for (uint32_t i = l->first; i < l->end; i++)
			if (f->options.data[i].new && evr_rvf_same_value(f->options.data[i].value, chosen_value(f, l)))
				return true;
	}
	return false;
}

/* The read joins X with what was chosen. Can it come last, in the order that is there? */
static bool join(struct evr_rvf_search *f, const struct evr_rvf_node *n, const struct evr_rvf_pending *p)
{
	bool tried = evr_rvf_is_forbidden(f, n, p, NONE), last = true, new = !tried;
	evr_value value = 0;
	for (uint32_t c = 0; c < f->choices.len; c++)
		value |= chosen_value(f, &f->choices.data[c]).value
			 << 8 * (f->x.division.cells.data[p->cell + c].address - p->address);
	evr_rvf_append_pending(f, n, p, value, tried ? EVR_RVF_NEW : 0);
	for (uint32_t c = 0; c < f->choices.len; c++) {
		const struct evr_rvf_choices *l = &f->choices.data[c];
		uint32_t part = evr_vec_last(&f->x.events).part + c;
		for (uint32_t i = l->first; i < l->end; i++)
			if (evr_rvf_same_value(f->options.data[i].value, chosen_value(f, l)))
				evr_rvf_add_good(&f->x, part, f->options.data[i].source, f->options.data[i].new);
		const struct evr_rvf_good *g = evr_rvf_good(&f->x, part, l->active);
		last &= g != NULL;
		new |= g && g->new;
	}
	return last && new;
}

bool evr_rvf_read_divided(struct evr_rvf_search *f, struct evr_rvf_node *n, const struct evr_rvf_pending *p)
{
	list_choices(f, n, p);
	while (choose(f, n->value)) {
		n->value++;
		if (!may_be_new(f))
			continue;
		if (evr_rvf_find_witness(f, n, join(f, n, p)))
			return true;
		evr_rvf_rewind(&f->x, n->events);
	}
	return false;
}
