/*
 * Saving, without anybody having to stop for it.
 *
 * Invariant: between the moment when the checker is asked for its part and the moment when that has come (`pending`), branches that the checker gives belong to the old epoch, and
 * branches that it is given to the new one. So a batch is recorded here as sent, or by its receiver as taken, or still (or already) part of what a checker has said; and never two of these.
 */
#include "ranks/epochs.h"

#include <stdlib.h>
#include <string.h>

void evr_epochs_enter(struct evr_rank *r, unsigned long long epoch)
{
	if (epoch <= r->epoch)
		return;
	r->epoch = epoch;
	r->pending = true;
	r->part_written = r->part_failed = r->complete = false;
	for (int i = 0; i < r->below; i++)
		r->children[i].saved = false;
	r->part_generation = r->generation;
	evr_strbuf_clear(&r->part);
	evr_strbuf_clear(&r->taken_then);
	for (size_t i = 0; i < r->last.len; i++)
		evr_strbuf_printf(&r->taken_then, "taken\t%d\t%llu\n", r->last.data[i].from, r->last.data[i].number);
	char *order = evr_format("save\t%llu\t%llu", epoch, r->valid);
	evr_rank_send_down(r, order);
	free(order);
	r->ops->tell(r->self, "save");
}

static void forget_acknowledged(struct evr_rank *r)
{
	size_t kept = 0;
	for (size_t i = 0; i < r->batches.len; i++) {
		struct evr_rank_batch *b = &r->batches.data[i];
		if (b->acknowledged || b->generation != r->generation)
			free(b->branches);
		else
			r->batches.data[kept++] = *b;
	}
	r->batches.len = kept;
}

/* The part is complete. Batches of another generation than that of the part mean nothing in it. */
static void write_part(struct evr_rank *r)
{
	struct evr_strbuf text;
	evr_strbuf_init(&text);
	evr_strbuf_printf(&text, "part\t%d\t%d\t%llu\t%llu\n", r->rank, r->ranks, r->epoch, r->part_generation);
	for (size_t i = 0; i < r->batches.len; i++) {
		const struct evr_rank_batch *b = &r->batches.data[i];
		if (b->generation == r->part_generation)
			evr_strbuf_printf(&text, "sent\t%d\t%llu%s\n", b->to, b->number, b->branches);
	}
	evr_strbuf_add(&text, r->taken_then.text, r->taken_then.len);
	evr_strbuf_add(&text, r->part.text, r->part.len);
	r->part_failed |= !r->ops->write_part(r->self, r->epoch, text.text);
	evr_strbuf_release(&text);
	r->pending = false;
	r->part_written = true;
	forget_acknowledged(r);
}

bool evr_epochs_line(struct evr_rank *r, const char *line)
{
	evr_strbuf_puts(&r->part, line);
	evr_strbuf_putc(&r->part, '\n');
	if (strncmp(line, "rest\t", 5) != 0)
		return false;
	write_part(r);
	evr_epochs_look(r);
	return true;
}

static void tell_final(struct evr_rank *r)
{
	struct evr_strbuf line;
	evr_strbuf_init(&line);
	evr_strbuf_puts(&line, "final");
	if (r->final.n > EVR_FINAL_LEFT)
		r->final.value[EVR_FINAL_LEFT] += r->moving + r->sent - r->told;
	for (size_t i = 0; i < r->final.n; i++)
		evr_strbuf_printf(&line, "\t%llu", r->final.value[i]);
	r->ops->tell(r->self, line.text);
	evr_strbuf_release(&line);
}

void evr_epochs_look(struct evr_rank *r)
{
	if (!r->part_written || r->complete)
		return;
	for (int i = 0; i < r->below; i++)
		if (!r->children[i].saved)
			return;
	r->complete = true;
	if (r->rank) {
		r->ops->send(r->self, (r->rank - 1) / r->fanout,
			     evr_format("saved\t%llu\t%d", r->epoch, r->part_failed));
		return;
	}
	if (!r->part_failed && r->ops->epoch_complete(r->self, r->epoch)) {
		r->valid = r->epoch;
		r->ops->tell(r->self, "saved");
	}
	if (r->wants_last) {
		r->wants_last = false;
		evr_epochs_enter(r, r->epoch + 1);
	} else if (r->finished) {
		tell_final(r);
	}
}

void evr_epochs_tick(struct evr_rank *r, double now)
{
	if (r->rank || !r->saves || !r->generation || r->stopped || r->over || !r->complete || now < r->next_epoch)
		return;
	r->next_epoch = now + r->saving_every;
	evr_epochs_enter(r, r->epoch + 1);
}

void evr_epochs_save_last(struct evr_rank *r)
{
	r->finished = true;
	if (!r->saves || r->over || !r->generation)
		tell_final(r);
	else if (!r->complete)
		r->wants_last = true;
	else
		evr_epochs_enter(r, r->epoch + 1);
}

unsigned long long evr_epochs_of_batch(const struct evr_rank *r)
{
	return r->epoch - r->pending;
}

void evr_epochs_sent(struct evr_rank *r, int to, unsigned long long number, const char *branches)
{
	if (!r->saves)
		return;
	struct evr_rank_batch b = { .to = to,
				    .number = number,
				    .generation = to < 0 ? r->part_generation : r->generation,
				    .acknowledged = to < 0,
				    .branches = evr_strdup(branches) };
	evr_vec_push(&r->batches, b);
}

void evr_epochs_acknowledged(struct evr_rank *r, unsigned long long number)
{
	for (size_t i = 0; i < r->batches.len; i++)
		if (r->batches.data[i].number == number)
			r->batches.data[i].acknowledged = true;
	if (!r->pending)
		forget_acknowledged(r);
}

void evr_epochs_taken(struct evr_rank *r, int from, unsigned long long number)
{
	if (!r->saves)
		return;
	for (size_t i = 0; i < r->last.len; i++) {
		if (r->last.data[i].from == from) {
			r->last.data[i].number = number;
			return;
		}
	}
	evr_vec_push(&r->last, (struct evr_rank_last){ from, number });
}

void evr_epochs_restart(struct evr_rank *r)
{
	r->last.len = 0;
	if (!r->pending)
		forget_acknowledged(r);
}
