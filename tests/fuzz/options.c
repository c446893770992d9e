/*
 * The words behind a command, one a line; the first line names the command. The options of an execution must survive being
 * turned into words again, since that is what a report keeps of them. EVERETT_OPTIONS comes the same way, as `run`.
 */
#include "fuzz.h"

#include "driver/options.h"

static const enum evr_command commands[] = {
	EVR_CHECK, EVR_RUN, EVR_REPLAY, EVR_REPORT, EVR_ROBUST, EVR_PREDICT,
};

static enum evr_command command_of(const char *name)
{
	for (size_t i = 0; i < EVR_COUNT(commands); i++)
		if (!strcmp(evr_command_name(commands[i]), name))
			return commands[i];
	return EVR_CHECK;
}

static void same(const evr_words *a, const evr_words *b)
{
	EVR_ASSERT(a->len == b->len);
	for (size_t i = 0; i < a->len; i++)
		EVR_ASSERT(!strcmp(a->data[i], b->data[i]));
}

static void parse(char *text)
{
	struct evr_options o, again;
	evr_words words = { 0 }, kept = { 0 }, kept_again = { 0 };
	fuzz_lines(text, &words);
	enum evr_command command = command_of(words.data[0]);
	evr_options_init(&o, command);
	evr_options_parse(&o, words.data + 1, words.len - 1);
	evr_options_words(&o, false, &kept);
	evr_options_init(&again, command);
	evr_options_parse(&again, kept.data, kept.len);
	evr_options_words(&again, false, &kept_again);
	same(&kept, &kept_again);
	evr_options_release(&o);
	evr_options_release(&again);
	evr_words_release(&words);
	evr_words_release(&kept);
	evr_words_release(&kept_again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	fuzz_try(parse, data, size);
	return 0;
}
