/*
 * clang as a child process: where it is, and what it cannot say itself when it fails.
 */
#include "driver/clang.h"

#include "driver/process.h"
#include "driver/temp.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#ifndef EVR_CLANG
#define EVR_CLANG "clang-19"
#endif

void evr_clang_words(bool cxx, evr_words *argv)
{
	const char *clang = getenv("EVERETT_CLANG");
	evr_words_add(argv, clang && *clang ? clang : EVR_CLANG);
	if (cxx)
		evr_words_add(argv, "--driver-mode=g++");
}

#define ROOM (16 << 20) /* a checker takes less */

/* clang and the linker do not say it clearly. */
static void explain_lack_of_room(void)
{
	if (!evr_temp_directory())
		return;
	char *path = evr_temp_file("room");
	int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600), failure = fd < 0 ? errno : 0;
	if (!failure)
		failure = posix_fallocate(fd, 0, ROOM);
	if (fd >= 0)
		close(fd);
	unlink(path);
	free(path);
	if (failure == ENOSPC || failure == EDQUOT || failure == EFBIG)
		evr_warn("no room for temporary files in '%s': %s (TMPDIR names another folder)", evr_temp_directory(),
			 strerror(failure));
}

/* What the compiler leaves behind when it crashes goes where ours is removed. Returns what is to be put back. */
static char *redirect_temporary_files(void)
{
	const char *parent = getenv("TMPDIR");
	char *old = parent ? evr_strdup(parent) : NULL;
	if (evr_temp_directory() && setenv("TMPDIR", evr_temp_directory(), 1))
		evr_die("out of memory");
	return old;
}

static void put_back_temporary_files(char *old)
{
	if (old ? setenv("TMPDIR", old, 1) : unsetenv("TMPDIR"))
		evr_die("out of memory");
	free(old);
}

int evr_clang_run(evr_words *argv, const char *errors, double *seconds)
{
	double start = evr_now();
	char *old = redirect_temporary_files();
	int status = evr_process_run(argv, errors);
	put_back_temporary_files(old);
	*seconds += evr_now() - start;
	evr_words_release(argv);
	if (status)
		explain_lack_of_room();
	return status;
}

struct evr_process evr_clang_start(const evr_words *argv, int from)
{
	char *old = redirect_temporary_files();
	struct evr_process started = evr_process_start(argv, from);
	put_back_temporary_files(old);
	return started;
}
