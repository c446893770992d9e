#include "fuzz.h"

jmp_buf fuzz_refused;

static void refused(const char *message)
{
	EVR_ASSERT(*message);
	longjmp(fuzz_refused, 1);
}

bool fuzz_try(void (*function)(char *text), const uint8_t *data, size_t size)
{
	char *text = evr_strndup((const char *)data, size);
	evr_die_hook = refused;
	bool accepted = !setjmp(fuzz_refused);
	if (accepted)
		function(text);
	free(text);
	return accepted;
}

void fuzz_lines(char *text, evr_words *out)
{
	for (char *s = text, *end; s; s = end) {
		end = strchr(s, '\n');
		if (end)
			*end++ = '\0';
		evr_words_add(out, s);
	}
}
