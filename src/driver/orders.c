/*
 * `everett orders`: which memory orders of the program are needed, which could be weaker, and if it is broken, which have to be stronger.
 *
 * Invariant: what is reported was checked: the program with the orders that are called needed, in full; and with each that is weaker, up to a finding, which is told.
 */
#include "driver/build.h"
#include "driver/commands.h"
#include "driver/formats.h"
#include "driver/interrupt.h"
#include "driver/launch.h"
#include "driver/lines.h"
#include "driver/models.h"
#include "driver/next.h"
#include "driver/patch.h"
#include "driver/present.h"
#include "driver/process.h"
#include "driver/trust.h"
#include "driver/weaken.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

struct question {
	struct evr_trials trials;
	const char *target;
	uint8_t *orders; /* the answer */
	bool repaired; /* the program as it is has a finding */
	struct evr_result *final; /* its check */
};

/* ---- why a site needs its order ---- */

static void list_changes(const struct question *q, const uint8_t *orders, struct evr_result_site *s)
{
	for (size_t i = 0; i < q->trials.count; i++)
		if (!evr_trials_have_now(&q->trials, i, orders[i]))
			evr_vec_push(&s->orders, evr_result_site_change(&q->trials.first->sites.data[i],
									evr_order_text(orders[i])));
}

/* The finding moves to the site. */
static void keep_because(struct question *q, struct evr_result_site *s, struct evr_result *r, const uint8_t *orders,
			 unsigned tried)
{
	evr_lines_resolve(r, q->trials.checker);
	s->because = evr_alloc(sizeof(*s->because));
	*s->because = r->findings.data[0];
	memmove(r->findings.data, r->findings.data + 1, (r->findings.len - 1) * sizeof(*r->findings.data));
	r->findings.len--;
	s->tried = evr_strdup(evr_order_text(tried));
	list_changes(q, orders, s);
}

/* No order between this one and that of the site: what is weaker still follows from what this one does. */
static bool is_next_below(const struct question *q, size_t site, unsigned order)
{
	uint8_t options[5];
	unsigned own = q->orders[site];
	size_t n = evr_order_options(&q->trials, &q->trials.first->sites.data[site], options);
	if (order == own || !evr_order_within(order, own))
		return false;
	for (size_t i = 0; i < n; i++)
		if (options[i] != order && options[i] != own && evr_order_within(order, options[i]) &&
		    evr_order_within(options[i], own))
			return false;
	return true;
}

/*
 * Check the program with each weaker order of this one site. Of several findings the first is told. False: it holds with one of them after all.
 */
static bool explain(struct question *q, size_t site)
{
	struct evr_trials *t = &q->trials;
	struct evr_result_site *s = &q->final->sites.data[site];
	uint8_t *tried = evr_assignment_copy(t, q->orders), options[5];
	size_t n = evr_order_options(t, s, options);
	bool needed = true;
	for (size_t i = n; needed && !t->stopped && i-- > 0;) {
		if (!is_next_below(q, site, options[i]))
			continue;
		tried[site] = options[i];
		struct evr_result *r = evr_trial_result(t, tried);
		needed = evr_trial_outcome(r) != EVR_HOLDS;
		/* What cannot be replayed is no reason to show; the simplest execution is another one. */
		if (!s->because && r->findings.len && !evr_trial_replays(t, tried, &r->findings.data[0])) {
			evr_result_free(r);
			r = evr_trial_simplified(t, tried);
		}
		if (!s->because && r->findings.len)
			keep_because(q, s, r, tried, options[i]);
		evr_result_free(r);
	}
	free(tried);
	return needed;
}

/* ---- the answer ---- */

/* Of what was repaired, only the repair is explained: the rest stays as it is, needed or not. */
static bool is_asked(const struct question *q, size_t site)
{
	return q->trials.studied[site] && (!q->repaired || q->orders[site] != q->trials.start[site]);
}

/* False: an order that seemed to be needed is not, since a kept execution was misjudged, or weaker orders allow less for once. */
static bool explain_all(struct question *q)
{
	struct evr_trials *t = &q->trials;
	for (size_t i = 0; i < t->count && i < q->final->sites.len; i++) {
		struct evr_result_site *s = &q->final->sites.data[i];
		s->studied = is_asked(q, i);
		s->needed = evr_strdup(evr_order_text(q->orders[i]));
		if (s->studied && s->executed && !explain(q, i))
			return false;
	}
	return true;
}

/* Whatever the search has come to: it is checked in full, and every weaker order up to its finding. */
static void confirm(struct question *q)
{
	q->final = evr_trial_result(&q->trials, q->orders);
	while (!explain_all(q) && !q->trials.stopped) {
		evr_trials_distrust(&q->trials);
		evr_weaken(&q->trials, q->orders);
		evr_result_free(q->final);
		q->final = evr_trial_result(&q->trials, q->orders);
	}
	q->final->repaired = q->repaired;
}

/* As the program has them, not as the last trial had. If nothing repairs it, all were asked about in vain. */
static void tell_orders(struct question *q)
{
	const struct evr_result *first = q->trials.first;
	for (size_t i = 0; i < q->final->sites.len && i < first->sites.len; i++) {
		struct evr_result_site *s = &q->final->sites.data[i];
		evr_result_set(&s->now, first->sites.data[i].now);
		s->studied |= !s->needed && first->sites.data[i].studied;
	}
}

