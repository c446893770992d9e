/*
 * LD_PRELOAD: in the driver, and not in the programs that it starts, the Nth call of a kind fails. tests/cli/faults.sh.
 *
 *   FAIL_CALL  memory, open, write, rename, process
 *   FAIL_AT    N, from 1
 *   FAIL_LOG   a file that is created when a call has failed
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static long left = -1; /* calls until the one that fails; -1: not known yet, 0: none fails any more */
static const char *kind;

static void begin(void)
{
	char self[4096];
	ssize_t n = readlink("/proc/self/exe", self, sizeof(self) - 1);
	self[n > 0 ? n : 0] = '\0';
	const char *name = strrchr(self, '/'), *at = getenv("FAIL_AT");
	kind = getenv("FAIL_CALL");
	left = kind && at && name && !strcmp(name, "/everett") ? strtol(at, NULL, 10) : 0;
}

static bool fails(const char *call, int error)
{
	if (left < 0)
		begin();
	if (left == 0 || strcmp(call, kind) != 0 || --left > 0)
		return false;
	long fd = syscall(SYS_openat, AT_FDCWD, getenv("FAIL_LOG"), O_WRONLY | O_CREAT, 0666);
	if (fd >= 0)
		syscall(SYS_close, fd);
	errno = error;
	return true;
}

#define REAL(name) \
	static __typeof__(name) *real; \
	if (!real) \
		real = (__typeof__(name) *)(size_t)dlsym(RTLD_NEXT, #name)

/* dlsym() may need memory itself: glibc's own entries do without it. */
void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);

void *malloc(size_t n)
{
	return fails("memory", ENOMEM) ? NULL : __libc_malloc(n);
}

void *calloc(size_t n, size_t m)
{
	return fails("memory", ENOMEM) ? NULL : __libc_calloc(n, m);
}

void *realloc(void *p, size_t n)
{
	return fails("memory", ENOMEM) ? NULL : __libc_realloc(p, n);
}

static mode_t mode_of(int flags, va_list args)
{
	return flags & (O_CREAT | O_TMPFILE) ? va_arg(args, mode_t) : 0;
}

#define OPEN(name) \
	int name(const char *path, int flags, ...) \
	{ \
		REAL(name); \
		va_list args; \
		va_start(args, flags); \
		mode_t mode = mode_of(flags, args); \
		va_end(args); \
		return fails("open", EMFILE) ? -1 : real(path, flags, mode); \
	}
OPEN(open)
OPEN(open64)

#define OPENAT(name) \
	int name(int at, const char *path, int flags, ...) \
	{ \
		REAL(name); \
		va_list args; \
		va_start(args, flags); \
		mode_t mode = mode_of(flags, args); \
		va_end(args); \
		return fails("open", EMFILE) ? -1 : real(at, path, flags, mode); \
	}
OPENAT(openat)
OPENAT(openat64)

FILE *fopen(const char *path, const char *mode)
{
	REAL(fopen);
	return fails("open", EMFILE) ? NULL : real(path, mode);
}

FILE *fopen64(const char *path, const char *mode)
{
	REAL(fopen64);
	return fails("open", EMFILE) ? NULL : real(path, mode);
}

FILE *fdopen(int fd, const char *mode)
{
	REAL(fdopen);
	return fails("open", ENOMEM) ? NULL : real(fd, mode);
}

DIR *opendir(const char *path)
{
	REAL(opendir);
	return fails("open", EMFILE) ? NULL : real(path);
}

char *mkdtemp(char *path)
{
	REAL(mkdtemp);
	return fails("open", ENOSPC) ? NULL : real(path);
}

ssize_t write(int fd, const void *bytes, size_t n)
{
	REAL(write);
	return fails("write", ENOSPC) ? -1 : real(fd, bytes, n);
}

size_t fwrite(const void *bytes, size_t size, size_t n, FILE *file)
{
	REAL(fwrite);
	if (!fails("write", ENOSPC))
		return real(bytes, size, n, file);
	file->_flags |= 0x20; /* ferror() */
	return 0;
}

int fputs(const char *text, FILE *file)
{
	REAL(fputs);
	if (!fails("write", ENOSPC))
		return real(text, file);
	file->_flags |= 0x20;
	return EOF;
}

int fflush(FILE *file)
{
	REAL(fflush);
	if (!file || !fails("write", ENOSPC))
		return real(file);
	file->_flags |= 0x20;
	return EOF;
}

int fclose(FILE *file)
{
	REAL(fclose);
	bool failed = fails("write", ENOSPC);
	int status = real(file);
	if (failed)
		errno = ENOSPC;
	return failed ? EOF : status;
}

int ftruncate(int fd, off_t size)
{
	REAL(ftruncate);
	return fails("write", ENOSPC) ? -1 : real(fd, size);
}

int rename(const char *from, const char *to)
{
	REAL(rename);
	return fails("rename", ENOSPC) ? -1 : real(from, to);
}

pid_t fork(void)
{
	REAL(fork);
	return fails("process", EAGAIN) ? -1 : real();
}

int posix_spawn(pid_t *pid, const char *path, const posix_spawn_file_actions_t *actions, const posix_spawnattr_t *attributes,
		char *const argv[], char *const environment[])
{
	REAL(posix_spawn);
	return fails("process", EAGAIN) ? EAGAIN : real(pid, path, actions, attributes, argv, environment);
}

int posix_spawnp(pid_t *pid, const char *path, const posix_spawn_file_actions_t *actions, const posix_spawnattr_t *attributes,
		 char *const argv[], char *const environment[])
{
	REAL(posix_spawnp);
	return fails("process", EAGAIN) ? EAGAIN : real(pid, path, actions, attributes, argv, environment);
}

int pipe(int ends[2])
{
	REAL(pipe);
	return fails("process", EMFILE) ? (errno = EMFILE, -1) : real(ends);
}

int pipe2(int ends[2], int flags)
{
	REAL(pipe2);
	return fails("process", EMFILE) ? (errno = EMFILE, -1) : real(ends, flags);
}
