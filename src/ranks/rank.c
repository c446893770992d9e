/* Stealing and termination: see rank.h. */
#include "ranks/rank.h"

#include "ranks/epochs.h"

#include <stdlib.h>
#include <string.h>

#define EAGER 4 /* so many others are asked in a row before the first pause */
#define SHORTEST 100e-6 /* seconds: the first pause; each is twice as long as the one before */
#define LONGEST 1e-3
#define MOST_WAITING 4 /* for branches of one rank */
#define TELLING 0.2 /* seconds between two sums */
#define FAR 1.0
#define RECENT 10e-3 /* whoever was asked so recently will be asked again soon */
#define HOPS 12 /* so often a request is passed on */

enum { BUSY, HUNGRY, IDLE }; /* what a checker is */

/* ---- text ---- */

/* The number at *text, which is then behind it and its tab. */
static unsigned long long take(const char **text)
{
	char *end;
	unsigned long long n = strtoull(*text, &end, 10);
	*text = *end == '\t' ? end + 1 : end;
	return n;
}

static bool is(const char **text, const char *word)
{
	size_t n = strlen(word);
	if (strncmp(*text, word, n) != 0 || ((*text)[n] && (*text)[n] != '\t' && (*text)[n] != '\n'))
		return false;
	*text += n + ((*text)[n] != '\0');
	return true;
}

static void take_numbers(struct evr_rank_numbers *to, const char *text)
{
	for (to->n = 0; *text && to->n < EVR_RANK_NUMBERS;)
		to->value[to->n++] = take(&text);
}

static void add_numbers(struct evr_rank_numbers *to, const struct evr_rank_numbers *from, size_t bits)
{
	for (size_t i = 0; i < from->n; i++) {
		if (i >= to->n)
			to->value[i] = 0;
		to->value[i] = i == bits ? to->value[i] | from->value[i] : to->value[i] + from->value[i];
	}
	to->n = to->n > from->n ? to->n : from->n;
}

static char *written(const char *word, const struct evr_rank_numbers *n)
{
	struct evr_strbuf b;
	evr_strbuf_init(&b);
	evr_strbuf_puts(&b, word);
	for (size_t i = 0; i < n->n; i++)
		evr_strbuf_printf(&b, "\t%llu", n->value[i]);
	return evr_strbuf_take(&b);
}

#define NO_BITS SIZE_MAX

/* ---- the tree ---- */

static int parent(const struct evr_rank *r)
{
	return (r->rank - 1) / r->fanout;
}

static struct evr_rank_child *child_at(struct evr_rank *r, int from)
{
	return &r->children[(from - 1) % r->fanout];
}

void evr_rank_send_down(struct evr_rank *r, const char *text)
{
	for (int i = 0; i < r->below; i++)
		r->ops->send(r->self, r->rank * r->fanout + 1 + i, evr_strdup(text));
}

/* ---- stealing ---- */

static uint64_t random_number(struct evr_rank *r)
{
	r->random ^= r->random << 13;
	r->random ^= r->random >> 7;
	r->random ^= r->random << 17;
	return r->random;
}

static bool wants_work(const struct evr_rank *r)
{
	return r->state > 0 && !r->stopped && !r->over && r->generation;
}

/* At first the rank above, so that the search spreads; then anybody. Who gave the last time has no more than others: half of it is gone. */
static int victim(struct evr_rank *r)
{
	int who = r->first_victim;
	r->first_victim = -1;
	if (who >= 0)
		return who;
	who = (int)(random_number(r) % (unsigned)(r->ranks - 1));
	return who + (who >= r->rank);
}

static void try_to_steal(struct evr_rank *r, double now)
{
	if (!wants_work(r) || r->waits || r->ranks < 2 || now < r->next_try)
		return;
	r->waits = true;
	r->tried++;
	r->ops->send(r->self, victim(r), evr_format("steal\t%d\t0", r->rank));
}

static void send_work(struct evr_rank *r, int to, const char *branches)
{
	if (!*branches) {
		r->ops->send(r->self, to, evr_format("work\t%llu\t%llu\t0", r->epoch, r->generation));
		return;
	}
	unsigned long long number = ++r->batch_number;
	r->sent++;
	evr_epochs_sent(r, to, number, branches);
	r->ops->send(r->self, to,
		     evr_format("work\t%llu\t%llu\t%llu%s", evr_epochs_of_batch(r), r->generation, number, branches));
}

/* Whoever has nothing passes the request on. */
static void refuse(struct evr_rank *r, const struct evr_rank_thief *t)
{
	int who = t->hops < HOPS && r->ranks > 2 && !r->stopped && !r->over ? victim(r) : t->who;
	if (who == t->who)
		send_work(r, t->who, "");
	else
		r->ops->send(r->self, who, evr_format("steal\t%d\t%d", t->who, t->hops + 1));
}

