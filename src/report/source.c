#include "report/source.h"

#include "base/strbuf.h"
#include "base/vec.h"

#include <ctype.h>
#include <stdio.h>
#include <sys/stat.h>

#define LARGEST (16u << 20) /* what is larger was not written by people */

struct source {
	char *file;
	char *text;             /* NULL: it cannot be read */
	EVR_VEC(char *) lines;  /* without blanks around them */
};

static EVR_VEC(struct source *) sources;

static char *read_all(const char *file)
{
	/* A report may name anything: a pipe would keep us waiting, a device has no end. */
	struct stat st;
	FILE *in = *file && !stat(file, &st) && S_ISREG(st.st_mode) ? fopen(file, "re") : NULL;
	struct evr_strbuf b;
	char part[4096];
	size_t n;
	if (!in)
		return NULL;
	evr_strbuf_init(&b);
	do {
		n = fread(part, 1, sizeof(part), in);
		evr_strbuf_add(&b, part, n);
	} while (n == sizeof(part) && b.len < LARGEST);
	bool failed = ferror(in) || memchr(b.text, '\0', b.len);
	fclose(in);
	if (!failed)
		return evr_strbuf_take(&b);
	evr_strbuf_release(&b);
	return NULL;
}

static void split(struct source *s)
{
	for (const char *p = s->text; *p;) {
		size_t n = strcspn(p, "\n");
		const char *first = p, *last = p + n;
		while (first < last && isspace((unsigned char)*first))
			first++;
		while (last > first && isspace((unsigned char)last[-1]))
			last--;
		evr_vec_push(&s->lines, evr_strndup(first, (size_t)(last - first)));
		p += n + (p[n] == '\n');
	}
}

static const struct source *source_of(const char *file)
{
	for (size_t i = 0; i < sources.len; i++)
		if (!strcmp(sources.data[i]->file, file))
			return sources.data[i];
	struct source *s = evr_alloc(sizeof(*s));
	s->file = evr_strdup(file);
	s->text = read_all(file);
	if (s->text)
		split(s);
	evr_vec_push(&sources, s);
	return s;
}

const char *evr_source_line(const char *file, unsigned line)
{
	const struct source *s = source_of(file);
	return line && line <= s->lines.len ? s->lines.data[line - 1] : NULL;
}

const char *evr_source_text(const char *file)
{
	return source_of(file)->text;
}
