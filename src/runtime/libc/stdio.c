/* Streams: what the program calls to read and write files. */
#define EVR_ALLOW_BANNED
#include "runtime/libc/libc.h"
#include "runtime/libc/wrappers.h"

#include <errno.h>
#include <string.h>

static struct evr_file *use(FILE *stream, const char *function, const struct evr_site *site)
{
	struct evr_file *f = evr_file_of(stream, function, site);
	evr_file_use(f, site);
	return f;
}

/* Opening and closing. */

/* The stream is a block of the heap, and so belongs to its thread's history, and is known when it is closed. */
static FILE *new_stream(struct evr_file *f, const struct evr_site *site)
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
	return new_stream(f, site);
}

FILE *evr_libc_fopen64(const char *path, const char *mode)
{
	return evr_libc_fopen(path, mode);
}

/* The stream stays, with another file behind it; the old file is given up first. */
FILE *evr_libc_freopen(const char *path, const char *mode, FILE *stream)
{
	const struct evr_site *site = evr_call_site;
	struct evr_file *f = use(stream, "freopen", site);
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

FILE *evr_libc_freopen64(const char *path, const char *mode, FILE *stream)
{
	return evr_libc_freopen(path, mode, stream);
}

FILE *evr_libc_fdopen(int fd, const char *mode)
{
	const struct evr_site *site = evr_call_site;
	struct evr_text m;
	evr_text_copy(&m, mode, site);
	evr_text_release(&m);
	struct evr_file *f = evr_file_of_descriptor(fd);
	return f && f->stream ? f->stream : new_stream(f, site);
}

FILE *evr_libc_tmpfile(void)
{
	const struct evr_site *site = evr_call_site;
	char path[] = "/tmp/everett-XXXXXX";
	return new_stream(evr_file_temporary(path, site), site);
}

FILE *evr_libc_tmpfile64(void)
{
	return evr_libc_tmpfile();
}

int evr_libc_fclose(FILE *stream)
{
	const struct evr_site *site = evr_call_site;
	struct evr_file *f = use(stream, "fclose", site);
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
	return evr_file_getc(use(stream, "fgetc", evr_call_site));
}

int evr_libc_ungetc(int c, FILE *stream)
{
	struct evr_file *f = use(stream, "ungetc", evr_call_site);
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
	struct evr_file *f = use(stream, "fread", site);
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
	struct evr_file *f = use(stream, "fgets", site);
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

char *evr_libc___fgets_unlocked_chk(char *to, size_t room, int size, FILE *stream)
{
	(void)room;
	return evr_libc_fgets(to, size, stream);
}

size_t evr_libc___fread_unlocked_chk(void *to, size_t room, size_t size, size_t n, FILE *stream)
{
	(void)room;
	return evr_libc_fread(to, size, n, stream);
}

char *evr_libc___fgets_chk(char *to, size_t room, int size, FILE *stream)
{
	(void)room;
	return evr_libc_fgets(to, size, stream);
}

size_t evr_libc___fread_chk(void *to, size_t room, size_t size, size_t n, FILE *stream)
{
	(void)room;
	return evr_libc_fread(to, size, n, stream);
}

ssize_t evr_libc_getdelim(char **line, size_t *size, int end, FILE *stream)
{
	const struct evr_site *site = evr_call_site;
	struct evr_file *f = use(stream, "getdelim", site);
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
	return evr_file_write(use(stream, "fputc", evr_call_site), &byte, 1) ? (unsigned char)c : EOF;
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

/* The state of a stream. Nothing is buffered, except that memory gets what is written to it now. */

int evr_libc_fflush(FILE *stream)
{
	const struct evr_site *site = evr_call_site;
	struct evr_file *f = stream ? evr_file_of(stream, "fflush", site) : NULL;
	if (f)
		evr_memory_flush(f, site);
	for (size_t i = 0; !stream && (f = evr_file_number(i)); i++)
		evr_memory_flush(f, site);
	return 0;
}

int evr_libc_feof(FILE *stream)
{
	return evr_file_of(stream, "feof", evr_call_site)->end;
}

int evr_libc_ferror(FILE *stream)
{
	return evr_file_of(stream, "ferror", evr_call_site)->error;
}

void evr_libc_clearerr(FILE *stream)
{
	struct evr_file *f = evr_file_of(stream, "clearerr", evr_call_site);
	f->end = f->error = false;
}

int evr_libc_fseeko(FILE *stream, off_t offset, int whence)
{
	return evr_file_seek(use(stream, "fseek", evr_call_site), offset, whence);
}

int evr_libc_fseeko64(FILE *stream, off64_t offset, int whence)
{
	return evr_libc_fseeko(stream, offset, whence);
}

int evr_libc_fseek(FILE *stream, long offset, int whence)
{
	return evr_libc_fseeko(stream, offset, whence);
}

off_t evr_libc_ftello(FILE *stream)
{
	struct evr_file *f = use(stream, "ftell", evr_call_site);
	if (f->inode->kind == EVR_FILE_INPUT || f->inode->kind == EVR_FILE_OUTPUT) {
		errno = ESPIPE;
		return -1;
	}
	return (off_t)f->position - (off_t)f->pushed_count;
}

off64_t evr_libc_ftello64(FILE *stream)
{
	return evr_libc_ftello(stream);
}

long evr_libc_ftell(FILE *stream)
{
	return evr_libc_ftello(stream);
}

void evr_libc_rewind(FILE *stream)
{
	struct evr_file *f = use(stream, "rewind", evr_call_site);
	evr_file_seek(f, 0, SEEK_SET);
	f->error = false;
}

int evr_libc_fgetpos(FILE *stream, fpos_t *to)
{
	const struct evr_site *site = evr_call_site;
	long long at = evr_libc_ftello(stream);
	if (at < 0)
		return -1;
	evr_access_store((uintptr_t)to, sizeof(at), (uint64_t)at, site);
	return 0;
}

int evr_libc_fsetpos(FILE *stream, const fpos_t *from)
{
	const struct evr_site *site = evr_call_site;
	off_t at = (off_t)evr_access_load((uintptr_t)from, sizeof(at), site);
	return evr_file_seek(use(stream, "fsetpos", site), at, SEEK_SET);
}

int evr_libc_setvbuf(FILE *stream, char *buffer, int mode, size_t size)
{
	(void)buffer, (void)mode, (void)size;
	evr_file_of(stream, "setvbuf", evr_call_site);
	return 0;
}

void evr_libc_setbuf(FILE *stream, char *buffer)
{
	(void)buffer;
	evr_file_of(stream, "setbuf", evr_call_site);
}

void evr_libc_setbuffer(FILE *stream, char *buffer, size_t size)
{
	(void)buffer, (void)size;
	evr_file_of(stream, "setbuffer", evr_call_site);
}

void evr_libc_setlinebuf(FILE *stream)
{
	evr_file_of(stream, "setlinebuf", evr_call_site);
}

/* Every single operation is atomic, but a sequence of them is not made so. */
void evr_libc_flockfile(FILE *stream)
{
	const struct evr_site *site = evr_call_site;
	if (evr_rt.world.threads > 1 && evr_file_of(stream, "flockfile", site)->inode->kind != EVR_FILE_OUTPUT)
		evr_unsupported(site, "flockfile in a program with several threads is not modelled");
}

void evr_libc_funlockfile(FILE *stream)
{
	(void)stream;
}

/* Other names of the same. */

#define SAME_GETC(name) \
	int evr_libc_##name(FILE *stream) \
	{ \
		return evr_libc_fgetc(stream); \
	}
#define SAME_PUTC(name) \
	int evr_libc_##name(int c, FILE *stream) \
	{ \
		return evr_libc_fputc(c, stream); \
	}
#define SAME_GETCHAR(name) \
	int evr_libc_##name(void) \
	{ \
		return evr_libc_fgetc(stdin); \
	}
#define SAME_PUTCHAR(name) \
	int evr_libc_##name(int c) \
	{ \
		return evr_libc_fputc(c, stdout); \
	}

SAME_GETC(getc)
SAME_GETC(getc_unlocked)
SAME_GETC(fgetc_unlocked)
SAME_PUTC(putc)
SAME_PUTC(putc_unlocked)
SAME_PUTC(fputc_unlocked)
SAME_GETCHAR(getchar)
SAME_GETCHAR(getchar_unlocked)
SAME_PUTCHAR(putchar)
SAME_PUTCHAR(putchar_unlocked)

int evr_libc_fileno_unlocked(FILE *stream)
{
	return evr_libc_fileno(stream);
}

size_t evr_libc_fread_unlocked(void *to, size_t size, size_t n, FILE *stream)
{
	return evr_libc_fread(to, size, n, stream);
}

size_t evr_libc_fwrite_unlocked(const void *from, size_t size, size_t n, FILE *stream)
{
	return evr_libc_fwrite(from, size, n, stream);
}

int evr_libc_fputs_unlocked(const char *s, FILE *stream)
{
	return evr_libc_fputs(s, stream);
}

char *evr_libc_fgets_unlocked(char *to, int size, FILE *stream)
{
	return evr_libc_fgets(to, size, stream);
}

int evr_libc_fflush_unlocked(FILE *stream)
{
	return evr_libc_fflush(stream);
}

int evr_libc_feof_unlocked(FILE *stream)
{
	return evr_libc_feof(stream);
}

int evr_libc_ferror_unlocked(FILE *stream)
{
	return evr_libc_ferror(stream);
}

void evr_libc_clearerr_unlocked(FILE *stream)
{
	evr_libc_clearerr(stream);
}
