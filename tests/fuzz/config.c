/* EVERETT_CHECKER: what the checker is told. */
#include "fuzz.h"

#include "runtime/config.h"

static void parse(char *text)
{
	struct evr_config c;
	evr_config_parse(&c, text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	fuzz_try(parse, data, size);
	return 0;
}
