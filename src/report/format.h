/*
 * The formats of formats.def: each writes a whole run to a file. All of them show what evr_json_write() saves and no more,
 * so that `everett report` makes the same of a saved run as `everett check` made at once. Driver only.
 */
#ifndef EVR_FORMAT_H
#define EVR_FORMAT_H

#include "report/json.h"

enum evr_format {
#define FORMAT(name, commands, help) EVR_FORMAT_##name,
#include "report/formats.def"
#undef FORMAT
	EVR_FORMATS
};

/* `json` is where the run is saved, or NULL. Returns 0, or -1 with errno set. */
typedef int evr_format_writer(FILE *out, const struct evr_report *r, const char *json);

#define FORMAT(name, commands, help) evr_format_writer evr_##name##_write;
#include "report/formats.def"
#undef FORMAT

/* By enum evr_format. */
extern const struct evr_format_ops {
	const char *name;
	evr_format_writer *write;
} evr_formats[EVR_FORMATS];

/* What evr_dot_write() draws, of one model alone, with its findings that stronger models have, too. */
int evr_dot_write_model(FILE *out, const struct evr_report *r, size_t result);

/* The status of the whole run: the highest-priority of 4, 2, 1, 3, 0. */
int evr_report_status(const struct evr_report *r);
/* One of two statuses, by that priority. */
int evr_worse_status(int a, int b);

/* What the formats have in common. All strings are to be freed. */

/* Of a program that nothing repairs: the words for --order with which it has its finding. Empty for all other results. */
void evr_result_add_changes(const struct evr_result *r, evr_words *words);
/* The command that replays a finding: from the file `json` if there is one, else by its schedule; NULL if it has none. */
char *evr_replay_command(const struct evr_report *r, const char *json, size_t result, size_t finding);
/* distinct.c: is it the same kind of finding in the same line? */
bool evr_finding_is_same(const struct evr_result_finding *a, const struct evr_result_finding *b);
/* Does a stronger model have it? Then that is where it is shown. */
bool evr_finding_is_repeated(const struct evr_report *r, size_t result, size_t finding);
/* "also under pso and ra; not under sc": under which other models, as far as that is known; or empty. */
char *evr_finding_models(const struct evr_report *r, size_t result, size_t finding);
/* One sentence on several models; empty if there is nothing to say. */
char *evr_conclusion(const struct evr_report *r);
/* "sc, tso and pso". */
void evr_text_list(struct evr_strbuf *b, const evr_words *words);
/* Each with a blank before it, and quoted where a shell would not take it as it is. */
void evr_text_add_words(struct evr_strbuf *b, const evr_words *words);
/* "write relaxed x = 1 (buffered)". */
char *evr_event_text(const struct evr_result_event *e);
/* Which orders would have to be stronger, and what for, with the separator before each; empty if there is nothing to say. */
char *evr_stronger_text(const struct evr_result_finding *f, const char *separator);
/* With U+FFFD for each byte that is no UTF-8. */
char *evr_text_utf8(const char *s);
/* The same, and what XML 1.0 has no way to write, control characters but newline and tab, as "\x1b". */
char *evr_text_shown(const char *s);
/* 0, or -1 with errno set, if something that was written to `out` did not arrive. */
int evr_format_finish(FILE *out);

#endif
