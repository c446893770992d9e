/*
 * Files that the user wants written, each replaced only when its new contents are complete.
 *
 * Invariant: an output is either direct, and then written in place, or has a target and a file beside it, which exists
 * between evr_output_start() and evr_output_end() and, to see whether it can be made, for a moment when the output is opened.
 * It is removed if a signal ends us in between.
 */
#include "driver/output.h"

#include "driver/temp.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

struct evr_output {
	char *path;   /* as the user wrote it */
	char *target; /* with symbolic links followed; NULL: written directly */
	char *beside; /* where a new version is written */
	FILE *direct; /* stdout, or what is neither replaced nor closed before the end */
};

/* ---- where it is ---- */

static size_t directory_length(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash ? (size_t)(slash - path) + 1 : 0;
}

static char *beside(const char *path, const char *name)
{
	return evr_format("%.*s%s", (int)directory_length(path), path, name);
}

/* These names mean an open file, whatever file that is. */
static bool names_descriptor(const char *path)
{
	return !strncmp(path, "/proc/", 6) || !strncmp(path, "/dev/fd/", 8) || !strncmp(path, "/dev/std", 8);
}

/* The file that a chain of symbolic links ends at, which need not exist. NULL: an open file, or the chain does not end. */
static char *resolve_links(const char *path)
{
	char link[4096], *now = evr_strdup(path);
	for (int i = 0; i < 40; i++) {
		if (names_descriptor(now))
			break;
		ssize_t n = readlink(now, link, sizeof(link) - 1);
		if (n < 0)
			return now;
		link[n] = '\0';
		char *next = *link == '/' ? evr_strdup(link) : beside(now, link);
		free(now);
		now = next;
	}
	free(now);
	return NULL;
}

bool evr_same_file(const char *a, const char *b)
{
	struct stat s, t;
	if (!strcmp(a, b))
		return true;
	if (!strcmp(a, "-") || !strcmp(b, "-"))
		return false;
	bool first = !stat(a, &s), second = !stat(b, &t);
	if (first && second)
		return S_ISREG(s.st_mode) && s.st_dev == t.st_dev && s.st_ino == t.st_ino;
	if (first || second || strcmp(evr_base_name(a), evr_base_name(b)) != 0)
		return false;
	char *one = beside(a, "."), *two = beside(b, ".");
	bool same = !stat(one, &s) && !stat(two, &t) && s.st_dev == t.st_dev && s.st_ino == t.st_ino;
	free(one);
	free(two);
	return same;
}

/* ---- opening ---- */

