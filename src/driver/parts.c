/*
 * Reading a checkpoint that several ranks have written.
 *
 * Invariant: a batch of branches that was on its way is in the sum of the parts once: from the part of its sender, unless the receiver's says that it had been taken.
 */
#include "driver/parts.h"

#include "base/map.h"
#include "base/strbuf.h"
#include "driver/process.h"
#include "report/coverage.h"

#include <errno.h>
#include <inttypes.h>
#include <sys/stat.h>

#define NAME "search.json"

/* One rank's part, as lines. */
struct part {
	char *path;
	evr_words lines;
	unsigned long long generation;
};

static bool is_directory(const char *path)
{
	struct stat st;
	return !stat(path, &st) && S_ISDIR(st.st_mode);
}

char *evr_parts_prepare(const char *directory)
{
	const char *name = evr_base_name(directory);
	if (!strcmp(name, NAME) && name > directory) {
		char *in = evr_parts_directory(directory);
		bool there = is_directory(in);
		free(in);
		if (there)
			return evr_strdup(directory);
	}
	if (mkdir(directory, 0777) && errno != EEXIST)
		evr_die("cannot create the directory '%s': %s", directory, strerror(errno));
	if (!is_directory(directory))
		evr_die("the checkpoint of several ranks is a directory, and '%s' is a file", directory);
	return evr_format("%s/" NAME, directory);
}

char *evr_parts_file(const char *path)
{
	return is_directory(path) ? evr_format("%s/" NAME, path) : evr_strdup(path);
}

char *evr_parts_directory(const char *file)
{
	const char *slash = strrchr(file, '/');
	return slash ? evr_strndup(file, (size_t)(slash - file)) : evr_strdup(".");
}

static char *read_whole(const char *path)
{
	char *text = evr_read_file(path);
	if (!text)
		evr_die("cannot open '%s': %s", path, strerror(errno));
	return text;
}

_Noreturn static void damaged(const char *path)
{
	evr_die("'%s' is damaged: no rank has written this", path);
}

/* The last line is the digest of all others. */
static void read_part(struct part *p, unsigned rank, unsigned ranks, unsigned long long epoch)
{
	char *text = read_whole(p->path), *last = strstr(text, "digest\t");
	for (char *next = last; next; next = strstr(next + 1, "digest\t"))
		last = next;
	if (!last || strtoull(last + 7, NULL, 16) != evr_hash_bytes(text, (size_t)(last - text)))
		damaged(p->path);
	*last = '\0';
	for (char *line = text; *line;) {
		size_t n = strcspn(line, "\n");
		char *copy = evr_strndup(line, n);
		evr_vec_push(&p->lines, copy);
		line += n + (line[n] == '\n');
	}
	unsigned number = 0, of = 0;
	unsigned long long in = 0;
	if (!p->lines.len ||
	    sscanf(p->lines.data[0], "part\t%u\t%u\t%llu\t%llu", &number, &of, &in, &p->generation) != 4 ||
	    number != rank || of != ranks || in != epoch)
		damaged(p->path);
	free(text);
}

/* Has the receiver taken the batch? */
static bool was_taken(const struct part *receiver, unsigned from, unsigned long long number)
{
	for (size_t i = 0; i < receiver->lines.len; i++) {
		unsigned who;
		unsigned long long last;
		if (sscanf(receiver->lines.data[i], "taken\t%u\t%llu", &who, &last) == 2 && who == from)
			return last >= number;
	}
	return false;
}

static void add_batch(struct evr_result_rest *to, const char *line)
{
	for (int i = 0; i < 2 && line; i++) {
		line = strchr(line, '\t');
		line = line ? line + 1 : NULL;
	}
	line = line ? strchr(line, '\t') : NULL;
	while (line) {
		size_t n = strcspn(line + 1, "\t");
		evr_vec_push(&to->branches, evr_strndup(line + 1, n));
		line = line[1 + n] ? line + 1 + n : NULL;
	}
}

