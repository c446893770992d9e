/*
 * Verdicts for rc11, by its definition and not by Everett: litmus-define [--c11-sequences] <IN >OUT
 *
 * Copies litmus tests (tests/README.md) from standard input. In the models of each test, `rc11` is added where the definition
 * (tools/define_c11.h) allows the condition, and removed where it does not.
 */
#include "litmus_c11.h"

#include <stdio.h>
#include <string.h>

/* The models without rc11; "" if there are none, which a file writes as "-". */
static void copy_others(char *to, size_t size, const char *models)
{
	char *copy = evr_strdup(models), *rest = copy;
	*to = '\0';
	for (char *word; (word = strsep(&rest, " \t\n"));) {
		size_t n = strlen(to);
		if (*word && strcmp(word, "-") != 0 && strcmp(word, "rc11") != 0)
			snprintf(to + n, size - n, " %s", word);
	}
	free(copy);
}

static void define_line(const char *line, const struct c11_options *options)
{
	struct c11_litmus l;
	char others[64];
	if (!c11_litmus_parse(&l, line)) {
		fputs(line, stdout);
		return;
	}
	/* The last field has no colon in it. */
	const char *models = strrchr(line, ':') + 1;
	bool allowed = c11_litmus_allowed(&l, *options);
	copy_others(others, sizeof(others), models);
	printf("%.*s%s%s%s\n", (int)(models - line), line, others, allowed ? " rc11" : "",
	       allowed || *others ? "" : " -");
	c11_litmus_release(&l);
}

int main(int argc, char **argv)
{
	struct c11_options options = { .c11_sequences = argc > 1 && !strcmp(argv[1], "--c11-sequences") };
	char line[1024];
	if (argc > 1 + options.c11_sequences)
		evr_die("usage: litmus-define [--c11-sequences] <IN >OUT");
	while (fgets(line, sizeof(line), stdin))
		define_line(line, &options);
	return fflush(stdout) ? 2 : 0;
}