/* The permissions of a new file, or those of the file that it will replace. Who owns it changes only if we may not say. */
static int create_beside(const struct evr_output *o)
{
	struct stat old;
	int fd = open(o->beside, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	if (fd < 0 || stat(o->target, &old))
		return fd;
	bool same = old.st_uid == geteuid() && old.st_gid == getegid();
	if ((!same && fchown(fd, old.st_uid, old.st_gid)) || fchmod(fd, old.st_mode & 0777))
		errno = 0;
	return fd;
}

static char *name_beside(const char *target)
{
	static unsigned count;
	char *name = evr_format(".everett-%ld-%u.tmp", (long)getpid(), count++), *path = beside(target, name);
	free(name);
	return path;
}

static _Noreturn void cannot_write(const char *path, int why)
{
	evr_die("cannot write '%s': %s", path, strerror(why));
}

static void open_directly(struct evr_output *o)
{
	free(o->target);
	o->target = NULL;
	/* What is in it stays until the end: a regular file is truncated when it is written. */
	int fd = open(o->path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
	o->direct = fd < 0 ? NULL : fdopen(fd, "w");
	if (!o->direct)
		cannot_write(o->path, errno);
}

struct evr_output *evr_output_open(const char *path)
{
	struct evr_output *o = evr_alloc(sizeof(*o));
	struct stat st;
	o->path = evr_strdup(path);
	if (!strcmp(path, "-")) {
		o->direct = stdout;
		return o;
	}
	o->target = resolve_links(path);
	bool exists = !stat(path, &st);
	if (!o->target || (exists && !S_ISREG(st.st_mode))) {
		open_directly(o);
		return o;
	}
	if (exists && access(path, W_OK))
		cannot_write(path, errno);
	o->beside = name_beside(o->target);
	evr_temp_add(o->beside);
	int fd = create_beside(o);
	if (fd >= 0) {
		close(fd);
		unlink(o->beside);
	} else if (exists && (errno == EACCES || errno == EPERM || errno == EROFS)) {
		open_directly(o); /* the folder is not ours, but the file is */
	} else {
		cannot_write(path, errno);
	}
	return o;
}

bool evr_output_is_stdout(const struct evr_output *o)
{
	return o->direct == stdout;
}

bool evr_output_is_replaceable(const struct evr_output *o)
{
	return !o->direct;
}

void evr_output_free(struct evr_output *o)
{
	if (!o)
		return;
	if (o->direct && o->direct != stdout)
		fclose(o->direct);
	free(o->path);
	free(o->target);
	free(o->beside);
	free(o);
}

/* ---- writing ---- */

static int truncate_regular(FILE *file)
{
	struct stat st;
	if (fstat(fileno(file), &st) || !S_ISREG(st.st_mode))
		return 0;
	return ftruncate(fileno(file), 0) || fseek(file, 0, SEEK_SET) ? -1 : 0;
}

FILE *evr_output_start(struct evr_output *o)
{
	if (o->direct)
		return o->direct == stdout || !truncate_regular(o->direct) ? o->direct : NULL;
	int fd = create_beside(o);
	FILE *file = fd < 0 ? NULL : fdopen(fd, "w");
	if (!file && fd >= 0) {
		int why = errno;
		close(fd);
		unlink(o->beside);
		errno = why;
	}
	return file;
}

static int arrived(FILE *file, int failed)
{
	int why = failed;
	errno = 0;
	if (fflush(file) && !why)
		why = errno;
	if (ferror(file) && !why)
		why = EIO; /* an earlier write, whose errno is gone */
	clearerr(file);
	return why;
}

/* A file that is a mount point by itself cannot be replaced, only written. */
static int copy_over(const struct evr_output *o)
{
	char block[65536];
	FILE *in = fopen(o->beside, "re"), *out = in ? fopen(o->target, "we") : NULL;
	int why = out ? 0 : errno;
	while (out && !why && !feof(in)) {
		size_t n = fread(block, 1, sizeof(block), in);
		if (ferror(in))
			why = EIO;
		else if (fwrite(block, 1, n, out) < n)
			why = errno ? errno : EIO;
	}
	if (out && fclose(out) && !why)
		why = errno;
	if (in)
		fclose(in);
	return why;
}

int evr_output_end(struct evr_output *o, FILE *file, int failed)
{
	if (!file)
		return failed ? failed : EIO;
	int why = arrived(file, failed);
	if (o->direct)
		return why;
	if (fclose(file) && !why)
		why = errno;
	if (!why && !rename(o->beside, o->target))
		return 0;
	if (!why)
		why = errno == EBUSY ? copy_over(o) : errno;
	unlink(o->beside);
	return why;
}

static int complain(const char *path, int why)
{
	if (!why)
		return EVR_OK;
	if (path)
		evr_warn("cannot write '%s': %s", path, strerror(why));
	else
		evr_warn("cannot write standard output: %s", strerror(why));
	return EVR_USAGE;
}

int evr_output_finish(struct evr_output *o, FILE *file, int failed)
{
	int why = evr_output_end(o, file, failed);
	return complain(o->direct == stdout ? NULL : o->path, why);
}

int evr_stdout_flush(void)
{
	return complain(NULL, arrived(stdout, 0));
}
