/*
 * The report as one web page: page.html with its style, its script and the report itself in it, so that it needs nothing
 * else, and asks no network.
 */
#include "report/format.h"

#include <errno.h>

/* The build makes these of the files in the folder page. */
static const char *const html[] = {
#include "report/page/page.html.def"
};
static const char *const css[] = {
#include "report/page/page.css.def"
};
static const char *const js[] = {
#include "report/page/execution.js.def"
	/* Under which models do events name their places in coherence? */
	"const namesSources = new Set([",
#define MODEL(model, buffers, sources, ...) (sources) ? " '" #model "'," : "",
#include "model/models.def"
#undef MODEL
	" ]);\n",
#include "report/page/page.js.def"
};

static void add_source(evr_words *sources, const char *file)
{
	if (!*file)
		return;
	for (size_t i = 0; i < sources->len; i++)
		if (!strcmp(sources->data[i], file))
			return;
	evr_words_add(sources, file);
}

/* The file of the first finding comes first; it is the one that is shown. */
static void find_sources(const struct evr_report *r, evr_words *sources)
{
	for (size_t i = 0; i < r->results.len; i++) {
		const struct evr_result *m = r->results.data[i];
		for (size_t j = 0; j < m->findings.len; j++) {
			const struct evr_result_finding *f = &m->findings.data[j];
			add_source(sources, f->file);
			for (size_t k = 0; k < f->events.len; k++)
				add_source(sources, f->events.data[k].file);
		}
		for (size_t j = 0; j < m->sites.len; j++)
			add_source(sources, m->sites.data[j].file);
		for (size_t j = 0; j < m->cycles.len; j++)
			for (size_t k = 0; k < m->cycles.data[j].labels.len; k++)
				add_source(sources, m->cycles.data[j].labels.data[k].file);
	}
	for (size_t i = 0; i < r->files.len; i++)
		add_source(sources, r->files.data[i]);
	for (size_t i = 0; i < r->results.len; i++)
		for (size_t j = 0; j < r->results.data[i]->points.len; j++)
			add_source(sources, r->results.data[i]->points.data[j].file);
}

/* In a script element nothing but "<" can end it, or begin what hides its end; in JSON it occurs in strings only. */
static void put_data(FILE *out, const char *json)
{
	while (*json) {
		size_t n = strcspn(json, "<");
		fwrite(json, 1, n, out);
		json += n;
		if (*json) {
			fputs("\\u003c", out);
			json++;
		}
	}
	fputc('\n', out);
}

static void put_lines(FILE *out, const char *const *lines, size_t n)
{
	for (size_t i = 0; i < n; i++)
		fputs(lines[i], out);
}

/* What the page shows of a finding besides the finding itself. */
static void add_finding(const struct evr_report *r, const char *json, size_t result, size_t finding,
			struct evr_json_page *page)
{
	char *replay = evr_replay_command(r, json, result, finding), *models = evr_finding_models(r, result, finding);
	evr_words_add(&page->replays, replay ? replay : "");
	evr_words_add(&page->models, models);
	evr_vec_push(&page->repeated, evr_finding_is_repeated(r, result, finding));
	free(replay);
	free(models);
}

static void put_page(FILE *out, const char *data)
{
	for (size_t i = 0; i < EVR_COUNT(html); i++) {
		if (!strcmp(html[i], "@style\n"))
			put_lines(out, css, EVR_COUNT(css));
		else if (!strcmp(html[i], "@script\n"))
			put_lines(out, js, EVR_COUNT(js));
		else if (!strcmp(html[i], "@data\n"))
			put_data(out, data);
		else
			fputs(html[i], out);
	}
}

int evr_html_write(FILE *out, const struct evr_report *r, const char *json)
{
	struct evr_json_page page = { .conclusion = evr_conclusion(r) };
	find_sources(r, &page.sources);
	for (size_t i = 0; i < r->results.len; i++)
		for (size_t j = 0; j < r->results.data[i]->findings.len; j++)
			add_finding(r, json, i, j, &page);
	char *data = evr_json_page(r, &page);
	evr_words_release(&page.sources);
	evr_words_release(&page.replays);
	evr_words_release(&page.models);
	evr_vec_release(&page.repeated);
	free(page.conclusion);
	if (!data) {
		errno = ENOMEM;
		return -1;
	}
	put_page(out, data);
	free(data);
	return evr_format_finish(out);
}
