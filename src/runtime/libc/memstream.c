/*
 * Streams in the program's memory. A stream reads what the memory held when it was opened; what is written to it arrives
 * when it is flushed or closed, as with the C library, which buffers it until then.
 */
#include "runtime/libc/libc.h"
#include "runtime/libc/wrappers.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>

static FILE *new_memory_stream(struct evr_file *f, struct evr_memory_stream memory, const struct evr_site *site)
{
	if (!f)
		return NULL;
	f->memory = evr_alloc(sizeof(*f->memory));
	*f->memory = memory;
	return evr_stream_new(f, site);
}

FILE *evr_libc_fmemopen(void *buffer, size_t size, const char *mode)
{
	const struct evr_site *site = evr_call_site;
	struct evr_text m, contents;
	evr_text_copy(&m, mode, site);
	int flags = evr_file_mode(m.data);
	evr_text_release(&m);
	if (flags < 0) {
		errno = EINVAL;
		return NULL;
	}
	evr_text_init(&contents);
	/* A text is read whole; one that is added to, or changed, ends with its terminator. */
	if (buffer && !(flags & O_TRUNC) && (flags & O_ACCMODE) == O_RDONLY)
		evr_text_bytes(&contents, buffer, size, site);
	else if (buffer && !(flags & O_TRUNC))
		evr_text_string(&contents, buffer, size, site);
	struct evr_file *f = evr_file_anonymous(contents.data, contents.len, flags);
	evr_text_release(&contents);
	if (f && flags & O_APPEND)
		f->position = f->inode->len;
	return new_memory_stream(f, (struct evr_memory_stream){ .buffer = buffer, .room = size }, site);
}

FILE *evr_libc_open_memstream(char **where, size_t *length)
{
	const struct evr_site *site = evr_call_site;
	struct evr_file *f = evr_file_anonymous("", 0, O_WRONLY);
	FILE *stream = new_memory_stream(f, (struct evr_memory_stream){ .where = where, .length = length }, site);
	if (stream)
		evr_memory_flush(f, site);
	return stream;
}

/* The program may have moved or freed nothing of it: the buffer is the stream's until it is closed. */
static void flush_growing(struct evr_file *f, const struct evr_site *site)
{
	struct evr_memory_stream *m = f->memory;
	size_t n = f->position < f->inode->len ? f->position : f->inode->len;
	evr_call_site = site;
	m->buffer = evr_libc_realloc(m->buffer, f->inode->len + 1);
	struct evr_text t;
	evr_text_init(&t);
	evr_text_add(&t, f->inode->data, f->inode->len);
	evr_access_write_text(m->buffer, t.data, t.len + 1, site);
	evr_text_release(&t);
	evr_access_write(m->where, &m->buffer, sizeof(m->buffer), site);
	evr_access_write(m->length, &n, sizeof(n), site);
}

void evr_memory_flush(struct evr_file *f, const struct evr_site *site)
{
	struct evr_memory_stream *m = f->memory;
	if (!m || !f->writable)
		return;
	if (m->where) {
		flush_growing(f, site);
		return;
	}
	if (!m->buffer)
		return;
	struct evr_text t;
	size_t n = f->inode->len < m->room ? f->inode->len : m->room;
	evr_text_init(&t);
	evr_text_add(&t, f->inode->data, n);
	evr_access_write_text(m->buffer, t.data, n < m->room ? n + 1 : n, site);
	evr_text_release(&t);
}
