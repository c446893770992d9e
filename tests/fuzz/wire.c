/* What a checker says to its driver. */
#include "fuzz.h"

#include "shown.h"

static void receive(char *text)
{
	static FILE *nowhere;
	struct evr_result *r = evr_result_new("sc", "rf");
	evr_words lines = { 0 };
	if (!nowhere)
		nowhere = fopen("/dev/null", "w");
	fuzz_lines(text, &lines);
	for (size_t i = 0; i < lines.len; i++)
		if (evr_wire_line(r, lines.data[i]) < 0)
			evr_result_error(r, EVR_INTERNAL, "the checker sent an invalid record");
	show(nowhere, r);
	r->prediction = true;
	show(nowhere, r);
	evr_words_release(&lines);
	evr_result_free(r);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	EVR_ASSERT(fuzz_try(receive, data, size));
	return 0;
}
