/* A compilation database, as `everett check --compile-commands` reads it, asked for this very file. */
#include "fuzz.h"

#include "driver/compile.h"
#include "driver/database.h"
#include "driver/process.h"

#include <sys/mman.h>
#include <unistd.h>

/* Not linked: clang and LLVM, and the files of the machine that a word "@file" could name. */
int evr_compile(const struct evr_cc *cc, struct evr_times *times)
{
	(void)cc, (void)times;
	return 0;
}

char *evr_read_file(const char *path)
{
	return strstr(path, "again") ? evr_strdup("-c @again 'a b' -I") : NULL;
}

static char *path;

static void read_database(char *text)
{
	struct evr_database *d = evr_database_open(path);
	evr_words words = { 0 };
	(void)text;
	evr_database_words(d, "/dev/null", false, &words);
	evr_words_release(&words);
	evr_database_free(d);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static int fd = -1;
	if (fd < 0) {
		fd = memfd_create("database", 0);
		path = evr_format("/proc/self/fd/%d", fd);
	}
	if (ftruncate(fd, 0) || pwrite(fd, data, size, 0) != (ssize_t)size)
		abort();
	fuzz_try(read_database, data, size);
	return 0;
}
