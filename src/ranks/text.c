#include "ranks/text.h"

#include "base/strbuf.h"

static char *take_field(const char **text)
{
	struct evr_strbuf b;
	evr_strbuf_init(&b);
	const char *s = *text;
	for (; *s && *s != '\t'; s++) {
		char c = *s;
		if (c == '\\' && s[1]) {
			s++;
			c = *s == 't' ? '\t' : *s == 'n' ? '\n' : *s;
		}
		evr_strbuf_putc(&b, c);
	}
	*text = *s ? s + 1 : NULL;
	return evr_strbuf_take(&b);
}

void evr_fields_take(evr_fields *f, const char *line)
{
	while (line)
		evr_vec_push(f, take_field(&line));
}

void evr_fields_release(evr_fields *f)
{
	for (size_t i = 0; i < f->len; i++)
		free(f->data[i]);
	evr_vec_release(f);
}
