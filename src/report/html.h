/*
 * The report as one web page: page.html with its style, its script and the report itself in it, so that it needs nothing
 * else, and asks no network. Driver only.
 */
#ifndef EVR_HTML_H
#define EVR_HTML_H

#include "report/json.h"

/* Fills page->sources. Returns 0, or -1 with errno set. */
int evr_html_write(FILE *out, const struct evr_report *r, struct evr_json_page *page);

#endif
