#include "ranks/files.h"

#include "base/map.h"
#include "base/strbuf.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* The file has its name only when it is complete and on disk: a machine may be lost. */
static int replace(const char *path, const char *text, size_t n)
{
	char *beside = evr_format("%s.new", path);
	FILE *out = fopen(beside, "we");
	int why = out ? 0 : errno;
	if (out && fwrite(text, 1, n, out) < n)
		why = errno ? errno : EIO;
	if (out && !why && (fflush(out) || fdatasync(fileno(out))))
		why = errno;
	if (out && fclose(out) && !why)
		why = errno;
	if (!why && rename(beside, path))
		why = errno;
	if (why)
		unlink(beside);
	free(beside);
	return why;
}

int evr_files_write_part(const char *directory, const char *model, unsigned long long epoch, int rank, const char *text)
{
	char *path = evr_format("%s/%s-%llu-%d.part", directory, model, epoch, rank);
	struct evr_strbuf all;
	size_t n = strlen(text);
	evr_strbuf_init(&all);
	evr_strbuf_add(&all, text, n);
	evr_strbuf_printf(&all, "digest\t%016llx\n", (unsigned long long)evr_hash_bytes(text, n));
	int why = replace(path, all.text, all.len);
	evr_strbuf_release(&all);
	free(path);
	return why;
}

int evr_files_write_list(const char *directory, const char *model, unsigned long long epoch, int ranks)
{
	char *path = evr_format("%s/%s.parts", directory, model), *text = evr_format("%llu\t%d\n", epoch, ranks);
	int why = replace(path, text, strlen(text));
	free(text);
	free(path);
	return why;
}

/* MODEL-EPOCH-RANK.part */
static bool is_part(const char *name, const char *model, unsigned long long *epoch, int *rank)
{
	size_t n = strlen(model);
	int end = 0;
	if (strncmp(name, model, n) != 0)
		return false;
	return sscanf(name + n, "-%llu-%d.part%n", epoch, rank, &end) == 2 && end && !name[n + (size_t)end];
}

unsigned long long evr_files_last_epoch(const char *directory, const char *model)
{
	unsigned long long last = 0, epoch;
	int rank;
	DIR *d = opendir(directory);
	for (struct dirent *e; d && (e = readdir(d));)
		if (is_part(e->d_name, model, &epoch, &rank) && epoch > last)
			last = epoch;
	if (d)
		closedir(d);
	return last;
}

void evr_files_remove(const char *directory, const char *model, unsigned long long before, int only)
{
	unsigned long long epoch;
	int rank;
	DIR *d = opendir(directory);
	for (struct dirent *e; d && (e = readdir(d));)
		if (is_part(e->d_name, model, &epoch, &rank) && epoch < before && (only < 0 || rank == only))
			unlinkat(dirfd(d), e->d_name, 0);
	if (d)
		closedir(d);
}

void evr_files_remove_list(const char *directory, const char *model)
{
	char *path = evr_format("%s/%s.parts", directory, model);
	unlink(path);
	free(path);
}
