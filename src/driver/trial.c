/*
 * Invariant: at most one trial runs; when it is over, all that it has written was read. What is kept in `holding` and `failing` was explored, or
 * follows from the execution that a keeper has.
 */
#include "driver/trial.h"

#include "driver/interrupt.h"
#include "driver/launch.h"
#include "driver/models.h"
#include "driver/process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST_WORDS = 32768 }; /* of an order to the checker, which takes twice as many bytes */

/* ---- orders ---- */

static const char *const order_names[] = { "", "relaxed", "acquire", "release", "acq_rel", "seq_cst" };

const char *evr_order_text(unsigned order)
{
	return order_names[order];
}

static uint8_t order_of(const char *name)
{
	for (int i = EVR_RELAXED; i <= EVR_SEQ_CST; i++)
		if (!strcmp(order_names[i], name))
			return (uint8_t)i;
	return EVR_SEQ_CST;
}

bool evr_order_within(unsigned order, unsigned other)
{
	if (order == EVR_SEQ_CST || other == EVR_SEQ_CST)
		return other == EVR_SEQ_CST;
	return evr_order_acquires(order) <= evr_order_acquires(other) &&
	       evr_order_releases(order) <= evr_order_releases(other);
}

size_t evr_order_options(const struct evr_trials *t, const struct evr_result_site *s, uint8_t options[5])
{
	bool load = !strcmp(s->operation, "load") || strstr(s->operation, " failure"),
	     store = !strcmp(s->operation, "store"),
	     full = evr_result_site_added(s) && evr_model_heeds_orders(t->model);
	size_t n = 0;
	for (unsigned order = EVR_RELAXED; order <= EVR_SEQ_CST; order++) {
		if (order != EVR_SEQ_CST &&
		    (((load || full) && evr_order_releases(order)) || ((store || full) && evr_order_acquires(order))))
			continue;
		options[n++] = (uint8_t)order;
	}
	return n;
}

uint8_t *evr_assignment_copy(const struct evr_trials *t, const uint8_t *orders)
{
	uint8_t *copy = evr_alloc(t->count + 1);
	memcpy(copy, orders, t->count);
	return copy;
}

static bool within(const struct evr_trials *t, const uint8_t *a, const uint8_t *b)
{
	for (size_t i = 0; i < t->count; i++)
		if (!evr_order_within(a[i], b[i]))
			return false;
	return true;
}

/* ---- the checker ---- */

/* Our end is not the checker's. */
static void make_socket(int ends[2])
{
	if (socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends))
		evr_die("cannot make a socket: %s", strerror(errno));
	fcntl(ends[0], F_SETFD, FD_CLOEXEC);
}

static void start(struct evr_trials *t)
{
	int control[2], records[2], keepers[EVR_KEEPERS][2];
	if (pipe(records))
		evr_die("cannot make a pipe: %s", strerror(errno));
	make_socket(control);
	for (size_t i = 0; i < EVR_KEEPERS; i++)
		make_socket(keepers[i]);
	fcntl(records[0], F_SETFD, FD_CLOEXEC);
	fcntl(records[0], F_SETFL, O_NONBLOCK);
	struct evr_launch l;
	evr_launch_prepare_server(&l, t->o, t->checker, control[1], records[1]);
	fflush(NULL);
	t->pid = evr_interrupts_fork();
	if (t->pid < 0)
		evr_die("cannot start a process: %s", strerror(errno));
	if (!t->pid)
		evr_launch_become(&l);
	evr_launch_release(&l);
	for (size_t i = 0; i < EVR_KEEPERS; i++) {
		t->keepers[i] = (struct evr_keeper){ .fd = keepers[i][0], .checkers = keepers[i][1] };
		close(keepers[i][1]);
	}
	close(control[1]);
	close(records[1]);
	t->control = control[0];
	t->records = records[0];
	t->written = records[1];
	evr_strbuf_init(&t->line);
}

static void take_bytes(struct evr_trials *t, struct evr_result *r, const char *bytes, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (bytes[i] != '\n') {
			evr_strbuf_putc(&t->line, bytes[i]);
			continue;
		}
		if (evr_wire_line(r, t->line.text) < 0)
			evr_result_error(r, EVR_INTERNAL, "the checker sent an invalid record");
		evr_strbuf_clear(&t->line);
	}
}