static void refuse_all(struct evr_rank *r)
{
	for (size_t i = 0; i < r->thieves.len; i++)
		refuse(r, &r->thieves.data[i]);
	r->thieves.len = 0;
}

/* The checker is asked once for all who wait. */
static void serve(struct evr_rank *r)
{
	if (r->asked)
		return;
	if (r->state == IDLE || r->stopped || r->over || !r->generation)
		refuse_all(r);
	if (!r->thieves.len)
		return;
	r->asked = r->thieves.len;
	char *line = evr_format("ask\t%zu", r->asked);
	r->ops->tell(r->self, line);
	free(line);
}

/* Who would have to wait for long asks somebody else. */
static void take_request(struct evr_rank *r, const char *text, double now)
{
	r->requested = now;
	struct evr_rank_thief t = { .who = (int)take(&text) };
	t.hops = (int)take(&text);
	if (r->thieves.len >= MOST_WAITING) {
		refuse(r, &t);
		return;
	}
	evr_vec_push(&r->thieves, t);
	serve(r);
}

static size_t count_branches(const char *branches)
{
	size_t n = 0;
	for (const char *p = branches; *p; p++)
		n += *p == '\t';
	return n;
}

/* To the first of those who wait: so many of the branches. */
static const char *send_some(struct evr_rank *r, size_t thief, const char *branches, size_t n)
{
	const char *end = branches;
	for (; n > 0; n--)
		end += 1 + strcspn(end + 1, "\t");
	char *some = evr_strndup(branches, (size_t)(end - branches));
	send_work(r, r->thieves.data[thief].who, some);
	free(some);
	return end;
}

/* `branches`: each with a tab before it. They are divided among those for whom the checker was asked; for whom nothing is left, that goes for later ones, too. */
static void take_given(struct evr_rank *r, const char *text)
{
	unsigned long long generation = strtoull(text, NULL, 10);
	const char *branches = strchr(text, '\t');
	branches = branches ? branches : "";
	size_t asked = r->asked, left = count_branches(branches), served = 0;
	r->asked = 0;
	if (generation != r->generation) {
		/* To a part that is about to be written they are something that left the checker. */
		if (*branches && r->pending && generation == r->part_generation)
			evr_epochs_sent(r, -1, 0, branches);
		serve(r);
		return;
	}
	for (; served < r->thieves.len && left; served++) {
		size_t n = served < asked ? (left + asked - served - 1) / (asked - served) : left;
		branches = send_some(r, served, branches, n);
		left -= n;
	}
	memmove(r->thieves.data, r->thieves.data + served, (r->thieves.len - served) * sizeof(r->thieves.data[0]));
	r->thieves.len -= served;
	if (served < asked)
		refuse_all(r);
	serve(r);
}

static void got_nothing(struct evr_rank *r, double now)
{
	double pause = SHORTEST;
	r->failures++;
	for (unsigned i = EAGER; i < r->failures && pause < LONGEST; i++)
		pause *= 2;
	r->next_try = r->failures < EAGER ? now : now + (pause < LONGEST ? pause : LONGEST);
	try_to_steal(r, now);
}

static void keep_for_later(struct evr_rank *r, int from, const char *text)
{
	evr_vec_push(&r->early, evr_format("%d\t%s", from, text));
}

static void take_work(struct evr_rank *r, int from, const char *text, double now, bool again)
{
	const char *whole = text;
	unsigned long long epoch = take(&text), generation = take(&text), number = take(&text);
	if (!again)
		r->waits = false;
	/* Epochs are entered from the first one on, which `begin` tells. */
	if (generation > r->generation) {
		keep_for_later(r, from, whole);
		return;
	}
	evr_epochs_enter(r, r->saves && r->generation ? epoch : 0);
	if (number && generation == r->generation) {
		char *line = evr_format("take\t%s", text);
		r->received++;
		r->told++;
		r->steals++;
		r->failures = 0;
		r->state = 0;
		evr_epochs_taken(r, from, number);
		if (r->saves)
			r->ops->send(r->self, from, evr_format("ack\t%llu\t%llu", r->epoch, number));
		r->ops->tell(r->self, line);
		free(line);
	} else if (!again) {
		got_nothing(r, now);
	}
}

/* ---- termination ---- */

static bool is_passive(const struct evr_rank *r)
{
	return r->state == IDLE && !r->early.len && r->generation;
}

