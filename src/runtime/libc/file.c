/*
 * Open files: by stream or by descriptor, at their position in their contents (inode.c). What a file holds can be the
 * business of several threads: whoever uses one that can be written, or its stream's position, changes a variable of the library.
 *
 * Invariant: a file is in `open_files` of the execution while it is open and in `closed_files` from then on, for another thread may
 * still be about to use it.
 */
#include "runtime/libc/libc.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#define OUTPUT_LIMIT (UINT64_C(1) << 20)
#define OUTPUT_CUT "\n[output cut]\n"
/* Descriptors are numbered by each thread for itself. */
#define DESCRIPTORS 1024
#define STANDARD 3

static EVR_LASTING struct evr_inode standard_input = { .kind = EVR_FILE_INPUT };
static EVR_LASTING struct evr_inode standard_output = { .kind = EVR_FILE_OUTPUT };
static EVR_LASTING bool input_ended;

static void free_file(struct evr_file *f)
{
	free(f->memory);
	free(f);
}

void evr_files_release(void)
{
	for (size_t i = 0; i < evr_execution.open_files.len; i++)
		free_file(evr_execution.open_files.data[i]);
	for (size_t i = 0; i < evr_execution.closed_files.len; i++)
		free_file(evr_execution.closed_files.data[i]);
}

/* The standard streams, as soon as somebody looks for a file. */
static struct evr_file *standard(void)
{
	if (!evr_execution.standard_files.len) {
		evr_vec_push(&evr_execution.standard_files,
			     (struct evr_file){ .inode = &standard_input, .stream = stdin, .fd = 0, .readable = true });
		evr_vec_push(
			&evr_execution.standard_files,
			(struct evr_file){ .inode = &standard_output, .stream = stdout, .fd = 1, .writable = true });
		evr_vec_push(
			&evr_execution.standard_files,
			(struct evr_file){ .inode = &standard_output, .stream = stderr, .fd = 2, .writable = true });
	}
	return evr_execution.standard_files.data;
}

/* ---- opening, finding, closing ---- */

static int new_descriptor(void)
{
	int first = evr_current->id ? evr_current->id * DESCRIPTORS : 3;
	for (int fd = first; fd < (evr_current->id + 1) * DESCRIPTORS; fd++) {
		bool used = false;
		for (size_t i = 0; i < evr_execution.open_files.len && !used; i++)
			used = evr_execution.open_files.data[i]->fd == fd;
		if (!used)
			return fd;
	}
	errno = EMFILE;
	return -1;
}

static struct evr_file *new_file(struct evr_inode *inode, int flags)
{
	int fd = new_descriptor();
	if (fd < 0)
		return NULL;
	struct evr_file *f = evr_alloc(sizeof(*f));
	f->inode = inode;
	f->fd = fd;
	f->readable = (flags & O_ACCMODE) != O_WRONLY;
	f->writable = (flags & O_ACCMODE) != O_RDONLY;
	f->append = flags & O_APPEND;
	evr_vec_push(&evr_execution.open_files, f);
	return f;
}

int evr_file_mode(const char *mode)
{
	int flags;
	switch (mode[0]) {
	case 'r':
		flags = O_RDONLY;
		break;
	case 'w':
		flags = O_WRONLY | O_CREAT | O_TRUNC;
		break;
	case 'a':
		flags = O_WRONLY | O_CREAT | O_APPEND;
		break;
	default:
		return -1;
	}
	for (const char *p = mode + 1; *p && *p != ','; p++) {
		if (*p == '+')
			flags = (flags & ~O_ACCMODE) | O_RDWR;
		if (*p == 'x')
			flags |= O_EXCL;
	}
	return flags;
}

struct evr_file *evr_file_open(const char *path, int flags, const struct evr_site *site)
{
	struct evr_inode *i = evr_inode_open(path, flags, site);
	return i ? new_file(i, flags) : NULL;
}

struct evr_file *evr_file_temporary(char *path, const struct evr_site *site)
{
	struct evr_inode *i = evr_inode_temporary(path, site);
	return i ? new_file(i, O_RDWR) : NULL;
}

struct evr_file *evr_file_anonymous(const char *bytes, size_t n, int flags)
{
	struct evr_inode *i = evr_inode_new(EVR_FILE_MEMORY);
	evr_inode_reserve(i, n + 1);
	memcpy(i->data, bytes, n);
	i->len = n;
	struct evr_file *f = new_file(i, flags);
	if (f)
		f->fd = -1;
	return f;
}

struct evr_file *evr_file_channel(int flags)
{
	struct evr_file *f = new_file(evr_inode_new(EVR_FILE_CHANNEL), flags);
	if (f)
		f->nonblocking = flags & O_NONBLOCK;
	return f;
}

struct evr_file *evr_file_number(size_t i)
{
	return i < evr_execution.open_files.len ? evr_execution.open_files.data[i] : NULL;
}

struct evr_file *evr_file_of(FILE *stream, const char *function, const struct evr_site *site)
{
	for (size_t i = 0; i < STANDARD; i++)
		if (standard()[i].stream == stream && stream)
			return &standard()[i];
	for (size_t i = 0; i < evr_execution.open_files.len; i++)
		if (evr_execution.open_files.data[i]->stream == stream && stream)
			return evr_execution.open_files.data[i];
	char *message = NULL;
	const char *kind = evr_access_problem((uintptr_t)stream, sizeof(uint64_t), false, &message);
	if (kind)
		evr_fail(kind, site, "%s: %s", function, message);
	evr_fail("invalid-access", site, "%s of something that is not an open file", function);
}

