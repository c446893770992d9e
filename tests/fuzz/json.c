/* A saved report, as `everett report` and `everett replay` read it; what was read must survive being written again. */
#define EVR_ALLOW_BANNED
#include "fuzz.h"

#include "report/format.h"
#include "shown.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

static int read_bytes(const void *data, size_t size, struct evr_report *r)
{
	char path[64], *error = NULL;
	int fd = memfd_create("fuzz", 0);
	EVR_ASSERT(fd >= 0 && write(fd, data, size) == (ssize_t)size);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	int failed = evr_json_read(path, r, &error);
	EVR_ASSERT(!failed == !error);
	free(error);
	close(fd);
	return failed;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static FILE *nowhere;
	struct evr_report r, again;
	if (!nowhere)
		nowhere = fopen("/dev/null", "w");
	if (!read_bytes(data, size, &r)) {
		char *text = NULL;
		size_t length = 0;
		FILE *out = open_memstream(&text, &length);
		EVR_ASSERT(!evr_json_write(out, &r, NULL));
		fclose(out);
		EVR_ASSERT(!read_bytes(text, length, &again));
		EVR_ASSERT(again.results.len == r.results.len);
		for (size_t i = 0; i < r.results.len; i++)
			show(nowhere, r.results.data[i]);
		for (size_t i = 0; i < EVR_FORMATS; i++)
			EVR_ASSERT(!evr_formats[i].write(nowhere, &r, i % 2 ? "saved.json" : NULL));
		evr_report_release(&again);
		free(text);
	}
	evr_report_release(&r);
	return 0;
}
