/*
 * Streams: opening, closing, reading and writing. What else can be asked of a stream is in stdio_state.c, and other names
 * of these functions are in stdio_alias.c.
 *
 * Invariant: nothing is buffered, so a stream and the descriptor of the same file agree at all times. Only a stream in the
 * program's memory (memstream.c) gets what was written when it is flushed or closed.
 */
#include "runtime/libc/libc.h"
#include "runtime/libc/wrappers.h"

#include <errno.h>
#include <string.h>

/* Opening and closing. */

/* The stream is a block of the heap, and so belongs to its thread's history, and is known when it is closed. */
FILE *evr_stream_new(struct evr_file *f, const struct evr_site *site)
{
	if (!f)
		return NULL;
	evr_call_site = site;
	f->stream = evr_libc_calloc(1, 16);
	return f->stream;
}

FILE *evr_libc_fopen(const char *path, const char *mode)
{
	const struct evr_site *site = evr_call_site;
	struct evr_text p, m;
	evr_text_copy(&p, path, site);
	evr_text_copy(&m, mode, site);
	int flags = evr_file_mode(m.data);
	struct evr_file *f = NULL;
	if (flags >= 0)
		f = evr_file_open(p.data, flags, site);
	else
		errno = EINVAL;
	evr_text_release(&p);
	evr_text_release(&m);
	return evr_stream_new(f, site);
}

/* The stream stays, with another file behind it; the old file is given up first. */
FILE *evr_libc_freopen(const char *path, const char *mode, FILE *stream)
{
	const struct evr_site *site = evr_call_site;
	struct evr_file *f = evr_stream_use(stream, "freopen", site);
	struct evr_text p, m;
	if (!path)
		return stream;
	evr_text_copy(&p, path, site);
	evr_text_copy(&m, mode, site);
	int flags = evr_file_mode(m.data);
	struct evr_file *fresh = flags >= 0 ? evr_file_open(p.data, flags, site) : NULL;
	evr_text_release(&p);
	evr_text_release(&m);
	if (!fresh) {
		evr_file_close(f);
		return NULL;
	}
	struct evr_file value = *fresh;
	value.stream = stream;
	value.fd = f->fd;
	*f = value;
	evr_file_close(fresh);
	return stream;
}

FILE *evr_libc_fdopen(int fd, const char *mode)
{
	const struct evr_site *site = evr_call_site;
	struct evr_text m;
	evr_text_copy(&m, mode, site);
	evr_text_release(&m);
	struct evr_file *f = evr_file_of_descriptor(fd);
	return f && f->stream ? f->stream : evr_stream_new(f, site);
}

FILE *evr_libc_tmpfile(void)
{
	const struct evr_site *site = evr_call_site;
	char path[] = "/tmp/everett-XXXXXX";
	return evr_stream_new(evr_file_temporary(path, site), site);
}

int evr_libc_fclose(FILE *stream)
{
	const struct evr_site *site = evr_call_site;
	struct evr_file *f = evr_stream_use(stream, "fclose", site);
	evr_memory_flush(f, site);
	if (stream != stdin && stream != stdout && stream != stderr)
		evr_library_free(stream, site);
	evr_file_close(f);
	return 0;
}

int evr_libc_fileno(FILE *stream)
{
	return evr_file_of(stream, "fileno", evr_call_site)->fd;
}

/* Reading. */

int evr_libc_fgetc(FILE *stream)
{
	return evr_file_getc(evr_stream_use(stream, "fgetc", evr_call_site));
}

int evr_libc_ungetc(int c, FILE *stream)
{
	struct evr_file *f = evr_stream_use(stream, "ungetc", evr_call_site);
	if (c == EOF || f->pushed_count == EVR_COUNT(f->pushed))
		return EOF;
	if (!f->pushed_count && f->position && f->position <= f->inode->len &&
	    f->inode->data[f->position - 1] == (char)c)
		f->position--;
	else
		f->pushed[f->pushed_count++] = (unsigned char)c;
	f->end = false;
	return (unsigned char)c;
}

size_t evr_libc_fread(void *to, size_t size, size_t n, FILE *stream)
{
	const struct evr_site *site = evr_call_site;
	struct evr_file *f = evr_stream_use(stream, "fread", site);
	struct evr_text t;
	size_t bytes, got;
	if (!size || !n)
		return 0;
	if (__builtin_mul_overflow(size, n, &bytes))
		bytes = SIZE_MAX / 2;
	evr_text_init(&t);
	got = evr_file_take(f, &t, bytes);
	if (got < bytes && !f->error)
		f->end = true;
	(size == 1 ? evr_access_write_text : evr_access_write)(to, t.data, got, site);
	evr_text_release(&t);
	return got / size;
}

