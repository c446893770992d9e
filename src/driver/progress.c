#include "driver/progress.h"

#include "driver/process.h"

#include <inttypes.h>
#include <unistd.h>

void evr_progress_init(struct evr_progress *p, const struct evr_options *o)
{
	memset(p, 0, sizeof(*p));
	p->terminal = isatty(STDERR_FILENO);
	p->on = !o->quiet && (o->progress == EVR_ALWAYS || (o->progress == EVR_AUTO && p->terminal));
	p->start = p->last = evr_now();
}

void evr_progress_update(struct evr_progress *p, const struct evr_result *r)
{
	double now = evr_now(), pause = p->terminal ? 0.2 : 1;
	if (!p->on || now - p->last < pause)
		return;
	p->last = now;
	fprintf(stderr, "%severett: %s: %" PRIu64 " executions, %.0f/s", p->terminal ? "\r" : "", r->model,
		r->executions, (double)r->executions / (now - p->start));
	if (r->findings.len)
		fprintf(stderr, ", %zu findings", r->findings.len);
	fputs(p->terminal ? "\033[K" : "\n", stderr);
	fflush(stderr);
	p->shown = p->terminal;
}

void evr_progress_clear(struct evr_progress *p)
{
	if (p->shown)
		fputs("\r\033[K", stderr);
	p->shown = false;
}
