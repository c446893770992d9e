#include "run.h"

#include "interpret_fault.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

void run_release(struct run *r)
{
	for (unsigned k = 0; k < EVR_CLASS_KINDS; k++) {
		for (size_t i = 0; i < r->classes[k].len; i++)
			free(r->classes[k].data[i].text);
		evr_vec_release(&r->classes[k]);
	}
	for (size_t i = 0; i < r->findings.len; i++)
		free(r->findings.data[i]);
	evr_vec_release(&r->findings);
	evr_vec_release(&r->locations);
	evr_vec_release(&r->results);
	free(r->error);
}

/* Where a checker writes: files in memory, made once. */
static int result_fd = -1, classes_fd = -1;

static void open_files(void)
{
	result_fd = memfd_create("result", 0);
	classes_fd = memfd_create("classes", 0);
	if (result_fd < 0 || classes_fd < 0)
		evr_die("cannot make a file in memory: %s", strerror(errno));
}

/* A checker that has been started takes orders here. The last one is kept: programs of one file follow each other. */
static struct {
	char *checker;
	pid_t pid;
	int fd;
} server = { .fd = -1 };

static _Noreturn void become_server(const char *checker, int fd)
{
	char *words = evr_format("serve=%d", fd);
	char *argv[] = { (char *)checker, "which", "order", "fences", NULL };
	int old = personality(0xffffffff);
	if (old != -1)
		personality((unsigned long)old | ADDR_NO_RANDOMIZE);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	setenv("EVERETT_CHECKER", words, 1);
	execv(checker, argv);
	_exit(127);
}

void run_end(void)
{
	if (server.fd < 0)
		return;
	close(server.fd);
	while (waitpid(server.pid, NULL, 0) < 0 && errno == EINTR)
		;
	free(server.checker);
	server.fd = -1;
}

/* Two checkers may have the same name, one after the other: whoever makes a new one says run_end(). */
static void need_server(const char *checker)
{
	int ends[2];
	if (server.fd >= 0 && !strcmp(server.checker, checker))
		return;
	run_end();
	if (socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends))
		evr_die("cannot make a socket: %s", strerror(errno));
	server.checker = evr_strdup(checker);
	server.fd = ends[0];
	server.pid = fork();
	if (server.pid < 0)
		evr_die("cannot start a process: %s", strerror(errno));
	if (!server.pid) {
		close(ends[0]);
		become_server(checker, ends[1]);
	}
	close(ends[1]);
}

bool run_divided;
const char *run_data;

/* Returns when it has been carried out. */
static void send_order(size_t index, const struct run *r)
{
	char order[4096], which[32], more[64] = "";
	const char *divided = run_divided && strcmp(r->engine, "none") != 0 ? " jobs=2 restless=1" : "";
	if (r->unroll)
		snprintf(more, sizeof(more), " unroll=%u", r->unroll);
	else if (r->spurious)
		snprintf(more, sizeof(more), " spurious-cas=%u%s", r->spurious,
			 r->c11_sequences ? " release-sequences=c11" : "");
	const char *every = r->skips ? "" : " every-access=1";
	snprintf(which, sizeof(which), "%zu", index);
	int n = snprintf(
		order, sizeof(order),
		"fd=%d classes-fd=%d coverage=0 model=%s engine=%s keep-going=%d races=%d simplify=0 max-executions=%llu "
		"timeout=100%s%s%s%s%c%s%c%u%c%d",
		result_fd, classes_fd, r->model, r->engine, !r->first, r->races, (unsigned long long)r->limit,
		r->check ? " check=1" : "", every, more, divided, 0, run_data ? run_data : which, 0, r->order, 0,
		(int)r->fences);
	if (n >= (int)sizeof(order))
		evr_die("a program is too long");
	int status;
	ssize_t sent = send(server.fd, order, (size_t)n + 1, MSG_NOSIGNAL);
	/* A server that has gone has left no result, which says enough. */
	if (sent < 0 || read(server.fd, &status, sizeof(status)) != sizeof(status))
		run_end();
}

static void rewind_file(int fd)
{
	if (ftruncate(fd, 0) || lseek(fd, 0, SEEK_SET))
		evr_die("cannot rewind: %s", strerror(errno));
}

static char *file_text(int fd)
{
	struct stat st;
	if (fstat(fd, &st))
		evr_die("cannot look at the results: %s", strerror(errno));
	char *text = evr_alloc((size_t)st.st_size + 1);
	for (off_t done = 0; done < st.st_size;) {
		ssize_t n = pread(fd, text + done, (size_t)(st.st_size - done), done);
		if (n <= 0)
			evr_die("cannot read the results: %s", strerror(errno));
		done += n;
	}
	return text;
}

/* The next field or line; `from` moves behind it. */
static char *cut(char **from, char at)
{
	char *start = *from, *end = strchr(start, at);
	if (end)
		*end = '\0';
	*from = end ? end + 1 : start + strlen(start);
	return start;
}