static void receive(struct evr_trials *t, struct evr_result *r)
{
	char block[65536];
	for (ssize_t n; (n = read(t->records, block, sizeof(block))) > 0;)
		take_bytes(t, r, block, (size_t)n);
}

/* The words, and behind them the program's arguments. */
static bool send_order(struct evr_trials *t, const char *words)
{
	struct evr_strbuf b;
	evr_strbuf_init(&b);
	evr_strbuf_puts(&b, words);
	for (size_t i = 0; i < t->o->args.len; i++)
		evr_strbuf_add(&b, "", 1), evr_strbuf_puts(&b, t->o->args.data[i]);
	bool sent = send(t->control, b.text, b.len + 1, MSG_NOSIGNAL) > 0;
	evr_strbuf_release(&b);
	return sent;
}

/* Until the copy has ended. False: there is no checker any more. */
static bool listen_to_end(struct evr_trials *t, struct evr_result *r)
{
	for (;;) {
		struct pollfd polled[] = { { .fd = t->control, .events = POLLIN },
					   { .fd = t->records, .events = POLLIN } };
		int status;
		if (poll(polled, 2, -1) < 0 && errno != EINTR)
			return false;
		if (polled[1].revents & POLLIN)
			receive(t, r);
		if (!(polled[0].revents & (POLLIN | POLLHUP)))
			continue;
		ssize_t n = read(t->control, &status, sizeof(status));
		receive(t, r);
		return n == (ssize_t)sizeof(status);
	}
}

/* ---- keepers ---- */

bool evr_trials_have_now(const struct evr_trials *t, size_t site, unsigned order)
{
	return order == t->now[site] && !t->several[site];
}

/* A fence that may be added is told even if it is relaxed: then it is in the executions that keepers have. */
static char *letters_of(const struct evr_trials *t, const uint8_t *orders)
{
	EVR_ASSERT(orders);
	char *letters = evr_alloc(t->count + 1);
	for (size_t i = 0; i < t->count; i++) {
		bool told = t->studied[i] && evr_result_site_added(&t->first->sites.data[i]);
		letters[i] = evr_trials_have_now(t, i, orders[i]) && !told ? '.' : ".xarbs"[orders[i]];
	}
	return letters;
}

/* What it says to the question; 0: it is not there any more. */
static char ask_keeper(struct evr_keeper *k, const char *question)
{
	char answer = 0;
	if (send(k->fd, question, strlen(question), MSG_NOSIGNAL) < 0 || read(k->fd, &answer, 1) != 1)
		k->live = false;
	return answer;
}

/* The execution that decided last is the likeliest to decide again. */
static bool is_replayed(struct evr_trials *t, const uint8_t *orders)
{
	char *question = letters_of(t, orders);
	bool asked[EVR_KEEPERS] = { false }, fails = false;
	for (size_t n = 0; n < EVR_KEEPERS && !fails; n++) {
		struct evr_keeper *next = NULL;
		for (size_t i = 0; i < EVR_KEEPERS; i++)
			if (t->keepers[i].live && !asked[i] && (!next || t->keepers[i].used > next->used))
				next = &t->keepers[i];
		if (!next)
			break;
		asked[next - t->keepers] = true;
		fails = ask_keeper(next, question) == 'f';
		if (fails)
			next->used = ++t->replayed;
	}
	free(question);
	return fails;
}

static void dismiss(struct evr_keeper *k)
{
	if (k->live)
		ask_keeper(k, "q");
	k->live = false;
}

/* A place for one more: that of the one that has not known anything for longest. */
static struct evr_keeper *free_keeper(struct evr_trials *t)
{
	struct evr_keeper *oldest = &t->keepers[0];
	for (size_t i = 0; i < EVR_KEEPERS; i++) {
		if (!t->keepers[i].live)
			return &t->keepers[i];
		if (t->keepers[i].used < oldest->used)
			oldest = &t->keepers[i];
	}
	dismiss(oldest);
	return oldest;
}