static void start_wave(struct evr_rank *r)
{
	char *text = evr_format("wave\t%llu", r->generation);
	r->wave = true;
	for (int i = 0; i < r->below; i++)
		r->children[i].counted = false;
	evr_rank_send_down(r, text);
	free(text);
}

static void look_after_end(struct evr_rank *r)
{
	unsigned long long records = r->records_sent, moving = r->rank ? r->sent - r->final_taken : 0;
	if (r->finished || !(r->over || r->stopped) || (r->rank && !r->final.n))
		return;
	for (int i = 0; i < r->below; i++) {
		if (!r->children[i].finished)
			return;
		records += r->children[i].records;
		moving += r->children[i].moving;
	}
	if (!r->rank && r->records_heard < records)
		return;
	for (int i = 0; i < r->below; i++)
		add_numbers(&r->final, &r->children[i].final, EVR_FINAL_BITS);
	if (r->rank) {
		char *word = evr_format("final\t%llu\t%llu", records, moving);
		r->finished = true;
		r->ops->send(r->self, parent(r), written(word, &r->final));
		free(word);
	} else {
		r->moving = moving;
		evr_epochs_save_last(r);
	}
}

static void finish(struct evr_rank *r)
{
	r->over = true;
	evr_rank_send_down(r, "over");
	r->ops->tell(r->self, "over");
	serve(r);
	look_after_end(r);
}

/* The wave has come back to rank 0. */
static void conclude_wave(struct evr_rank *r, unsigned long long sent, unsigned long long received)
{
	bool same = r->had_wave && sent == r->last_sent && received == r->last_received;
	if (same && sent == received) {
		finish(r);
		return;
	}
	r->had_wave = true;
	r->last_sent = sent;
	r->last_received = received;
	start_wave(r);
}

static void answer_wave(struct evr_rank *r)
{
	unsigned long long sent = r->sent, received = r->received;
	while (r->wave && is_passive(r) && !r->stopped && !r->over) {
		for (int i = 0; i < r->below; i++) {
			if (!r->children[i].counted)
				return;
			sent += r->children[i].sent;
			received += r->children[i].received;
		}
		r->wave = false;
		if (r->rank)
			r->ops->send(r->self, parent(r),
				     evr_format("count\t%llu\t%llu\t%llu", r->generation, sent, received));
		else
			conclude_wave(r, sent, received);
		if (r->rank || r->ranks > 1)
			return;
	}
}

static void take_count(struct evr_rank *r, int from, const char *text)
{
	if (take(&text) != r->generation)
		return;
	struct evr_rank_child *c = child_at(r, from);
	c->sent = take(&text);
	c->received = take(&text);
	c->counted = true;
	answer_wave(r);
}

static void stop(struct evr_rank *r)
{
	if (r->stopped || r->over)
		return;
	r->stopped = true;
	evr_rank_send_down(r, "stop");
	if (r->rank)
		r->ops->tell(r->self, "stop");
	serve(r);
	look_after_end(r);
}

/* ---- generations ---- */

static void compare_checkers(struct evr_rank *r)
{
	if (!r->ready || !r->ready_first || !strcmp(r->ready, r->ready_first))
		return;
	const char *address = strrchr(r->ready, '\t');
	bool same_program = address && !strncmp(r->ready, r->ready_first, (size_t)(address - r->ready));
	char *why = evr_format(
		"error\t%d\trank %d (%s) cannot take part: %s", EVR_USAGE, r->rank, r->ops->host(r->self),
		same_program ? "addresses are not those of rank 0 (another C library, kernel, or 'ulimit -s'?)"
			     : "its checker is not that of rank 0");
	evr_rank_record(r, why);
}

static void begin(struct evr_rank *r, const char *text, double now)
{
	const char *rest = text;
	r->generation = take(&rest);
	r->first_epoch = take(&rest);
	if (r->epoch < r->first_epoch)
		r->epoch = r->first_epoch;
	if (!r->ready_first) {
		const char *end = rest;
		for (int i = 0; i < 3; i++)
			end += strcspn(end, "\t") + 1;
		r->ready_first = evr_strndup(rest, (size_t)(end - rest) - 1);
		compare_checkers(r);
	}
	for (int i = 0; i < 3; i++)
		rest += strcspn(rest, "\t") + 1;
	char *down = evr_format("begin\t%s", text), *line = evr_format("begin\t%llu\t%s", r->generation, rest);
	evr_rank_send_down(r, down);
	r->state = 0;
	r->told = r->sent = r->received = 0;
	r->wave = r->had_wave = false;
	r->sum.n = 0;
	for (int i = 0; i < r->below; i++)
		r->children[i].sum.n = 0;
	r->sum_changed = false;
	r->first_victim = r->rank ? parent(r) : -1;
	r->next_try = now;
	evr_epochs_restart(r);
	if (r->rank || r->generation > 1)
		r->ops->tell(r->self, line);
	free(down);
	free(line);
	size_t early = r->early.len;
	for (size_t i = 0; i < early; i++) {
		const char *kept = r->early.data[i];
		int from = (int)take(&kept);
		take_work(r, from, kept, now, true);
		free(r->early.data[i]);
	}
	memmove(r->early.data, r->early.data + early, (r->early.len - early) * sizeof(*r->early.data));
	r->early.len -= early;
	if (!r->rank)
		start_wave(r);
}

