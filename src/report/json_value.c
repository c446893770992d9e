#include "report/json_value.h"

#include <errno.h>

void evr_json_init(void)
{
	json_set_alloc_funcs(evr_alloc, free);
}

int evr_json_dump(FILE *out, json_t *o, size_t flags)
{
	errno = 0;
	int failed = json_dumpf(o, out, JSON_INDENT(1) | flags);
	if (failed && !errno)
		errno = EIO;
	fputc('\n', out);
	json_decref(o);
	return failed ? -1 : evr_format_finish(out);
}