struct evr_file *evr_file_of_descriptor(int fd)
{
	for (size_t i = 0; i < STANDARD; i++)
		if (standard()[i].fd == fd)
			return &standard()[i];
	for (size_t i = 0; i < evr_execution.open_files.len; i++)
		if (evr_execution.open_files.data[i]->fd == fd)
			return evr_execution.open_files.data[i];
	errno = EBADF;
	return NULL;
}

void evr_file_close(struct evr_file *f)
{
	f->fd = -1;
	f->readable = f->writable = false;
	for (size_t i = 0; i < evr_execution.open_files.len; i++)
		if (evr_execution.open_files.data[i] == f) {
			evr_execution.open_files.data[i] = evr_vec_last(&evr_execution.open_files);
			evr_execution.open_files.len--;
			evr_vec_push(&evr_execution.closed_files, f);
			f->closed = true;
			return;
		}
}

void evr_file_use(struct evr_file *f, const struct evr_site *site)
{
	switch (f->inode->kind) {
	case EVR_FILE_INPUT:
		evr_library_touch(&evr_library.input, true, site);
		break;
	case EVR_FILE_MEMORY:
		evr_library_touch(&evr_library.files[f->inode->number % EVR_COUNT(evr_library.files)], true, site);
		break;
	case EVR_FILE_REAL:
	case EVR_FILE_FOLDER:
		if (f->stream)
			evr_library_touch((uint64_t *)f->stream, true, site);
		break;
	case EVR_FILE_CHANNEL:
		evr_unsupported(
			site,
			"pipes, sockets and eventfds are supported only as descriptors, with read, write, poll and the like");
	case EVR_FILE_OUTPUT:
	case EVR_FILE_NULL:
		break;
	}
	if (f->closed)
		evr_fail("use-after-free", site, "a file is used after another thread has closed it");
}

struct evr_file *evr_stream_use(FILE *stream, const char *function, const struct evr_site *site)
{
	struct evr_file *f = evr_file_of(stream, function, site);
	evr_file_use(f, site);
	return f;
}

/* ---- reading, writing, seeking ---- */

/* The standard input is read as far as the program needs it, and kept: later executions find it there. */
static void read_input(struct evr_inode *i, size_t until)
{
	while (!input_ended && i->len < until) {
		evr_inode_reserve(i, i->len + 4096);
		ssize_t n = read(0, i->data + i->len, 4096);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			input_ended = true;
		else
			i->len += (size_t)n;
	}
}

size_t evr_file_peek(struct evr_file *f, const char **p, size_t n)
{
	struct evr_inode *i = f->inode;
	if (!f->readable || i->kind == EVR_FILE_FOLDER) {
		errno = f->readable ? EISDIR : EBADF;
		f->error = true;
		return 0;
	}
	if (i->kind == EVR_FILE_INPUT)
		read_input(i, n > SIZE_MAX - f->position ? SIZE_MAX : f->position + n);
	size_t left = f->position < i->len ? i->len - f->position : 0;
	*p = left ? i->data + f->position : "";
	return left < n ? left : n;
}

int evr_file_getc(struct evr_file *f)
{
	const char *p;
	if (f->pushed_count)
		return f->pushed[--f->pushed_count];
	if (!evr_file_peek(f, &p, 1)) {
		f->end = !f->error;
		return EOF;
	}
	f->position++;
	return (unsigned char)*p;
}

size_t evr_file_take(struct evr_file *f, struct evr_text *t, size_t n)
{
	const char *p;
	while (f->pushed_count && t->len < n)
		evr_text_fill(t, (char)f->pushed[--f->pushed_count], 1);
	size_t k = t->len < n ? evr_file_peek(f, &p, n - t->len) : 0;
	if (k)
		evr_text_add(t, p, k);
	f->position += k;
	return t->len;
}

static void print(const char *bytes, size_t n)
{
	struct evr_strbuf *out = &evr_execution.output;
	if (out->len >= OUTPUT_LIMIT)
		return;
	size_t room = OUTPUT_LIMIT - out->len;
	evr_strbuf_add(out, bytes, n < room ? n : room);
	if (n >= room)
		evr_strbuf_puts(out, OUTPUT_CUT);
}

bool evr_file_write(struct evr_file *f, const char *bytes, size_t n)
{
	struct evr_inode *i = f->inode;
	if (!f->writable) {
		errno = EBADF;
		f->error = true;
		return false;
	}
	if (i->kind == EVR_FILE_OUTPUT)
		print(bytes, n);
	if (i->kind != EVR_FILE_MEMORY || !n)
		return true;
	if (f->append)
		f->position = i->len;
	evr_inode_reserve(i, f->position + n);
	if (f->position > i->len)
		memset(i->data + i->len, 0, f->position - i->len);
	memcpy(i->data + f->position, bytes, n);
	f->position += n;
	if (f->position > i->len)
		i->len = f->position;
	return true;
}

int evr_file_seek(struct evr_file *f, long long offset, int whence)
{
	struct evr_inode *i = f->inode;
	if (i->kind == EVR_FILE_INPUT || i->kind == EVR_FILE_OUTPUT) {
		errno = ESPIPE;
		return -1;
	}
	long long base = whence == SEEK_SET ? 0 : whence == SEEK_CUR ? (long long)f->position : (long long)i->len;
	if (whence < 0 || whence > SEEK_END || base + offset < 0) {
		errno = EINVAL;
		return -1;
	}
	if (whence == SEEK_CUR)
		base -= f->pushed_count;
	f->position = (size_t)(base + offset);
	f->pushed_count = 0;
	f->end = false;
	return 0;
}
