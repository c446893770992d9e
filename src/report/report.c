#include "report/json.h"

void evr_words_add(evr_words *w, const char *word)
{
	evr_vec_push(w, evr_strdup(word));
}

void evr_words_release(evr_words *w)
{
	for (size_t i = 0; i < w->len; i++)
		free(w->data[i]);
	evr_vec_release(w);
}

void evr_report_release(struct evr_report *r)
{
	free(r->command);
	free(r->checker);
	evr_words_release(&r->files);
	evr_words_release(&r->compile);
	evr_words_release(&r->options);
	evr_words_release(&r->args);
	for (size_t i = 0; i < r->results.len; i++)
		evr_result_free(r->results.data[i]);
	evr_vec_release(&r->results);
}