/* Rank 0: all begin with this knowledge. */
static void begin_with(struct evr_rank *r, const char *known, double now)
{
	char *text = evr_format("%llu\t%llu\t%s\t%s", r->generation + 1, r->first_epoch, r->ready ? r->ready : "\t\t",
				known);
	begin(r, text, now);
	free(text);
}

static void take_learned(struct evr_rank *r, const char *text, double now)
{
	if (take(&text) == r->generation && !r->stopped && !r->over)
		begin_with(r, text, now);
}

/* ---- the checker ---- */

static void take_state(struct evr_rank *r, const char *text, double now)
{
	unsigned long long generation = take(&text), told = take(&text);
	if (generation != r->generation || told != r->told)
		return;
	r->state = (int)take(&text);
	try_to_steal(r, now);
	serve(r);
	answer_wave(r);
}

static void send_sum(struct evr_rank *r)
{
	struct evr_rank_numbers all = r->rank ? r->sum : (struct evr_rank_numbers){ 0 };
	for (int i = 0; i < r->below; i++)
		add_numbers(&all, &r->children[i].sum, NO_BITS);
	r->sum_changed = false;
	if (!r->rank) {
		char *line = written("sum", &all);
		r->ops->tell(r->self, line);
		free(line);
		return;
	}
	char *word = evr_format("sum\t%llu", r->generation);
	r->ops->send(r->self, parent(r), written(word, &all));
	free(word);
}

static void take_sum(struct evr_rank *r, struct evr_rank_numbers *to, const char *text)
{
	if (take(&text) != r->generation)
		return;
	take_numbers(to, text);
	r->sum_changed = true;
}

void evr_rank_record(struct evr_rank *r, char *text)
{
	r->records_sent++;
	r->ops->send(r->self, 0, evr_format("record\t%s", text));
	free(text);
}

/* A finding is all lines up to `found`, and must not be mixed with those of other ranks; all else is one line. */
static void take_record(struct evr_rank *r, const char *line)
{
	const char *word = line;
	if (is(&word, "hello") || !r->rank)
		return;
	bool whole = r->records.len ? is(&word, "found") : !is(&word, "finding");
	if (r->records.len)
		evr_strbuf_putc(&r->records, '\n');
	evr_strbuf_puts(&r->records, line);
	if (!whole)
		return;
	evr_rank_record(r, evr_strdup(r->records.text));
	evr_strbuf_clear(&r->records);
}

static void take_final(struct evr_rank *r, const char *text)
{
	r->final_taken = take(&text);
	take_numbers(&r->final, text);
	look_after_end(r);
}

void evr_rank_line(struct evr_rank *r, const char *line, double now)
{
	const char *text = line;
	if (r->part.len) {
		if (evr_epochs_line(r, line))
			evr_strbuf_clear(&r->part);
	} else if (is(&text, "saving")) {
		evr_strbuf_puts(&r->part, "saving\n");
	} else if (is(&text, "state")) {
		take_state(r, text, now);
	} else if (is(&text, "given")) {
		take_given(r, text);
	} else if (is(&text, "sum")) {
		take_sum(r, &r->sum, text);
	} else if (is(&text, "ready")) {
		free(r->ready);
		r->ready = evr_strdup(text);
		compare_checkers(r);
	} else if (is(&text, "known")) {
		begin_with(r, text, now);
	} else if (is(&text, "learned")) {
		if (r->rank)
			r->ops->send(r->self, 0, evr_strdup(line));
		else
			take_learned(r, text, now);
	} else if (is(&text, "stop")) {
		stop(r);
	} else if (is(&text, "final")) {
		take_final(r, text);
	} else {
		take_record(r, line);
	}
}

/* ---- other ranks ---- */

static void tell_records(struct evr_rank *r, const char *text)
{
	while (*text) {
		size_t n = strcspn(text, "\n");
		char *line = evr_strndup(text, n);
		r->ops->tell(r->self, line);
		free(line);
		text += n + (text[n] == '\n');
	}
}

