/*
 * What is known of a file besides its contents: stat() and its relatives, access(), lengths, the current folder.
 *
 * Invariant: the status of a real file is the one that was found when it was first looked at, in every execution; that of a
 * file which the program has made follows from its number and its length.
 */
#include "runtime/libc/libc.h"
#include "runtime/libc/wrappers.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

EVR_REAL(getcwd);

static void write_status(const struct evr_inode *i, struct stat *to, const struct evr_site *site)
{
	struct stat st = { .st_mode = S_IFREG | 0644, .st_nlink = 1, .st_blksize = 4096 };
	if (i->status)
		st = *i->status;
	else if (i->kind == EVR_FILE_INPUT || i->kind == EVR_FILE_OUTPUT)
		st.st_mode = S_IFIFO | 0600;
	if (i->kind == EVR_FILE_MEMORY) {
		st.st_ino = 1 + i->number;
		st.st_size = (off_t)i->len;
		st.st_blocks = (st.st_size + 511) / 512;
	}
	evr_access_write(to, &st, sizeof(st), site);
}

static int of_path(const char *path, struct stat *to, const struct evr_site *site)
{
	struct evr_text t;
	evr_text_copy(&t, path, site);
	const struct evr_inode *i = evr_inode_find(t.data, site);
	evr_text_release(&t);
	if (i)
		write_status(i, to, site);
	return i ? 0 : -1;
}

static int of_descriptor(int fd, struct stat *to, const struct evr_site *site)
{
	struct evr_file *f = evr_file_of_descriptor(fd);
	if (!f)
		return -1;
	evr_file_use(f, site);
	write_status(f->inode, to, site);
	return 0;
}

int evr_libc_stat(const char *path, struct stat *to)
{
	return of_path(path, to, evr_call_site);
}

/* There are no symbolic links but those of the real file system, which are followed. */
int evr_libc_lstat(const char *path, struct stat *to)
{
	return of_path(path, to, evr_call_site);
}

int evr_libc_fstat(int fd, struct stat *to)
{
	return of_descriptor(fd, to, evr_call_site);
}

_Static_assert(sizeof(struct stat) == sizeof(struct stat64), "there is only one kind of struct stat");

int evr_libc_stat64(const char *path, struct stat64 *to)
{
	return of_path(path, (struct stat *)to, evr_call_site);
}

int evr_libc_lstat64(const char *path, struct stat64 *to)
{
	return of_path(path, (struct stat *)to, evr_call_site);
}

int evr_libc_fstat64(int fd, struct stat64 *to)
{
	return of_descriptor(fd, (struct stat *)to, evr_call_site);
}

int evr_libc_access(const char *path, int mode)
{
	const struct evr_site *site = evr_call_site;
	struct evr_text t;
	evr_text_copy(&t, path, site);
	const struct evr_inode *i = evr_inode_find(t.data, site);
	int result = i ? 0 : -1;
	if (i && i->status) {
		result = access(t.data, mode);
	} else if (i && mode & X_OK) {
		errno = EACCES;
		result = -1;
	}
	evr_text_release(&t);
	return result;
}

int evr_libc_ftruncate(int fd, off_t length)
{
	const struct evr_site *site = evr_call_site;
	struct evr_file *f = evr_file_of_descriptor(fd);
	if (!f)
		return -1;
	evr_file_use(f, site);
	if (length < 0 || !f->writable || f->inode->kind != EVR_FILE_MEMORY) {
		errno = EINVAL;
		return -1;
	}
	evr_inode_truncate(f->inode, (size_t)length);
	return 0;
}

int evr_libc_ftruncate64(int fd, off64_t length)
{
	return evr_libc_ftruncate(fd, length);
}

/* Everything is where it belongs at once. */

int evr_libc_fsync(int fd)
{
	return evr_file_of_descriptor(fd) ? 0 : -1;
}

int evr_libc_fdatasync(int fd)
{
	return evr_file_of_descriptor(fd) ? 0 : -1;
}

/* Only of pipes and the like, and only O_NONBLOCK. */
static int set_flags(struct evr_file *f, int flags, const struct evr_site *site)
{
	if (f->inode->kind != EVR_FILE_CHANNEL)
		evr_unsupported(site, "fcntl(F_SETFL) of a file is not supported");
	evr_channel_use(f, true, site);
	f->nonblocking = flags & O_NONBLOCK;
	return 0;
}

static int control(int fd, int command, int argument, const struct evr_site *site)
{
	struct evr_file *f = evr_file_of_descriptor(fd);
	if (!f)
		return -1;
	switch (command) {
	case F_GETFD:
	case F_SETFD:
		return 0;
	case F_SETFL:
		return set_flags(f, argument, site);
	case F_GETFL:
		if (f->inode->kind == EVR_FILE_CHANNEL)
			evr_channel_use(f, false, site);
		return (f->readable && f->writable ? O_RDWR
			: f->writable              ? O_WRONLY
						   : O_RDONLY) |
		       (f->append ? O_APPEND : 0) | (f->nonblocking ? O_NONBLOCK : 0);
	default:
		evr_unsupported(site, "fcntl(%d) is not supported", command);
	}
}

int evr_libc_fcntl(int fd, int command, ...)
{
	va_list args;
	va_start(args, command);
	int argument = va_arg(args, int);
	va_end(args);
	return control(fd, command, argument, evr_call_site);
}

int evr_libc_fcntl64(int fd, int command, ...)
{
	va_list args;
	va_start(args, command);
	int argument = va_arg(args, int);
	va_end(args);
	return control(fd, command, argument, evr_call_site);
}

char *evr_libc_getcwd(char *to, size_t size)
{
	const struct evr_site *site = evr_call_site;
	char path[4096];
	if (!getcwd(path, sizeof(path)))
		return NULL;
	size_t n = strlen(path) + 1;
	if (to && n > size) {
		errno = size ? ERANGE : EINVAL;
		return NULL;
	}
	if (!to)
		to = evr_library_malloc(size > n ? size : n, site);
	if (to)
		evr_access_write_text(to, path, n, site);
	return to;
}
