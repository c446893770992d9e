#include "driver/ranks.h"

#include "base/strbuf.h"
#include "driver/parts.h"

#include <errno.h>
#include <unistd.h>

int evr_ranks_socket(void)
{
	static int fd = -2;
	if (fd == -2) {
		const char *value = getenv(EVR_RANKS_VARIABLE);
		fd = value ? atoi(value) : -1;
		unsetenv(EVR_RANKS_VARIABLE);
	}
	return fd;
}

static void add_field(struct evr_strbuf *b, const char *text)
{
	evr_strbuf_putc(b, '\t');
	for (; *text; text++) {
		if (*text == '\t' || *text == '\n' || *text == '\\')
			evr_strbuf_putc(b, '\\');
		evr_strbuf_putc(b, *text == '\t' ? 't' : *text == '\n' ? 'n' : *text);
	}
}

static void send_line(struct evr_strbuf *b)
{
	evr_strbuf_putc(b, '\n');
	for (size_t done = 0; done < b->len;) {
		ssize_t n = write(evr_ranks_socket(), b->text + done, b->len - done);
		if (n < 0 && errno != EINTR)
			evr_die("cannot communicate with the other ranks: %s", strerror(errno));
		done += n > 0 ? (size_t)n : 0;
	}
	evr_strbuf_release(b);
}

void evr_ranks_prepare(struct evr_options *o)
{
	if (evr_ranks_socket() < 0)
		return;
	if (o->classes)
		evr_die("option '--classes' works on one machine only: with 'everett', not with 'everett-mpi'");
	if (!o->checkpoint)
		return;
	char *file = evr_parts_prepare(o->checkpoint), *directory = evr_parts_directory(file);
	struct evr_strbuf line;
	evr_strbuf_init(&line);
	evr_strbuf_puts(&line, "directory");
	add_field(&line, directory);
	send_line(&line);
	free(o->checkpoint);
	o->checkpoint = file;
	free(directory);
}

static size_t count(char *const *strings)
{
	size_t n = 0;
	while (strings[n])
		n++;
	return n;
}

void evr_ranks_tell_search(const struct evr_launch *l, bool saves)
{
	struct evr_strbuf line;
	evr_strbuf_init(&line);
	evr_strbuf_printf(&line, "search\t%d", saves);
	add_field(&line, l->checker);
	char *n = evr_format("%zu", count(l->argv));
	add_field(&line, n);
	free(n);
	for (size_t i = 0; l->argv[i]; i++)
		add_field(&line, l->argv[i]);
	for (size_t i = 0; l->environment[i]; i++)
		add_field(&line, l->environment[i]);
	send_line(&line);
}
