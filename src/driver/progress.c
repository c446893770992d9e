#include "driver/progress.h"

#include "base/strbuf.h"
#include "driver/present.h"
#include "driver/process.h"

#include <inttypes.h>
#include <unistd.h>

static const double moment = 0.4; /* the checker looks up ten times a second, and estimates for a fiftieth of one */

void evr_progress_init(struct evr_progress *p, const struct evr_options *o)
{
	memset(p, 0, sizeof(*p));
	p->terminal = isatty(STDERR_FILENO);
	p->on = !o->quiet && (o->progress == EVR_ALWAYS || (o->progress == EVR_AUTO && p->terminal));
	p->start = p->last = evr_now();
	p->workers = o->jobs;
}

void evr_progress_ask(struct evr_progress *p)
{
	if (!p->answer_at)
		p->answer_at = evr_now() + moment;
}

static uint64_t all_of(const struct evr_result *r)
{
	return r->executions + r->blocked + r->truncated;
}

/* What has been left out to make it fit. */
enum shortness { FULL, NO_SPREAD, NO_OTHERS, NO_RATE, SHORTEST };

static void add_estimate(struct evr_strbuf *b, const struct evr_result *r, double rate, enum shortness s)
{
	double done = (double)all_of(r), size = r->estimate;
	/* There are more than any probe has seen: it was wrong. */
	if (r->estimate <= 0 || done > r->estimate_high)
		return;
	if (size < done)
		size = (done + r->estimate_high) / 2;
	evr_strbuf_puts(b, ", about ");
	evr_text_about(b, size);
	if (s < NO_SPREAD)
		evr_text_spread(b, r->estimate_low > done ? r->estimate_low : done, r->estimate_high);
	if (rate > 0) {
		evr_strbuf_puts(b, ", ");
		evr_text_seconds(b, (size - done) / rate);
		evr_strbuf_puts(b, " left");
	}
}

static void add_others(struct evr_strbuf *b, const struct evr_result *r)
{
	if (r->blocked)
		evr_strbuf_printf(b, ", %" PRIu64 " blocked", r->blocked);
	if (r->truncated)
		evr_strbuf_printf(b, ", %" PRIu64 " truncated", r->truncated);
}

static void write_line(struct evr_strbuf *b, const struct evr_progress *p, const struct evr_result *r, double seconds,
		       enum shortness s)
{
	double rate = seconds > 0 ? (double)all_of(r) / seconds : 0;
	evr_strbuf_clear(b);
	evr_strbuf_printf(b, "everett: %s", r->model);
	if (*r->equivalence)
		evr_strbuf_printf(b, "/%s", r->equivalence);
	evr_strbuf_printf(b, ": %" PRIu64 " execution%s", r->executions, evr_plural(r->executions));
	if (s < NO_OTHERS)
		add_others(b, r);
	if (s < NO_RATE) {
		evr_strbuf_puts(b, ", ");
		evr_text_about(b, rate);
		evr_strbuf_puts(b, "/s");
		if (p->workers > 1)
			evr_strbuf_printf(b, ", %ld workers", p->workers);
	}
	if (r->findings.len)
		evr_strbuf_printf(b, ", %zu finding%s", r->findings.len, r->findings.len > 1 ? "s" : "");
	add_estimate(b, r, rate, s);
}

static void draw(struct evr_progress *p, const struct evr_result *r, double now, bool stays)
{
	struct evr_strbuf b;
	size_t width = p->terminal ? evr_text_options_for(stderr, EVR_NEVER).width - 1 : SIZE_MAX;
	evr_strbuf_init(&b);
	int s = FULL;
	do {
		write_line(&b, p, r, (p->paused_at > 0 ? p->paused_at : now) - p->start, (enum shortness)s);
	} while (b.len > width && ++s < SHORTEST);
	int length = (int)(b.len > width ? width : b.len);
	fprintf(stderr, "%s%.*s%s%s", p->terminal ? "\r" : "", length, b.text, p->terminal ? "\033[K" : "",
		p->terminal && !stays ? "" : "\n");
	fflush(stderr);
	evr_strbuf_release(&b);
	p->shown = p->terminal && !stays;
}

void evr_progress_update(struct evr_progress *p, const struct evr_result *r)
{
	double now = evr_now(), pause = p->terminal ? 0.2 : 1;
	if (all_of(r) < p->counted)
		p->start = now;
	p->counted = all_of(r);
	if (p->asked < r->asked)
		evr_progress_ask(p);
	p->asked = r->asked;
	if (p->answer_at && now >= p->answer_at) {
		p->answer_at = 0;
		draw(p, r, now, true);
	} else if (p->on && !(p->paused_at > 0) && now - p->last >= pause) {
		p->last = now;
		draw(p, r, now, false);
	}
}

void evr_progress_pause(struct evr_progress *p)
{
	p->paused_at = evr_now();
}

void evr_progress_go_on(struct evr_progress *p)
{
	p->start += evr_now() - p->paused_at;
	p->paused_at = 0;
}

void evr_progress_clear(struct evr_progress *p)
{
	if (p->shown)
		fputs("\r\033[K", stderr);
	p->shown = false;
}