static void hear_order(struct evr_rank *r, const char *message, double now)
{
	const char *text = message;
	if (is(&text, "begin")) {
		begin(r, text, now);
	} else if (is(&text, "wave")) {
		if (take(&text) == r->generation) {
			start_wave(r);
			answer_wave(r);
		}
	} else if (is(&text, "over")) {
		finish(r);
	} else if (is(&text, "stop")) {
		stop(r);
	} else if (is(&text, "save")) {
		unsigned long long epoch = take(&text);
		r->valid = take(&text);
		evr_epochs_enter(r, epoch);
	} else if (is(&text, "end")) {
		evr_rank_end(r);
	}
}

static void hear_child(struct evr_rank *r, int from, const char *message)
{
	const char *text = message;
	struct evr_rank_child *c = child_at(r, from);
	if (is(&text, "count")) {
		take_count(r, from, text);
	} else if (is(&text, "sum")) {
		take_sum(r, &c->sum, text);
	} else if (is(&text, "final")) {
		c->records = take(&text);
		c->moving = take(&text);
		take_numbers(&c->final, text);
		c->finished = true;
		look_after_end(r);
	} else if (is(&text, "saved")) {
		unsigned long long epoch = take(&text);
		evr_epochs_enter(r, epoch);
		c->saved = epoch == r->epoch;
		r->part_failed |= c->saved && take(&text);
		evr_epochs_look(r);
	}
}

void evr_rank_hear(struct evr_rank *r, int from, const char *message, double now)
{
	const char *text = message;
	if (is(&text, "steal")) {
		take_request(r, text, now);
	} else if (is(&text, "work")) {
		take_work(r, from, text, now, false);
	} else if (is(&text, "ack")) {
		evr_epochs_enter(r, take(&text));
		evr_epochs_acknowledged(r, take(&text));
	} else if (is(&text, "learned")) {
		take_learned(r, text, now);
	} else if (is(&text, "record")) {
		r->records_heard++;
		tell_records(r, text);
		look_after_end(r);
	} else if (r->rank && from == parent(r)) {
		hear_order(r, message, now);
	} else {
		hear_child(r, from, message);
	}
}

/* ---- time ---- */

double evr_rank_tick(struct evr_rank *r, double now)
{
	try_to_steal(r, now);
	evr_epochs_tick(r, now);
	/* `final` has the last numbers. */
	r->sum_changed &= !r->finished;
	if (r->sum_changed && now >= r->next_sum) {
		r->next_sum = now + TELLING;
		send_sum(r);
	}
	double next = now + FAR;
	if (wants_work(r) && !r->waits && r->next_try < next)
		next = r->next_try;
	if (r->sum_changed && r->next_sum < next)
		next = r->next_sum;
	if (!r->rank && r->saves && r->complete && r->next_epoch < next)
		next = r->next_epoch;
	return next;
}

bool evr_rank_is_eager(const struct evr_rank *r, double now)
{
	return r->waits || r->state > BUSY || now < r->requested + RECENT;
}

void evr_rank_end(struct evr_rank *r)
{
	if (r->ended)
		return;
	r->ended = true;
	evr_rank_send_down(r, "end");
	if (r->rank)
		r->ops->tell(r->self, "end");
	r->ops->ended(r->self);
}

void evr_rank_set_fanout(struct evr_rank *r, int fanout)
{
	int below = r->ranks - 1 - r->rank * fanout;
	r->fanout = fanout;
	r->below = below < 0 ? 0 : below < fanout ? below : fanout;
}

void evr_rank_init(struct evr_rank *r, const struct evr_rank_ops *ops, void *self, int rank, int ranks)
{
	*r = (struct evr_rank){ .ops = ops,
				.self = self,
				.rank = rank,
				.ranks = ranks,
				.random = 0x9e3779b97f4a7c15u * (unsigned)(rank + 1),
				.first_victim = -1,
				.complete = true };
	evr_rank_set_fanout(r, EVR_RANK_FANOUT);
	evr_strbuf_init(&r->part);
	evr_strbuf_init(&r->taken_then);
	evr_strbuf_init(&r->records);
}

void evr_rank_release(struct evr_rank *r)
{
	for (size_t i = 0; i < r->early.len; i++)
		free(r->early.data[i]);
	for (size_t i = 0; i < r->batches.len; i++)
		free(r->batches.data[i].branches);
	evr_vecs_release(&r->early, &r->batches, &r->last, &r->thieves);
	evr_strbuf_release(&r->part);
	evr_strbuf_release(&r->taken_then);
	evr_strbuf_release(&r->records);
	free(r->ready);
	free(r->ready_first);
}
