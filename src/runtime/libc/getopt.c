/*
 * getopt() and getopt_long(), as the GNU library has them: arguments that are not options are moved behind those that
 * are. optind and the others are the library's own variables, written like any memory of the program.
 */
#include "runtime/libc/libc.h"
#include "runtime/libc/wrappers.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

EVR_REAL(optarg);
EVR_REAL(optind);
EVR_REAL(opterr);
EVR_REAL(optopt);

struct parse {
	int argc;
	char *const *argv;
	const struct evr_text *options;
	int index; /* optind */
	int apart; /* where the element was found, if others lay before it */
	bool quiet, colon;
	const struct evr_site *site;
};

static char *argument(const struct parse *p, int i)
{
	return (char *)(uintptr_t)evr_access_load((uintptr_t)&p->argv[i], sizeof(char *), p->site);
}

static void set_int(int *to, int value, const struct evr_site *site)
{
	evr_access_store((uintptr_t)to, sizeof(*to), (unsigned)value, site);
}

static void set_argument(char *value, const struct evr_site *site)
{
	evr_access_store((uintptr_t)&optarg, sizeof(optarg), (uintptr_t)value, site);
}

static bool is_option(const struct parse *p, int i)
{
	const char *s = argument(p, i);
	return s && evr_byte(s, p->site) == '-' && evr_byte(s + 1, p->site);
}

/* Bring the element at `from` to `to`, and those between one further. */
static void rotate(const struct parse *p, int from, int to)
{
	uintptr_t array = (uintptr_t)p->argv;
	char *moved = argument(p, from);
	for (int i = from; i > to; i--)
		evr_access_store(array + (size_t)i * sizeof(char *), sizeof(char *), (uintptr_t)argument(p, i - 1),
				 p->site);
	evr_access_store(array + (size_t)to * sizeof(char *), sizeof(char *), (uintptr_t)moved, p->site);
}

static void complain(const struct parse *p, const char *what, const char *name, size_t n, const char *after)
{
	if (p->quiet)
		return;
	struct evr_text t;
	evr_text_copy(&t, argument(p, 0), p->site);
	evr_text_add(&t, what, strlen(what));
	evr_text_add(&t, name, n);
	evr_text_add(&t, after, strlen(after));
	evr_file_write(evr_file_of(stderr, "getopt", p->site), t.data, t.len);
	evr_text_release(&t);
}

/* The next element is the option's argument. */
static char *take_next(struct parse *p)
{
	int at = p->apart + 1;
	if (at >= p->argc)
		return NULL;
	if (at != p->index)
		rotate(p, at, p->index);
	return argument(p, p->index++);
}

static int missing(const struct parse *p, int c, const char *what, const char *name, size_t n, const char *after)
{
	set_int(&optopt, c, p->site);
	if (!p->colon)
		complain(p, what, name, n, after);
	return p->colon ? ':' : '?';
}

static int take_long(struct parse *p, const char *element, const struct option *list, int *which)
{
	struct evr_text name;
	struct option o, found = { 0 };
	int chosen = -1, candidates = 0;
	evr_text_copy(&name, element, p->site);
	size_t n = strcspn(name.data, "=");
	for (int i = 0;; i++) {
		struct evr_text known;
		evr_access_read(&o, &list[i], sizeof(o), p->site);
		if (!o.name)
			break;
		evr_text_copy(&known, o.name, p->site);
		bool begins = !strncmp(known.data, name.data, n), exact = begins && known.len == n;
		evr_text_release(&known);
		if (!begins)
			continue;
		found = o;
		chosen = i;
		candidates = exact ? 1 : candidates + 1;
		if (exact)
			break;
	}
	int result = '?';
	const char *value = n < name.len ? element + n + 1 : NULL;
	set_int(&optopt, 0, p->site);
	if (candidates != 1) {
		complain(p, candidates ? ": option is ambiguous: '--" : ": unrecognized option '--", name.data,
			 name.len, "'\n");
	} else if (value && found.has_arg == no_argument) {
		set_int(&optopt, found.val, p->site);
		complain(p, ": option '--", name.data, n, "' doesn't allow an argument\n");
	} else if (!value && found.has_arg == required_argument && !(value = take_next(p))) {
		result = missing(p, found.val, ": option '--", name.data, n, "' requires an argument\n");
	} else {
		set_argument((char *)(uintptr_t)value, p->site);
		if (which)
			set_int(which, chosen, p->site);
		if (found.flag)
			set_int(found.flag, found.val, p->site);
		result = found.flag ? 0 : found.val;
	}
	evr_text_release(&name);
	return result;
}