static int by_string(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

int class_compare(const void *a, const void *b)
{
	const struct evr_key *x = &((const struct one_class *)a)->key, *y = &((const struct one_class *)b)->key;
	if (x->one != y->one)
		return x->one < y->one ? -1 : 1;
	return x->two == y->two ? 0 : x->two < y->two ? -1 : 1;
}

static int by_number(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;
	return *x == *y ? 0 : *x < *y ? -1 : 1;
}

static void take_result(struct run *r, char *text)
{
	bool done = false;
	while (*text) {
		char *line = cut(&text, '\n'), *record = cut(&line, '\t');
		if (!strcmp(record, "finding")) {
			char *kind = cut(&line, '\t'), *message = cut(&line, '\t');
			char *file = cut(&line, '\t'), *where = cut(&line, '\t');
			const char *with = !strcmp(kind, "race") ? strstr(message, " with ") : "";
			evr_vec_push(&r->findings,
				     evr_format("%s at %s:%s%s", kind, file, where, with ? with : " with nobody"));
		} else if (!strcmp(record, "error")) {
			cut(&line, '\t');
			r->error = evr_strdup(line);
		} else if (!strcmp(record, "done")) {
			done = true;
			r->complete = *cut(&line, '\t') == '1';
			r->limited = !strcmp(cut(&line, '\t'), "limit on executions");
			r->executions = strtoull(cut(&line, '\t'), NULL, 10);
			r->blocked = strtoull(cut(&line, '\t'), NULL, 10);
			r->truncated = strtoull(cut(&line, '\t'), NULL, 10);
			r->redundant = strtoull(cut(&line, '\t'), NULL, 10);
		}
	}
	if (!done && !r->error)
		r->error = evr_strdup("the checker ended without a result");
	if (r->findings.len)
		qsort(r->findings.data, r->findings.len, sizeof(char *), by_string);
}

/* ---- the names of threads, when they were created in another order ---- */

struct names {
	unsigned rank[MAX_ROLES]; /* of the k-th thread that main created: its rank in order 0 */
	unsigned count;
};

static struct names names_of(const struct program *p, unsigned order)
{
	struct names n = { .count = program_created(p) };
	for (unsigned k = 0; k < n.count; k++)
		for (unsigned i = 0; i < n.count; i++)
			if (program_in_order(p, 0, i) == program_in_order(p, order, k))
				n.rank[k] = i;
	return n;
}

/* Every "0.K" that is a thread's name gets the rank that it has in order 0. */
static char *rename_threads(const char *text, const struct names *n)
{
	struct evr_strbuf out;
	evr_strbuf_init(&out);
	for (const char *s = text; *s; s++) {
		bool name = (s == text || strchr(" ;<>", s[-1])) && s[0] == '0' && s[1] == '.';
		evr_strbuf_putc(&out, *s);
		if (!name)
			continue;
		char *end;
		unsigned long k = strtoul(s + 2, &end, 10);
		evr_strbuf_printf(&out, ".%u", k < n->count ? n->rank[k] : (unsigned)k);
		s = end - 1;
	}
	return evr_strbuf_take(&out);
}

/* Threads are in the order of their names: "0" before "0.1". */
static int by_thread(const void *a, const void *b)
{
	const char *x = *(char *const *)a, *y = *(char *const *)b;
	size_t n = strcspn(x, ":"), m = strcspn(y, ":");
	int c = strncmp(x, y, n < m ? n : m);
	return c ? c : n == m ? 0 : n < m ? -1 : 1;
}

/* Sorted, each with a character before or behind it. A word may be empty: the coherence order of what nobody wrote. */
static void add_sorted(struct evr_strbuf *out, char *text, const char *at, int (*compare)(const void *, const void *))
{
	EVR_VEC(char *) words = { 0 };
	for (char *word; (word = strsep(&text, at));)
		evr_vec_push(&words, word);
	qsort(words.data, words.len, sizeof(char *), compare);
	for (size_t i = 0; i < words.len; i++)
		evr_strbuf_printf(out, *at == ' ' ? " %s" : "%s;", words.data[i]);
	evr_vec_release(&words);
}

/* The text that the class has when the threads are created in order 0: what event/classes.c sorts is sorted anew. */
static char *in_order_0(const char *text, unsigned kind, const struct names *n)
{
	char *renamed = rename_threads(text, n), *last = strrchr(renamed, ';');
	struct evr_strbuf out;
	evr_strbuf_init(&out);
	if (!last)
		return renamed;
	char *tail = evr_strdup(last + 1);
	*last = '\0';
	add_sorted(&out, renamed, ";", by_thread);
	if (kind == EVR_CLASS_OUTCOME)
		evr_strbuf_puts(&out, tail);
	else if (*tail)
		add_sorted(&out, tail + 1, " ", by_string);
	free(tail);
	free(renamed);
	return evr_strbuf_take(&out);
}

static void note_locations(struct run *r, const char *text)
{
	for (const char *s = strchr(text, '@'); s; s = strchr(s + 1, '@')) {
		uint64_t address = strtoull(s + 1, NULL, 16);
		bool known = address <= 1; /* a choice has none, and fences under RA a hidden one */
		for (size_t i = 0; i < r->locations.len; i++)
			known |= r->locations.data[i] == address;
		if (!known)
			evr_vec_push(&r->locations, address);
	}
}

void run_sort(struct run *r)
{
	for (unsigned k = 0; k < EVR_CLASS_KINDS; k++)
		if (r->classes[k].len)
			qsort(r->classes[k].data, r->classes[k].len, sizeof(struct one_class), class_compare);
	if (r->locations.len)
		qsort(r->locations.data, r->locations.len, sizeof(uint64_t), by_number);
	if (r->results.len)
		qsort(r->results.data, r->results.len, sizeof(uint64_t), by_number);
}

/*
 * What the threads told in the end, in whatever order, makes one number. It means something if nobody who has not ended could
 * still go on: all have, or it is a deadlock that nobody's failure or assumption led to. Where loops wait, who has ended when the
 * others are stuck may depend on how often they went round, so that deadlocks are left out.
 */
static void take_printed(struct run *r, char *line, bool deadlocks)
{
	char *told = strstr(line, ": "), *end = told;
	bool ended = !strncmp(line, "complete:", 9);
	if (!told || strstr(told, "- ") || strstr(line, " assertion@") || strncmp(line, "complete", 8) != 0 ||
	    (!ended && !(deadlocks && strstr(line, " deadlock@"))))
		return;
	uint64_t sum = 0;
	for (told += 2; *told; told = end + 1) {
		unsigned role = (unsigned)strtoul(told, &end, 10);
		if (*end != ':')
			evr_die("a program has printed '%s'", told);
		sum += result_part(role, strtoull(end + 1, &end, 16));
	}
	for (size_t i = 0; i < r->results.len; i++)
		if (r->results.data[i] == sum)
			return;
	evr_vec_push(&r->results, sum);
}

/* Does this follow only from a thread that has stopped? */
static bool is_consequence(const char *kind)
{
	return !strcmp(kind, "deadlock") || !strcmp(kind, "no-progress") || !strcmp(kind, "leak");
}

/*
 * Of a program of flavour `fault`: which faults there were, and what the threads said that they had read. A buffered store that finds its
 * memory freed when it takes effect is none of these: see interpret_fault.h.
 */
static void take_said(struct run *r, char *line)
{
	char *said = strstr(line, ": ");
	uint64_t sum = 0;
	if (!said)
		return;
	*said = '\0';
	for (char *word = (cut(&line, ' '), line); *word; word = line) {
		cut(&line, ' ');
		char *place = strchr(word, '@'), *where = place ? strrchr(place, ':') : NULL;
		if (!where)
			evr_die("an execution has ended with '%s'", word);
		*place = '\0';
		if (!is_consequence(word))
			sum += fault_part(word, (unsigned)strtoul(where + 1, NULL, 10));
	}
	for (char *at = said + 2, *end; *at; at = end + 1) {
		unsigned where = (unsigned)strtoul(at, &end, 10);
		if (*end != ':')
			evr_die("a program has printed '%s'", at);
		long value = strtol(end + 1, &end, 10);
		sum += where ? said_part(where, value) : 0;
	}
	for (size_t i = 0; i < r->results.len; i++)
		if (r->results.data[i] == sum)
			return;
	evr_vec_push(&r->results, sum);
}

static void take_classes(struct run *r, char *text, const struct names *n, enum flavour flavour)
{
	while (*text) {
		char *line = cut(&text, '\n'), *kind = cut(&line, ' ');
		if (!strcmp(kind, "execution"))
			continue;
		if (!strcmp(kind, "printed")) {
			if (flavour == FAULT)
				take_said(r, line);
			else
				take_printed(r, line, flavour != AWAIT);
			continue;
		}
		unsigned k = 0;
		while (k < EVR_CLASS_KINDS && strcmp(kind, evr_class_names[k]) != 0)
			k++;
		if (k == EVR_CLASS_KINDS)
			evr_die("the file of classes has a line '%s'", kind);
		cut(&line, ' ');
		if (k == EVR_CLASS_TRACE)
			note_locations(r, line);
		struct one_class c = { .text = r->order ? in_order_0(line, k, n) : evr_strdup(line) };
		c.key = evr_class_key(c.text);
		evr_vec_push(&r->classes[k], c);
	}
	run_sort(r);
}

void run_explore(struct run *r, const char *checker, size_t index, const struct program *p)
{
	if (result_fd < 0)
		open_files();
	rewind_file(result_fd);
	rewind_file(classes_fd);
	need_server(checker);
	r->spurious = p->flavour == C11 ? RUN_SPURIOUS : 0;
	send_order(index, r);
	char *result = file_text(result_fd), *classes = file_text(classes_fd);
	struct names n = names_of(p, r->order);
	take_result(r, result);
	take_classes(r, classes, &n, p->flavour);
	free(result);
	free(classes);
}

uint64_t run_executions(const struct run *r)
{
	return r->executions + r->blocked + r->truncated;
}

size_t run_findings(const struct run *r, const char *kind)
{
	size_t n = 0;
	for (size_t i = 0; i < r->findings.len; i++)
		n += !strncmp(r->findings.data[i], kind, strlen(kind));
	return n;
}
