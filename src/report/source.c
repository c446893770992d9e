/*
 * Invariant: a line has no blanks around it; `indents` says how many bytes there were before it, since columns count them.
 */
#include "report/source.h"

#include "base/strbuf.h"
#include "base/vec.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#define LARGEST (16u << 20) /* what is larger was not written by people */

struct source {
	char *file;
	char *text;             /* NULL: it cannot be read */
	EVR_VEC(char *) lines;  /* without blanks around them */
	EVR_VEC(unsigned) indents;
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
		evr_vec_push(&s->indents, (unsigned)(first - p));
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

/* Where the expression begins that an operator or a member at `at` belongs to: "p" of "p->next", "n[i].x" of "n[i].x = 1". */
static size_t expression_at(const char *s, size_t at)
{
	static const char parts[] = "_.[]";
	size_t begin = at;
	/* Of an assignment the column is that of its sign. */
	if (s[at] == '=' || (at && s[at + 1] == '=' && ispunct((unsigned char)s[at])))
		while (begin && s[begin - 1] == ' ')
			begin--;
	for (; begin; begin--) {
		unsigned char c = (unsigned char)s[begin - 1];
		bool arrow = c == '>' ? begin >= 2 && s[begin - 2] == '-' : c == '-' && s[begin] == '>';
		if (!isalnum(c) && !strchr(parts, c) && !arrow)
			break;
	}
	return begin;
}

/* The bytes of so many characters of UTF-8, or fewer if there are not so many. */
static size_t bytes_of(const char *s, size_t characters)
{
	size_t n = 0;
	for (; s[n] && characters; characters--)
		for (n++; ((unsigned char)s[n] & 0xc0) == 0x80;)
			n++;
	return n;
}

#define DOTS "..."
#define NARROW 16 /* with less room than that there is none for them */
#define LEAST 12 /* so much of the expression is to be seen, if what comes before is shown */

char *evr_source_cut(const char *file, unsigned line, unsigned column, size_t width)
{
	const char *s = evr_source_line(file, line);
	bool narrow = width < NARROW;
	size_t dots = narrow ? 0 : strlen(DOTS);
	if (!s)
		return NULL;
	if (bytes_of(s, width) == strlen(s) || !width)
		return evr_strndup(s, bytes_of(s, width));
	unsigned indent = source_of(file)->indents.data[line - 1];
	size_t at = column > indent ? column - indent - 1 : 0, start = at < strlen(s) ? expression_at(s, at) : 0;
	/* From its beginning if the expression is near; to its end if that is. */
	if (start + LEAST + dots <= width)
		start = 0;
	else if (bytes_of(s + start, width - dots) == strlen(s + start))
		start = strlen(s) - (width - dots);
	while (((unsigned char)s[start] & 0xc0) == 0x80)
		start++;
	const char *before = start && !narrow ? DOTS : "";
	size_t rest = width - strlen(before);
	bool whole = bytes_of(s + start, rest) == strlen(s + start);
	return evr_format("%s%.*s%s", before, (int)bytes_of(s + start, whole ? rest : rest - dots), s + start,
			  whole || narrow ? "" : DOTS);
}

const char *evr_source_text(const char *file)
{
	return source_of(file)->text;
}