/* One letter of an element; `next` is where the element goes on. */
static int take_short(struct parse *p, const char *next)
{
	char c = (char)evr_byte(next++, p->site);
	bool more = evr_byte(next, p->site);
	const char *known = c == ':' || c == ';' ? NULL : strchr(p->options->data, c);
	int result = (unsigned char)c;
	if (!known) {
		set_int(&optopt, (unsigned char)c, p->site);
		complain(p, ": invalid option -- '", &c, 1, "'\n");
		result = '?';
	} else if (known[1] == ':') {
		const char *value = more ? next : known[2] == ':' ? NULL : take_next(p);
		set_argument((char *)(uintptr_t)value, p->site);
		if (!value && known[2] != ':')
			result = missing(p, (unsigned char)c, ": option requires an argument -- '", &c, 1, "'\n");
		more = false;
	}
	evr_access_store((uintptr_t)&evr_library.option, sizeof(char *), more ? (uintptr_t)next : 0, p->site);
	return result;
}

/* Go to the next element that is an option; false at the end of them. */
static bool find_element(struct parse *p, bool in_order)
{
	int i = p->index;
	while (!in_order && i < p->argc && !is_option(p, i))
		i++;
	if (i >= p->argc || !is_option(p, i))
		return false;
	if (i != p->index)
		rotate(p, i, p->index);
	p->apart = i;
	p->index++;
	return true;
}

static int parse(struct parse *p, const struct option *list, int *which)
{
	bool in_order = p->options->data[0] == '+' || evr_library_variable("POSIXLY_CORRECT", p->site);
	p->colon = p->options->data[in_order && p->options->data[0] == '+'] == ':';
	p->quiet = p->colon || !evr_access_load((uintptr_t)&opterr, sizeof(opterr), p->site);
	p->index = (int)evr_access_load((uintptr_t)&optind, sizeof(optind), p->site);
	set_argument(NULL, p->site);
	const char *next =
		(const char *)(uintptr_t)evr_access_load((uintptr_t)&evr_library.option, sizeof(char *), p->site);
	if (p->index == 0) {
		p->index = 1;
		next = NULL;
	}
	if (p->options->data[0] == '-')
		evr_unsupported(p->site, "getopt with '-' before the options is not supported");
	int result;
	p->apart = p->index - 1;
	if (next) {
		result = take_short(p, next);
	} else if (!find_element(p, in_order)) {
		result = -1;
	} else {
		const char *element = argument(p, p->index - 1);
		bool two = evr_byte(element + 1, p->site) == '-';
		if (two && !evr_byte(element + 2, p->site))
			result = -1;
		else if (two && list)
			result = take_long(p, element + 2, list, which);
		else
			result = take_short(p, element + 1);
	}
	set_int(&optind, p->index, p->site);
	return result;
}

static int parse_options(int argc, char *const *argv, const char *options, const struct option *list, int *which,
			 const struct evr_site *site)
{
	struct evr_text t;
	evr_text_copy(&t, options, site);
	struct parse p = { .argc = argc, .argv = argv, .options = &t, .site = site };
	int result = parse(&p, list, which);
	evr_text_release(&t);
	return result;
}

int evr_libc_getopt(int argc, char *const argv[], const char *options)
{
	return parse_options(argc, argv, options, NULL, NULL, evr_call_site);
}

int evr_libc_getopt_long(int argc, char *const argv[], const char *options, const struct option *list, int *which)
{
	return parse_options(argc, argv, options, list, which, evr_call_site);
}
