/*
 * The checker tells return addresses, relative to itself, as {eADDRESS}. What lines they belong to only its debugging
 * information knows, which binutils can read: the linker, which every check needs, is part of the same package.
 */
#include "driver/lines.h"

#include "base/strbuf.h"
#include "driver/process.h"

#include <limits.h>
#include <unistd.h>

static const char *next_address(const char *text)
{
	const char *p = text ? strstr(text, "{e") : NULL;
	return p && p[2 + strspn(p + 2, "0123456789abcdef")] == '}' ? p : NULL;
}

static void add_addresses(evr_words *out, const char *detail)
{
	for (const char *p = next_address(detail); p; p = next_address(p + 2)) {
		char *word = evr_format("0x%.*s", (int)strspn(p + 2, "0123456789abcdef"), p + 2);
		evr_words_add(out, word);
		free(word);
	}
}

/* The answers, a line for each, or NULL. */
static char *ask(const char *checker, const evr_words *addresses)
{
	evr_words argv = { 0 };
	evr_words_add(&argv, "addr2line");
	evr_words_add(&argv, "-e");
	evr_words_add(&argv, checker);
	for (size_t i = 0; i < addresses->len; i++)
		evr_words_add(&argv, addresses->data[i]);
	char *text = evr_process_answer(&argv);
	evr_words_release(&argv);
	return text;
}

/* "FILE:LINE" as findings name files, or NULL; *answer goes on to the next. */
static char *take_line(const char **answer)
{
	size_t n = strcspn(*answer, "\n"), used = strcspn(*answer, " \n");
	char *line = evr_strndup(*answer, used < n ? used : n), here[PATH_MAX];
	*answer += n + ((*answer)[n] == '\n');
	size_t prefix = getcwd(here, sizeof(here)) ? strlen(here) : 0;
	if (prefix && !strncmp(line, here, prefix) && line[prefix] == '/')
		memmove(line, line + prefix + 1, strlen(line + prefix + 1) + 1);
	if (*line && *line != '?')
		return line;
	free(line);
	return NULL;
}

static void put_lines(char **detail, const char **answer)
{
	struct evr_strbuf out;
	evr_strbuf_init(&out);
	const char *rest = *detail;
	for (const char *p = next_address(rest); p; p = next_address(rest)) {
		char *line = *answer ? take_line(answer) : NULL;
		size_t before = (size_t)(p - rest);
		/* "f at {e12}" becomes "f" */
		if (!line && before >= 4 && !strncmp(p - 4, " at ", 4))
			before -= 4;
		evr_strbuf_add(&out, rest, before);
		evr_strbuf_puts(&out, line ? line : "");
		rest = strchr(p, '}') + 1;
		free(line);
	}
	evr_strbuf_puts(&out, rest);
	free(*detail);
	*detail = evr_strbuf_take(&out);
}

void evr_lines_resolve(struct evr_result *r, const char *checker)
{
	evr_words addresses = { 0 };
	for (size_t i = 0; i < r->findings.len; i++)
		add_addresses(&addresses, r->findings.data[i].detail);
	if (!addresses.len)
		return;
	char *answers = ask(checker, &addresses);
	const char *answer = answers;
	for (size_t i = 0; i < r->findings.len; i++)
		put_lines(&r->findings.data[i].detail, &answer);
	evr_words_release(&addresses);
	free(answers);
}
