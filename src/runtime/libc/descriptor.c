/*
 * Descriptors and the names of files: what <unistd.h> and <fcntl.h> offer.
 *
 * Invariant: between evr_file_use() and the last change of the file there is no access to program memory, at which the thread
 * could be switched: what is written is copied out before, what was read is copied in after.
 */
#include "runtime/libc/libc.h"
#include "runtime/libc/wrappers.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/uio.h>
#include <unistd.h>

static int open_path(const char *path, int flags, const struct evr_site *site)
{
	struct evr_text t;
	evr_text_copy(&t, path, site);
	struct evr_file *f = evr_file_open(t.data, flags, site);
	evr_text_release(&t);
	return f ? f->fd : -1;
}

int evr_libc_open(const char *path, int flags, ...)
{
	return open_path(path, flags, evr_call_site);
}

int evr_libc_open64(const char *path, int flags, ...)
{
	return open_path(path, flags, evr_call_site);
}

int evr_libc_creat(const char *path, mode_t mode)
{
	(void)mode;
	return open_path(path, O_WRONLY | O_CREAT | O_TRUNC, evr_call_site);
}

int evr_libc_creat64(const char *path, mode_t mode)
{
	return evr_libc_creat(path, mode);
}

int evr_libc_close(int fd)
{
	const struct evr_site *site = evr_call_site;
	struct evr_file *f = evr_file_of_descriptor(fd);
	if (!f)
		return -1;
	if (f->inode->kind == EVR_FILE_CHANNEL) {
		evr_channel_close_file(f, site);
		return 0;
	}
	evr_file_use(f, site);
	evr_file_close(f);
	return 0;
}

static int no_position(void)
{
	errno = ESPIPE;
	return -1;
}

/* At `offset`, after which the file's own position is put back before anyone can come between; NULL: at that position. */
static ssize_t read_at(int fd, void *to, size_t n, const off_t *offset, const struct evr_site *site)
{
	struct evr_file *f = evr_file_of_descriptor(fd);
	struct evr_text t;
	if (!f)
		return -1;
	if (f->inode->kind == EVR_FILE_CHANNEL)
		return offset ? no_position() : evr_channel_read_to(f, to, n, true, site);
	evr_file_use(f, site);
	size_t position = f->position;
	if (offset && evr_file_seek(f, *offset, SEEK_SET))
		return -1;
	evr_text_init(&t);
	f->error = false;
	ssize_t got = (ssize_t)evr_file_take(f, &t, n);
	if (offset)
		f->position = position;
	if (f->error)
		got = -1;
	else
		evr_access_write_text(to, t.data, (size_t)got, site);
	evr_text_release(&t);
	return got;
}

static ssize_t write_at(int fd, const void *from, size_t n, const off_t *offset, const struct evr_site *site)
{
	struct evr_file *f = evr_file_of_descriptor(fd);
	struct evr_text t;
	if (!f)
		return -1;
	if (f->inode->kind == EVR_FILE_CHANNEL)
		return offset ? no_position() : evr_channel_write_from(f, from, n, true, true, site);
	evr_text_init(&t);
	evr_text_bytes(&t, from, n, site);
	evr_file_use(f, site);
	size_t position = f->position;
	ssize_t done = -1;
	if ((!offset || !evr_file_seek(f, *offset, SEEK_SET)) && evr_file_write(f, t.data, n))
		done = (ssize_t)n;
	if (offset)
		f->position = position;
	evr_text_release(&t);
	return done;
}

ssize_t evr_libc_read(int fd, void *to, size_t n)
{
	return read_at(fd, to, n, NULL, evr_call_site);
}

ssize_t evr_libc___read_chk(int fd, void *to, size_t n, size_t room)
{
	(void)room;
	return evr_libc_read(fd, to, n);
}

ssize_t evr_libc_write(int fd, const void *from, size_t n)
{
	return write_at(fd, from, n, NULL, evr_call_site);
}

ssize_t evr_libc_pread(int fd, void *to, size_t n, off_t offset)
{
	return read_at(fd, to, n, &offset, evr_call_site);
}

ssize_t evr_libc_pread64(int fd, void *to, size_t n, off64_t offset)
{
	return evr_libc_pread(fd, to, n, offset);
}

ssize_t evr_libc_pwrite(int fd, const void *from, size_t n, off_t offset)
{
	return write_at(fd, from, n, &offset, evr_call_site);
}

ssize_t evr_libc_pwrite64(int fd, const void *from, size_t n, off64_t offset)
{
	return evr_libc_pwrite(fd, from, n, offset);
}

/* Piece by piece: what another thread writes may come between two of them, which a program cannot rule out either. */
static ssize_t vector(int fd, const struct iovec *list, int n, bool writes, const struct evr_site *site)
{
	ssize_t sum = 0;
	for (int i = 0; i < n; i++) {
		struct iovec piece;
		evr_access_look(&piece, &list[i], sizeof(piece), site);
		evr_call_site = site;
		ssize_t done = writes ? evr_libc_write(fd, piece.iov_base, piece.iov_len)
				      : evr_libc_read(fd, piece.iov_base, piece.iov_len);
		if (done < 0)
			return sum ? sum : -1;
		sum += done;
		if ((size_t)done < piece.iov_len)
			break;
	}
	return sum;
}

ssize_t evr_libc_readv(int fd, const struct iovec *list, int n)
{
	return vector(fd, list, n, false, evr_call_site);
}

ssize_t evr_libc_writev(int fd, const struct iovec *list, int n)
{
	return vector(fd, list, n, true, evr_call_site);
}

off_t evr_libc_lseek(int fd, off_t offset, int whence)
{
	const struct evr_site *site = evr_call_site;
	struct evr_file *f = evr_file_of_descriptor(fd);
	if (!f)
		return -1;
	if (f->inode->kind == EVR_FILE_CHANNEL)
		return no_position();
	evr_file_use(f, site);
	return evr_file_seek(f, offset, whence) ? -1 : (off_t)f->position;
}

off64_t evr_libc_lseek64(int fd, off64_t offset, int whence)
{
	return evr_libc_lseek(fd, offset, whence);
}

int evr_libc_isatty(int fd)
{
	if (evr_file_of_descriptor(fd))
		errno = ENOTTY;
	return 0;
}

int evr_libc_mkstemp(char *path)
{
	const struct evr_site *site = evr_call_site;
	struct evr_text t;
	evr_text_copy(&t, path, site);
	struct evr_file *f = evr_file_temporary(t.data, site);
	int fd = f ? f->fd : -1;
	if (f)
		evr_access_write_text(path, t.data, t.len + 1, site);
	evr_text_release(&t);
	return fd;
}

int evr_libc_mkstemp64(char *path)
{
	return evr_libc_mkstemp(path);
}

int evr_libc_mkostemp(char *path, int flags)
{
	(void)flags;
	return evr_libc_mkstemp(path);
}

int evr_libc_remove(const char *path)
{
	const struct evr_site *site = evr_call_site;
	struct evr_text t;
	evr_text_copy(&t, path, site);
	int result = evr_path_rename(t.data, NULL, site);
	evr_text_release(&t);
	return result;
}

int evr_libc_unlink(const char *path)
{
	return evr_libc_remove(path);
}

int evr_libc_rename(const char *from, const char *to)
{
	const struct evr_site *site = evr_call_site;
	struct evr_text a, b;
	evr_text_copy(&a, from, site);
	evr_text_copy(&b, to, site);
	int result = evr_path_rename(a.data, b.data, site);
	evr_text_release(&a);
	evr_text_release(&b);
	return result;
}