static bool comes_after(const struct evr_result_site *x, const struct evr_result_site *y)
{
	int files = strcmp(x->file, y->file);
	return files ? files > 0 : x->line != y->line ? x->line > y->line : x->column > y->column;
}

/* Of the fences that could be added, the result has those that are, each before its access. Both kinds come by place, and so does the result. */
static void settle_fences(struct evr_result *r)
{
	struct evr_result_site *all = r->sites.data;
	size_t n = r->sites.len, own = 0, i = 0;
	while (own < n && !evr_result_site_added(&all[own]))
		own++;
	memset(&r->sites, 0, sizeof(r->sites));
	for (size_t k = own; k < n; k++) {
		if (!evr_result_site_differs(&all[k])) {
			evr_result_free_site(&all[k]);
			continue;
		}
		while (i < own && comes_after(&all[k], &all[i]))
			evr_vec_push(&r->sites, all[i++]);
		evr_vec_push(&r->sites, all[k]);
	}
	while (i < own)
		evr_vec_push(&r->sites, all[i++]);
	free(all);
}

static void add_stats(struct question *q)
{
	struct evr_result *r = q->final;
	const struct evr_trials *t = &q->trials;
	for (size_t i = 0; i < r->stats.len; i++)
		free(r->stats.data[i].name);
	r->stats.len = 0;
	evr_result_set_stat(r, "trials", t->tried);
	evr_result_set_stat(r, "replayed", t->replayed);
	evr_result_set_stat(r, "inferred", t->inferred);
}

/* There is no answer: what remains are the sites, and why. */
static void give_up(struct question *q)
{
	struct evr_trials *t = &q->trials;
	evr_result_free(q->final);
	q->final = t->first;
	t->first = evr_result_new(t->model, "");
	for (size_t i = 0; i < q->final->findings.len; i++)
		evr_result_free_finding(&q->final->findings.data[i]);
	q->final->findings.len = 0;
	q->final->complete = false;
	if (t->stopped || !*q->final->stopped)
		evr_result_set(&q->final->stopped, t->stopped ? t->stopped : "limit of a trial");
}

static void answer(struct question *q)
{
	struct evr_trials *t = &q->trials;
	enum evr_outcome outcome = t->started;
	q->orders = evr_assignment_copy(t, t->start);
	q->repaired = outcome == EVR_FAILS;
	if (outcome == EVR_HOLDS)
		evr_weaken(t, q->orders);
	else if (outcome == EVR_FAILS)
		outcome = evr_repair(t, q->target, q->orders);
	if (outcome == EVR_HOLDS && !t->stopped)
		confirm(q);
	else if (outcome == EVR_FAILS && !t->stopped)
		q->final = evr_trial_result(t, q->orders);
	if (t->stopped || !q->final)
		give_up(q);
	evr_lines_resolve(q->final, t->checker);
}

static struct evr_result *ask(const struct evr_options *o, const char *checker, const char *model,
			      double compile_seconds)
{
	struct question q = { .target = evr_order_target(o->target) };
	double began = evr_now();
	evr_trials_begin(&q.trials, o, checker, model);
	answer(&q);
	add_stats(&q);
	tell_orders(&q);
	settle_fences(q.final);
	q.final->orders = true;
	q.final->explore_seconds = evr_now() - began;
	q.final->compile_seconds = compile_seconds;
	evr_trials_end(&q.trials);
	free(q.orders);
	return q.final;
}

/* ---- the command ---- */

/* Is it what `everett cc` linked, and no source? */
static bool is_checker(const struct evr_options *o)
{
	struct stat st;
	return o->files.len == 1 && !evr_trust_file(o->files.data[0]) && !stat(o->files.data[0], &st) &&
	       S_ISREG(st.st_mode) && !access(o->files.data[0], X_OK);
}

static void require_operands(struct evr_options *o)
{
	char *unknown;
	if (!o->files.len)
		evr_die("no source file and no checker (see 'everett orders --help')");
	if (!o->models.len)
		evr_models_parse(evr_default_models(o->command), o->command, &o->models, &unknown);
	if (o->from && strcmp(o->from, "relaxed") != 0 && strcmp(o->from, "seq_cst") != 0)
		evr_die("option '--from' needs relaxed or seq_cst, not '%s'", o->from);
	if (!evr_order_target(o->target))
		evr_die("the costs of orders on '%s' are unknown (targets: x86-64, aarch64)", o->target);
}

int evr_orders_main(struct evr_options *o)
{
	struct evr_report r;
	struct evr_interrupts interrupts;
	double seconds = 0;
	require_operands(o);
	evr_outputs_require_different(o);
	bool linked = is_checker(o);
	char *checker = linked ? evr_strdup(o->files.data[0]) : evr_build(o, &seconds);
	if (!checker)
		return EVR_USAGE;
	evr_require_checker(checker);
	struct evr_outputs files = evr_outputs_open(o);
	evr_report_fill(&r, o);
	if (linked) {
		evr_words_release(&r.files);
		r.checker = evr_strdup(checker);
	}
	evr_interrupts_catch(&interrupts);
	for (size_t i = 0; i < o->models.len; i++)
		evr_vec_push(&r.results, ask(o, checker, o->models.data[i], seconds));
	evr_interrupts_restore(&interrupts);
	int status = evr_patch_write(o, &r);
	evr_next_fill(&r, o);
	status = evr_worse_status(status, evr_report_print(&r, o, &files, NULL));
	status = evr_worse_status(status, evr_report_status(&r));
	evr_report_release(&r);
	free(checker);
	return status;
}