static void add_sent(struct evr_result_rest *to, const struct part *parts, unsigned from, unsigned ranks)
{
	const struct part *p = &parts[from];
	for (size_t i = 0; i < p->lines.len; i++) {
		int receiver;
		unsigned long long number;
		if (sscanf(p->lines.data[i], "sent\t%d\t%llu", &receiver, &number) != 2)
			continue;
		if (receiver >= (int)ranks)
			damaged(p->path);
		if (receiver >= 0 && parts[receiver].generation == p->generation &&
		    was_taken(&parts[receiver], from, number))
			continue;
		add_batch(to, p->lines.data[i]);
	}
}

/* What the checker of that rank has said. */
static struct evr_result *read_result(const struct part *p)
{
	struct evr_result *r = evr_result_new("", "");
	for (size_t i = 1; i < p->lines.len; i++) {
		const char *line = p->lines.data[i];
		if (evr_starts_with(line, "sent\t") || evr_starts_with(line, "taken\t") || !strcmp(line, "saving"))
			continue;
		if (evr_wire_line(r, line) < 0)
			damaged(p->path);
	}
	if (!r->rest.there)
		damaged(p->path);
	return r;
}

static void add_result(struct evr_result *to, struct evr_result *from, bool counts)
{
	struct evr_result_rest *a = &to->rest, *b = &from->rest;
	for (size_t i = 0; i < from->findings.len; i++) {
		if (evr_finding_under(to, &from->findings.data[i]))
			evr_result_free_finding(&from->findings.data[i]);
		else
			evr_vec_push(&to->findings, from->findings.data[i]);
	}
	evr_vec_clear(&from->findings);
	if (!counts)
		return;
	evr_points_add(to, from);
	if (*a->program && strcmp(a->program, b->program) != 0)
		evr_die("the parts of the checkpoint are of different programs");
	evr_result_set(&a->program, b->program);
	evr_result_set(&a->known, b->known);
#define TOTAL(type, field) a->field += b->field;
#include "report/records.def"
	for (size_t i = 0; i < b->branches.len; i++)
		evr_vec_push(&a->branches, b->branches.data[i]);
	evr_vec_clear(&b->branches);
}

/* Rank 0 is never behind the others: those that have not learned what it has learned have nothing of its search. */
static void add_parts(struct evr_result *r, struct part *parts, unsigned ranks)
{
	for (unsigned i = 0; i < ranks; i++) {
		struct evr_result *part = read_result(&parts[i]);
		bool counts = parts[i].generation == parts[0].generation;
		add_result(r, part, counts);
		if (counts)
			add_sent(&r->rest, parts, i, ranks);
		evr_result_free(part);
	}
}

void evr_parts_read(const char *file, struct evr_result *r)
{
	if (r->rest.branches.len != 1 || strcmp(r->rest.branches.data[0], EVR_REST_ELSEWHERE) != 0)
		return;
	char *directory = evr_parts_directory(file), *list = evr_format("%s/%s.parts", directory, r->model);
	char *text = read_whole(list);
	unsigned long long epoch;
	unsigned ranks;
	if (sscanf(text, "%llu\t%u", &epoch, &ranks) != 2 || ranks < 1 || ranks > 1000000)
		damaged(list);
	evr_rest_clear(&r->rest);
	r->rest.program = evr_strdup("");
	r->rest.known = evr_strdup("");
	r->rest.there = true;
	struct part *parts = evr_alloc(ranks * sizeof(*parts));
	for (unsigned i = 0; i < ranks; i++) {
		parts[i].path = evr_format("%s/%s-%llu-%u.part", directory, r->model, epoch, i);
		read_part(&parts[i], i, ranks, epoch);
	}
	add_parts(r, parts, ranks);
#define TOTAL(type, field) r->field = r->rest.field;
#include "report/records.def"
	for (unsigned i = 0; i < ranks; i++) {
		evr_words_release(&parts[i].lines);
		free(parts[i].path);
	}
	free(parts);
	free(text);
	free(list);
	free(directory);
}