/* Has the trial that is over left an execution there? */
static void hear_keeper(struct evr_trials *t, struct evr_keeper *k)
{
	char word = 0;
	k->live = recv(k->fd, &word, 1, MSG_DONTWAIT) == 1 && word == 'k';
	k->used = t->replayed;
}

/* ---- a trial ---- */

static struct evr_result *explore(struct evr_trials *t, const char *words)
{
	struct evr_result *r = evr_result_new(t->model, t->o->equivalence ? t->o->equivalence : "");
	r->unroll = t->o->unroll;
	r->spurious = t->o->spurious;
	r->spurious_cas = t->o->spurious_cas;
	evr_strbuf_clear(&t->line);
	bool ended = !t->stopped && send_order(t, words) && listen_to_end(t, r);
	if (t->stopped)
		evr_result_set(&r->stopped, t->stopped);
	else if (evr_interrupted())
		evr_result_set(&r->stopped, t->stopped = "interrupted");
	else if (!ended && !r->error)
		evr_result_error(r, EVR_INTERNAL, "the checker ended without a result");
	if (!strcmp(r->stopped, "time limit"))
		t->stopped = "time limit";
	return r;
}

/* `more`: words that only this trial has. */
static struct evr_result *try(struct evr_trials *t, const uint8_t *orders, const char *more)
{
	char *own = evr_checker_words(t->o, t->model, t->written), *letters = t->count ? letters_of(t, orders) : NULL;
	double left = t->deadline - evr_now();
	if (t->deadline > 0 && left <= 0 && !t->stopped)
		t->stopped = "time limit";
	char *limit = t->deadline > 0 ? evr_format(" timeout=%.9g", left) : evr_strdup("");
	char *words = evr_format("%s%s%s sites=1 simplify=0 jobs=1 estimate=0 rounds=0%s%s", own,
				 letters ? " orders=" : "", letters ? letters : "", limit, more);
	struct evr_result *r = explore(t, words);
	t->tried++;
	free(words);
	free(limit);
	free(letters);
	free(own);
	return r;
}

struct evr_result *evr_trial_result(struct evr_trials *t, const uint8_t *orders)
{
	return try(t, orders, "");
}

struct evr_result *evr_trial_simplified(struct evr_trials *t, const uint8_t *orders)
{
	return try(t, orders, " simplify=1");
}

bool evr_trial_replays(struct evr_trials *t, const uint8_t *orders, const struct evr_result_finding *f)
{
	char *more = evr_format(" replay=%s", f->schedule);
	bool short_enough = strlen(more) < MOST_WORDS;
	struct evr_result *r = short_enough ? try(t, orders, more) : NULL;
	bool same = r && !r->error && evr_finding_under(r, f);
	if (r)
		evr_result_free(r);
	free(more);
	return same;
}

enum evr_outcome evr_trial_outcome(const struct evr_result *r)
{
	int status = evr_result_status(r);
	return status == EVR_OK ? EVR_HOLDS : status == EVR_FINDING ? EVR_FAILS : EVR_UNDECIDED;
}

/* ---- what follows from what is known ---- */

static bool is_known_to_fail(const struct evr_trials *t, const uint8_t *orders)
{
	for (size_t i = 0; i < t->failing.len; i++)
		if (within(t, orders, t->failing.data[i]))
			return true;
	return false;
}

static bool is_known_to_hold(const struct evr_trials *t, const uint8_t *orders)
{
	for (size_t i = 0; i < t->holding.len; i++)
		if (within(t, t->holding.data[i], orders))
			return true;
	return false;
}

static void note(struct evr_trials *t, const uint8_t *orders, enum evr_outcome outcome)
{
	if (outcome == EVR_HOLDS)
		evr_vec_push(&t->holding, evr_assignment_copy(t, orders));
	else if (outcome == EVR_FAILS)
		evr_vec_push(&t->failing, evr_assignment_copy(t, orders));
}

