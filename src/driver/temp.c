/*
 * Temporary files and the directory that they are in.
 *
 * Invariant: a file is on the list before it is created, so a signal handler that removes what is on the list leaves nothing.
 * A directory is in use while somebody holds the lock on the file in it; if nobody does, any run may remove it.
 */
#include "driver/temp.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define PREFIX "everett-"
#define RANDOM 6            /* characters that mkdtemp() chooses */
#define OWNED ".everett"    /* locked by the owner of a directory for as long as it lives */

/* A list that only grows at its head, so that a handler may walk it at any moment. */
struct temp {
	struct temp *next;
	char *path;
};

static struct temp *volatile temps;
static char *volatile temp_directory;

/* unlink and rmdir are all it may use. */
void evr_temp_remove_now(void)
{
	for (struct temp *t = temps; t; t = t->next)
		unlink(t->path);
	if (temp_directory)
		rmdir(temp_directory);
}

/* A compiler that was killed has left files of its own. */
static void remove_strangers(const char *directory)
{
	DIR *d = opendir(directory);
	int fd = d ? dirfd(d) : -1;
	for (struct dirent *e; fd >= 0 && (e = readdir(d));)
		if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0)
			unlinkat(fd, e->d_name, 0);
	if (d)
		closedir(d);
}

void evr_temp_remove(void)
{
	if (temp_directory)
		remove_strangers(temp_directory);
	evr_temp_remove_now();
	char *directory = temp_directory;
	temp_directory = NULL;
	free(directory);
	while (temps) {
		struct temp *t = temps;
		temps = t->next;
		free(t->path);
		free(t);
	}
}

void evr_temp_add(const char *path)
{
	struct temp *t = evr_alloc(sizeof(*t));
	t->path = evr_strdup(path);
	t->next = temps;
	temps = t;
}

const char *evr_temp_directory(void)
{
	return temp_directory;
}

/* ---- directories that somebody left behind ---- */

/* Everything in it, if those are plain files as we make them. */
static void remove_directory(int parent, int fd, const char *name)
{
	int again = dup(fd);
	DIR *d = again < 0 ? NULL : fdopendir(again);
	if (!d) {
		if (again >= 0)
			close(again);
		return;
	}
	for (struct dirent *e; (e = readdir(d));)
		if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0 && strcmp(e->d_name, OWNED) != 0)
			unlinkat(fd, e->d_name, 0);
	closedir(d);
	unlinkat(fd, OWNED, 0);
	/* A compiler that has lost us may still write there: then it is for the next run. */
	if (unlinkat(parent, name, AT_REMOVEDIR)) {
		int owned = openat(fd, OWNED, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
		if (owned >= 0)
			close(owned);
	}
}

/* Ours, with the file in it that says so, and nobody holds its lock. */
static void remove_if_abandoned(int parent, const char *name)
{
	struct stat st;
	int fd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0)
		return;
	int owned = openat(fd, OWNED, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
	bool ours = !fstat(fd, &st) && st.st_uid == geteuid() && (st.st_mode & 0777) == 0700;
	if (owned >= 0 && ours && !flock(owned, LOCK_EX | LOCK_NB))
		remove_directory(parent, fd, name);
	if (owned >= 0)
		close(owned);
	close(fd);
}

static void remove_abandoned(const char *parent)
{
	DIR *d = opendir(parent);
	int fd = d ? dirfd(d) : -1;
	for (struct dirent *e; fd >= 0 && (e = readdir(d));)
		if (!strncmp(e->d_name, PREFIX, strlen(PREFIX)) && strlen(e->d_name) == strlen(PREFIX) + RANDOM)
			remove_if_abandoned(fd, e->d_name);
	if (d)
		closedir(d);
}

/* ---- our own ---- */

/* Another run may have found the file before we locked it, and taken the directory for abandoned: then there is none. */
static bool claim(const char *directory)
{
	struct stat st;
	char *path = evr_format("%s/" OWNED, directory);
	evr_temp_add(path);
	int fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600), why = errno;
	free(path);
	errno = why;
	if (fd < 0)
		return false;
	/* Without locks, as on some file systems, nobody else can lock it either: nothing is removed there. */
	bool removed = (flock(fd, LOCK_EX | LOCK_NB) && errno == EWOULDBLOCK) || fstat(fd, &st) || !st.st_nlink;
	if (removed)
		close(fd);
	errno = ENOENT;
	return !removed; /* the lock is held until the process ends */
}

static void make_directory(void)
{
	const char *parent = getenv("TMPDIR");
	if (!parent || !*parent)
		parent = "/tmp";
	remove_abandoned(parent);
	for (int i = 0; i < 100; i++) {
		char *directory = evr_format("%s/" PREFIX "XXXXXX", parent);
		if (!mkdtemp(directory))
			evr_die("cannot create a directory for temporary files '%s': %s", directory, strerror(errno));
		temp_directory = directory;
		if (claim(directory))
			return;
		if (errno != ENOENT)
			evr_die("cannot write into the directory for temporary files '%s': %s", directory,
				strerror(errno));
		rmdir(directory);
		temp_directory = NULL;
		free(directory);
	}
	evr_die("cannot create a directory for temporary files in '%s'", parent);
}

char *evr_temp_file(const char *name)
{
	if (!temp_directory)
		make_directory();
	char *path = evr_format("%s/%s", temp_directory, name);
	evr_temp_add(path);
	return path;
}
