/*
 * A check in a process of its own, one after the other. Which headers there are clang says (CC_PRINT_HEADERS_FILE).
 *
 * Invariant: events of the file system only wake us; a file has changed if its signature differs from the one taken before the check
 * began, so that no change is missed, whenever it comes. Directories are watched, and not files, because editors replace files.
 */
#include "driver/watch.h"

#include "driver/cc.h"
#include "driver/process.h"

#include <errno.h>
#include <libgen.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define LOOK 250 /* how often, in milliseconds, to ask which headers clang has named so far */
#define QUIET 50 /* milliseconds without an event: whoever saves several files, or one in several steps, is done */

struct signature {
	dev_t device;
	ino_t inode;
	off_t size;
	struct timespec modified, changed;
};

struct file {
	char *path;
	struct signature signature; /* zero: there is no such file */
};

struct watch {
	int inotify, signals, headers;
	pid_t child; /* 0: none */
	int status; /* of the last one; below 0: none has ended */
	bool ended; /* by a signal */
	bool strange; /* a file that we do not know has appeared beside those that we know */
	EVR_VEC(struct file) files;
};

/* ---- files ---- */

static struct signature sign(const char *path)
{
	struct signature s = { 0 };
	struct stat st;
	if (!stat(path, &st))
		s = (struct signature){ st.st_dev, st.st_ino, st.st_size, st.st_mtim, st.st_ctim };
	return s;
}

static bool same_time(struct timespec a, struct timespec b)
{
	return a.tv_sec == b.tv_sec && a.tv_nsec == b.tv_nsec;
}

static bool same(const struct signature *a, const struct signature *b)
{
	return a->device == b->device && a->inode == b->inode && a->size == b->size &&
	       same_time(a->modified, b->modified) && same_time(a->changed, b->changed);
}

static void watch_directory(struct watch *w, const char *path)
{
	inotify_add_watch(w->inotify, path,
			  IN_CLOSE_WRITE | IN_MODIFY | IN_CREATE | IN_MOVE | IN_DELETE | IN_ATTRIB | IN_ONLYDIR);
}

/* Also where a symbolic link leads. */
static void watch_around(struct watch *w, const char *path)
{
	char *copy = evr_strdup(path), *real = realpath(path, NULL);
	watch_directory(w, dirname(copy));
	if (real)
		watch_directory(w, dirname(real));
	free(real);
	free(copy);
}

/* Returns the new file, or NULL if it is known. */
static struct file *add_file(struct watch *w, const char *path)
{
	for (size_t i = 0; i < w->files.len; i++)
		if (!strcmp(w->files.data[i].path, path))
			return NULL;
	evr_vec_push(&w->files, (struct file){ evr_strdup(path), { 0 } });
	watch_around(w, path);
	return &evr_vec_last(&w->files);
}

static void add_operands(struct watch *w, const struct evr_options *o)
{
	for (size_t i = 0; i < o->files.len; i++) {
		if (!strcmp(o->files.data[i], "-"))
			evr_die("option '--watch' needs files: standard input can only be read once");
		add_file(w, o->files.data[i]);
	}
	if (o->compile_commands) {
		char *path = evr_format("%s/compile_commands.json", o->compile_commands);
		add_file(w, path);
		free(path);
	}
	/* A header that is missing may appear there. */
	for (size_t i = 0; i < o->compile.len; i++)
		if (!strncmp(o->compile.data[i], "-I", 2))
			watch_directory(w, o->compile.data[i][2] || i + 1 == o->compile.len ? o->compile.data[i] + 2
											    : o->compile.data[i + 1]);
}

/* What clang has named since the check began. One that has changed since then may have changed before clang read it, or after. */
static bool take_headers(struct watch *w, struct timespec start)
{
	char *path = evr_format("/proc/self/fd/%d", w->headers), *text = evr_read_file(path);
	bool changed = false;
	/* The last line may not be complete yet. */
	for (char *s = text, *end; s && (end = strchr(s, '\n')); s = end + 1) {
		*end = '\0';
		struct file *f = *s ? add_file(w, s) : NULL;
		if (f) {
			f->signature = sign(s);
			struct timespec t = f->signature.changed;
			changed |= t.tv_sec > start.tv_sec || (t.tv_sec == start.tv_sec && t.tv_nsec >= start.tv_nsec);
		}
	}
	free(text);
	free(path);
	return changed;
}

/* The first file that has changed since its signature was taken, or NULL. */
static const char *find_changed(const struct watch *w)
{
	for (size_t i = 0; i < w->files.len; i++) {
		struct signature now = sign(w->files.data[i].path);
		if (!same(&now, &w->files.data[i].signature))
			return w->files.data[i].path;
	}
	return NULL;
}

/* ---- events ---- */

static void drain_events(struct watch *w)
{
	_Alignas(struct inotify_event) char block[16384];
	ssize_t n;
	while ((n = read(w->inotify, block, sizeof(block))) > 0)
		for (char *p = block; p < block + n;
		     p += sizeof(struct inotify_event) + ((struct inotify_event *)p)->len)
			w->strange |=
				(((struct inotify_event *)p)->mask & (IN_CREATE | IN_MOVED_TO | IN_CLOSE_WRITE)) != 0;
}

