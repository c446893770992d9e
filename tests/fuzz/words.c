/* A compiler's command line, one word a line, as `everett cc` reads it. */
#include "fuzz.h"

#include "driver/cc.h"
#include "driver/compile.h"
#include "driver/process.h"

/* Not linked: clang and LLVM, and the files of the machine that a word "@file" could name. */
int evr_compile(const struct evr_cc *cc, struct evr_times *times)
{
	(void)cc, (void)times;
	return 0;
}

char *evr_read_file(const char *path)
{
	return strcmp(path, "again") ? NULL : evr_strdup("-c @again 'a b' \"c\\\"d\" @again \\");
}

static void parse(char *text)
{
	struct evr_cc cc;
	evr_words words = { 0 };
	fuzz_lines(text, &words);
	evr_cc_init(&cc, words.len % 2, words.data, words.len);
	for (size_t i = 0; i < cc.words.len; i++)
		if (cc.words.data[i].input)
			free(evr_cc_output_name(cc.words.data[i].text, ".o"));
	evr_cc_release(&cc);
	evr_words_release(&words);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	fuzz_try(parse, data, size);
	return 0;
}
