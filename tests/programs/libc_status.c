// What is known of files, and reading and writing at a place.
// executions: sc/rf:1 tso/traces:1 ra/rf:1
// finding: none
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

static void status(void)
{
	struct stat st;
	struct stat64 st64;
	assert(stat("libc_status.tmp", &st) == -1 && errno == ENOENT && access("libc_status.tmp", F_OK) == -1);
	int fd = creat("libc_status.tmp", 0644);
	assert(fd >= 0 && write(fd, "0123456789", 10) == 10 && fstat(fd, &st) == 0 && st.st_size == 10 &&
	       S_ISREG(st.st_mode));
	assert(fstat64(fd, &st64) == 0 && st64.st_size == 10 && fsync(fd) == 0 && fdatasync(fd) == 0);
	assert(ftruncate(fd, 4) == 0 && ftruncate64(fd, 6) == 0 && fstat(fd, &st) == 0 && st.st_size == 6);
	assert((fcntl(fd, F_GETFL) & O_ACCMODE) == O_WRONLY && fcntl(fd, F_SETFD, FD_CLOEXEC) == 0 &&
	       fcntl64(99, F_GETFD) == -1);
	assert(close(fd) == 0 && fstat(fd, &st) == -1 && errno == EBADF && fsync(fd) == -1);
	assert(stat("libc_status.tmp", &st) == 0 && st.st_size == 6 && lstat("libc_status.tmp", &st) == 0);
	assert(stat64("libc_status.tmp", &st64) == 0 && lstat64("libc_status.tmp", &st64) == 0 && st64.st_size == 6);
	assert(access("libc_status.tmp", R_OK | W_OK) == 0 && access("libc_status.tmp", X_OK) == -1);
	assert(stat(".", &st) == 0 && S_ISDIR(st.st_mode) && stat("/dev/null", &st) == 0 && S_ISCHR(st.st_mode));
	assert(stat("libc_status.c", &st) == 0 && st.st_size > 1000 && access("libc_status.c", R_OK) == 0);
	fd = creat64("libc_status.tmp", 0600);
	assert(fd >= 0 && fstat(fd, &st) == 0 && st.st_size == 0 && close(fd) == 0 && unlink("libc_status.tmp") == 0);
	assert(open64("libc_status.tmp", O_RDONLY) == -1);
}

static void places(void)
{
	char text[16] = "", path[] = "/tmp/testXXXXXX", other[] = "/tmp/testXXXXXX", more[4];
	int fd = mkostemp(path, O_APPEND & 0), fd64 = mkstemp64(other);
	assert(fd >= 0 && fd64 >= 0 && close(fd64) == 0);
	struct iovec from[] = { { (char *)"abc", 3 }, { (char *)"", 0 }, { (char *)"defg", 4 } };
	struct iovec to[] = { { text, 2 }, { more, 3 } };
	assert(writev(fd, from, 3) == 7 && lseek64(fd, 0, SEEK_SET) == 0 && readv(fd, to, 2) == 5);
	assert(!memcmp(text, "ab", 2) && !memcmp(more, "cde", 3) && lseek(fd, 0, SEEK_CUR) == 5);
	assert(pread(fd, text, 3, 1) == 3 && !memcmp(text, "bcd", 3) && pwrite(fd, "XY", 2, 0) == 2);
	assert(pread64(fd, text, 16, 0) == 7 && !memcmp(text, "XYcdefg", 7) && pwrite64(fd, "Z", 1, 9) == 1);
	assert(pread(fd, text, 16, 6) == 4 && !memcmp(text, "g\0\0Z", 4) && lseek(fd, 0, SEEK_CUR) == 5);
	assert(close(fd) == 0 && unlink(path) == 0 && unlink(other) == 0);
	char *here = getcwd(NULL, 0), there[4096];
	assert(here && here[0] == '/' && getcwd(there, sizeof(there)) == there && !strcmp(here, there));
	assert(!getcwd(there, 1) && errno == ERANGE);
	free(here);
}

int main(void)
{
	status();
	places();
	return 0;
}