/* A signal from the terminal reaches the check as well; any other one is ours alone, and is passed on. */
static void take_signal(struct watch *w)
{
	struct signalfd_siginfo info;
	int status;
	if (read(w->signals, &info, sizeof(info)) != sizeof(info))
		return;
	if (info.ssi_signo != SIGCHLD) {
		w->ended = true;
		if (w->child && info.ssi_code != SI_KERNEL)
			kill(w->child, (int)info.ssi_signo);
	}
	if (!w->child || waitpid(w->child, &status, WNOHANG) != w->child)
		return;
	w->child = 0;
	if (WIFEXITED(status))
		w->status = WEXITSTATUS(status);
	else if (!w->ended || w->status < 0)
		w->status = 128 + WTERMSIG(status); /* without a verdict, the one before stands */
}

/* Wait for something to happen; false: nothing has, for so many milliseconds. */
static bool wait_for_event(struct watch *w, int milliseconds)
{
	struct pollfd fds[] = { { .fd = w->signals, .events = POLLIN }, { .fd = w->inotify, .events = POLLIN } };
	int n = poll(fds, EVR_COUNT(fds), milliseconds);
	if (fds[0].revents)
		take_signal(w);
	if (fds[1].revents)
		drain_events(w);
	return n != 0;
}

/* ---- checks ---- */

static void start(struct watch *w, struct evr_options *o, int (*run)(struct evr_options *o), const sigset_t *mask)
{
	if (isatty(STDOUT_FILENO) && !o->quiet)
		fputs("\033[H\033[2J\033[3J", stdout);
	fflush(stdout);
	w->child = fork();
	if (w->child < 0)
		evr_die("cannot start a process: %s", strerror(errno));
	if (w->child)
		return;
	char *headers = evr_format("/proc/%d/fd/%d", (int)getppid(), w->headers);
	if (setenv("CC_PRINT_HEADERS", "1", 1) || setenv("CC_PRINT_HEADERS_FILE", headers, 1))
		evr_die("out of memory");
	free(headers);
	sigprocmask(SIG_SETMASK, mask, NULL);
	exit(run(o));
}

/* Until the check has ended. Returns whether something has changed meanwhile, which ends it early. */
static bool finish(struct watch *w, struct timespec begun)
{
	bool changed = false;
	while (w->child) {
		wait_for_event(w, LOOK);
		bool news = take_headers(w, begun) || find_changed(w);
		if (news && !changed && w->child && !w->ended)
			kill(w->child, SIGTERM); /* not SIGINT, which jobs in the background ignore */
		changed |= news;
	}
	return take_headers(w, begun) || changed || find_changed(w);
}

static void wait_for_change(struct watch *w)
{
	/* Something was missing, and it may have been a file. */
	w->strange = false;
	while (!w->ended && !find_changed(w) && !(w->strange && w->status == EVR_USAGE))
		wait_for_event(w, -1);
}

static void open_all(struct watch *w, sigset_t *mask)
{
	sigset_t taken;
	sigemptyset(&taken);
	for (const int *s = (int[]){ SIGINT, SIGTERM, SIGHUP, SIGCHLD, 0 }; *s; s++)
		sigaddset(&taken, *s);
	sigprocmask(SIG_BLOCK, &taken, mask);
	w->signals = signalfd(-1, &taken, SFD_CLOEXEC | SFD_NONBLOCK);
	w->inotify = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
	w->headers = memfd_create("headers", MFD_CLOEXEC);
	if (w->signals < 0 || w->inotify < 0 || w->headers < 0)
		evr_die("cannot watch files: %s", strerror(errno));
}

int evr_watch(struct evr_options *o, int (*run)(struct evr_options *o))
{
	struct watch w = { .status = -1 };
	sigset_t mask;
	bool changed = false;
	open_all(&w, &mask);
	add_operands(&w, o);
	while (!w.ended) {
		struct timespec begun;
		const char *name = find_changed(&w);
		if (changed && !o->quiet)
			evr_warn("'%s' has changed", name ? name : "a file");
		for (size_t i = 0; i < w.files.len; i++) {
			watch_around(&w, w.files.data[i].path);
			w.files.data[i].signature = sign(w.files.data[i].path);
		}
		clock_gettime(CLOCK_REALTIME_COARSE, &begun);
		if (ftruncate(w.headers, 0))
			evr_die("cannot watch files: %s", strerror(errno));
		start(&w, o, run, &mask);
		changed = finish(&w, begun);
		if (!changed && !w.ended) {
			if (!o->quiet)
				evr_warn("watching %zu file%s; press Ctrl-C to stop", w.files.len,
					 w.files.len == 1 ? "" : "s");
			wait_for_change(&w);
			changed = true;
		}
		while (!w.ended && wait_for_event(&w, QUIET))
			;
	}
	for (size_t i = 0; i < w.files.len; i++)
		free(w.files.data[i].path);
	evr_vec_release(&w.files);
	close(w.signals);
	close(w.inotify);
	close(w.headers);
	return w.status < 0 ? EVR_USAGE : w.status;
}