/* A line, with its end, of at most n bytes. */
static size_t take_line(struct evr_file *f, struct evr_text *t, size_t n, int end)
{
	while (t->len < n) {
		int c = evr_file_getc(f);
		if (c == EOF)
			break;
		evr_text_fill(t, (char)c, 1);
		if (c == end)
			break;
	}
	return t->len;
}

char *evr_libc_fgets(char *to, int size, FILE *stream)
{
	const struct evr_site *site = evr_call_site;
	struct evr_file *f = evr_stream_use(stream, "fgets", site);
	struct evr_text t;
	if (size <= 0)
		return NULL;
	evr_text_init(&t);
	size_t n = take_line(f, &t, (size_t)size - 1, '\n');
	bool any = (n || size == 1) && !f->error;
	if (any)
		evr_access_write_text(to, t.data, n + 1, site);
	evr_text_release(&t);
	return any ? to : NULL;
}

ssize_t evr_libc_getdelim(char **line, size_t *size, int end, FILE *stream)
{
	const struct evr_site *site = evr_call_site;
	struct evr_file *f = evr_stream_use(stream, "getdelim", site);
	struct evr_text t;
	evr_text_init(&t);
	ssize_t n = (ssize_t)take_line(f, &t, SIZE_MAX / 2, end);
	if (n) {
		char *to = (char *)(uintptr_t)evr_access_load((uintptr_t)line, sizeof(*line), site);
		size_t room = to ? (size_t)evr_access_load((uintptr_t)size, sizeof(*size), site) : 0;
		if (room < t.len + 1) {
			room = t.len + 1 < 120 ? 120 : 2 * t.len;
			evr_call_site = site;
			to = evr_libc_realloc(to, room);
			evr_access_write(line, &to, sizeof(to), site);
			evr_access_write(size, &room, sizeof(room), site);
		}
		evr_access_write_text(to, t.data, t.len + 1, site);
	}
	evr_text_release(&t);
	return n ? n : -1;
}

ssize_t evr_libc_getline(char **line, size_t *size, FILE *stream)
{
	return evr_libc_getdelim(line, size, '\n', stream);
}

/* Writing. */

static int write_text(FILE *stream, const char *function, const char *s, const char *more, const struct evr_site *site)
{
	struct evr_file *f = evr_file_of(stream, function, site);
	struct evr_text t;
	evr_text_copy(&t, s, site);
	evr_text_add(&t, more, strlen(more));
	evr_file_use(f, site);
	bool done = evr_file_write(f, t.data, t.len);
	evr_text_release(&t);
	return done ? 1 : EOF;
}

int evr_libc_fputs(const char *s, FILE *stream)
{
	return write_text(stream, "fputs", s, "", evr_call_site);
}

int evr_libc_puts(const char *s)
{
	return write_text(stdout, "puts", s, "\n", evr_call_site);
}

int evr_libc_fputc(int c, FILE *stream)
{
	char byte = (char)c;
	return evr_file_write(evr_stream_use(stream, "fputc", evr_call_site), &byte, 1) ? (unsigned char)c : EOF;
}

size_t evr_libc_fwrite(const void *from, size_t size, size_t n, FILE *stream)
{
	const struct evr_site *site = evr_call_site;
	struct evr_file *f = evr_file_of(stream, "fwrite", site);
	struct evr_text t;
	size_t bytes;
	if (!size || !n)
		return 0;
	if (__builtin_mul_overflow(size, n, &bytes))
		evr_fail("out-of-bounds", site, "fwrite of %zu times %zu bytes", n, size);
	/* Not before the memory is known to exist: the size may be any. */
	char *message = NULL;
	const char *kind = bytes > 4096 ? evr_access_problem((uintptr_t)from, bytes, false, &message) : NULL;
	if (kind)
		evr_fail(kind, site, "fwrite: %s", message);
	evr_text_init(&t);
	if (size == 1)
		evr_text_bytes(&t, from, bytes, site);
	else
		evr_access_read(evr_text_reserve(&t, bytes), from, bytes, site);
	evr_file_use(f, site);
	bool done = evr_file_write(f, t.data, bytes);
	evr_text_release(&t);
	return done ? n : 0;
}

void evr_libc_perror(const char *s)
{
	const struct evr_site *site = evr_call_site;
	char known[EVR_ERROR_TEXT];
	struct evr_text t;
	evr_error_text(errno, known);
	evr_text_init(&t);
	if (s)
		evr_text_string(&t, s, SIZE_MAX, site);
	if (t.len)
		evr_text_add(&t, ": ", 2);
	evr_text_add(&t, known, strlen(known));
	evr_text_add(&t, "\n", 1);
	evr_file_write(evr_file_of(stderr, "perror", site), t.data, t.len);
	evr_text_release(&t);
}