enum evr_outcome evr_trial(struct evr_trials *t, const uint8_t *orders)
{
	bool fails = is_known_to_fail(t, orders);
	if (fails || is_known_to_hold(t, orders)) {
		t->inferred++;
		return fails ? EVR_FAILS : EVR_HOLDS;
	}
	if (!t->distrusted && is_replayed(t, orders)) {
		note(t, orders, EVR_FAILS);
		return EVR_FAILS;
	}
	struct evr_keeper *keeper = t->distrusted ? NULL : free_keeper(t);
	char *more = keeper ? evr_format(" keeper=%d", keeper->checkers) : evr_strdup("");
	struct evr_result *r = try(t, orders, more);
	free(more);
	enum evr_outcome outcome = evr_trial_outcome(r);
	evr_result_free(r);
	if (keeper)
		hear_keeper(t, keeper);
	note(t, orders, outcome);
	return outcome;
}

/* ---- begin and end ---- */

static bool is_in(const struct evr_options *o, const char *file)
{
	const char *s = o->in;
	while (s && *s) {
		size_t n = strcspn(s, "\n"), length = strlen(file);
		const char *name = s + (n > 2 && !strncmp(s, "./", 2) ? 2 : 0);
		size_t own = n - (size_t)(name - s);
		if (length >= own && !strncmp(file + length - own, name, own) &&
		    (length == own || file[length - own - 1] == '/'))
			return true;
		s += n + (s[n] == '\n');
	}
	return !o->in;
}

/* Headers of the system are not the user's to change. */
static bool is_foreign(const char *file)
{
	return !strncmp(file, "/usr/include/", 13) || !strncmp(file, "/usr/lib", 8);
}

/* The executions that are kept have no such fences. */
bool evr_trials_add_fences(struct evr_trials *t)
{
	bool any = false;
	for (size_t i = 0; i < t->count; i++) {
		const struct evr_result_site *s = &t->first->sites.data[i];
		if (evr_result_site_added(s) && is_in(t->o, s->file) && !is_foreign(s->file))
			t->studied[i] = any = true;
	}
	for (size_t i = 0; i < EVR_KEEPERS; i++)
		dismiss(&t->keepers[i]);
	return any;
}

/*
 * Of several orders at one place the strongest counts if the program holds, which then holds with that, and the weakest if it fails, which then fails with that.
 */
void evr_trials_begin(struct evr_trials *t, const struct evr_options *o, const char *checker, const char *model)
{
	*t = (struct evr_trials){ .o = o, .checker = checker, .model = model };
	t->deadline = o->timeout > 0 ? evr_now() + o->timeout : 0;
	start(t);
	t->first = evr_trial_result(t, NULL);
	t->count = t->first->sites.len;
	t->now = evr_alloc(t->count + 1);
	t->start = evr_alloc(t->count + 1);
	t->several = evr_alloc(t->count + 1);
	t->studied = evr_alloc(t->count + 1);
	uint8_t from = o->from ? order_of(o->from) : EVR_PLAIN;
	bool all = evr_model_heeds_orders(model);
	for (size_t i = 0; i < t->count; i++) {
		struct evr_result_site *s = &t->first->sites.data[i];
		t->several[i] = *s->least;
		if (t->several[i] && evr_trial_outcome(t->first) == EVR_FAILS)
			evr_result_set(&s->now, s->least);
		t->now[i] = order_of(s->now);
		t->studied[i] =
			is_in(o, s->file) && !evr_result_site_added(s) && (all || !strcmp(s->operation, "fence"));
		s->studied = t->studied[i];
		t->start[i] = from && t->studied[i] ? from : t->now[i];
	}
	note(t, t->now, evr_trial_outcome(t->first));
	t->started = t->first->error ? EVR_UNDECIDED : evr_trial(t, t->start);
}

static void release(evr_assignments *a)
{
	for (size_t i = 0; i < a->len; i++)
		free(a->data[i]);
	evr_vec_release(a);
}

void evr_trials_distrust(struct evr_trials *t)
{
	release(&t->holding);
	release(&t->failing);
	t->distrusted = true;
}

void evr_trials_end(struct evr_trials *t)
{
	close(t->control);
	close(t->records);
	for (size_t i = 0; i < EVR_KEEPERS; i++)
		close(t->keepers[i].fd);
	while (waitpid(t->pid, NULL, 0) < 0 && errno == EINTR)
		;
	evr_interrupts_forget(t->pid);
	evr_strbuf_release(&t->line);
	evr_result_free(t->first);
	free(t->now);
	free(t->start);
	free(t->several);
	free(t->studied);
	release(&t->holding);
	release(&t->failing);
}
