/*
 * How a checker is started: that it is one, what it is told in EVERETT_CHECKER, and what it inherits.
 *
 * Invariant: words, arguments and environment are ready before the fork (evr_launch_prepare()), and a checker ends with its driver.
 */
#include "driver/launch.h"

#include "base/strbuf.h"
#include "driver/models.h"
#include "driver/progress.h"
#include "driver/ranks.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#define ENVIRONMENT "EVERETT_CHECKER"

extern char **environ;

/* ---- is it a checker? ---- */

static bool contains(const char *bytes, size_t n, const char *word)
{
	size_t length = strlen(word);
	for (const char *s = bytes; n >= length; s++) {
		const char *hit = memchr(s, word[0], n - (size_t)(s - bytes));
		if (!hit || (size_t)(hit - bytes) + length > n)
			return false;
		if (!memcmp(hit, word, length))
			return true;
		s = hit;
	}
	return false;
}

/* Every checker has the name of the variable it listens to in it. */
static bool is_checker(int fd, size_t size)
{
	if (!size)
		return false;
	char *bytes = mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (bytes == MAP_FAILED)
		return false;
	bool found = contains(bytes, size, ENVIRONMENT);
	munmap(bytes, size);
	return found;
}

void evr_require_checker(const char *path)
{
	struct stat st;
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0 || fstat(fd, &st))
		evr_die("cannot open '%s': %s", path, strerror(errno));
	if (S_ISDIR(st.st_mode))
		evr_die("'%s' is a directory", path);
	if (!S_ISREG(st.st_mode) || access(path, X_OK))
		evr_die("'%s' is not an executable", path);
	if (!is_checker(fd, (size_t)st.st_size))
		evr_die("'%s' is not a checker: link it with 'everett cc'", path);
	close(fd);
}

/* ---- starting ---- */

char *evr_checker_words(const struct evr_options *o, const char *model, int fd)
{
	struct evr_strbuf b;
	evr_strbuf_init(&b);
	evr_strbuf_printf(&b, "fd=%d", fd);
	if (!o->default_model)
		evr_strbuf_printf(&b, " model=%s", model);
	if (o->command == EVR_PREDICT)
		evr_strbuf_puts(&b, " engine=predict");
	else if (o->equivalence)
		evr_strbuf_printf(&b, " engine=%s", o->equivalence);
	/* Who asks about all models wants verdicts: the fewest executions, then. */
	else if ((o->command == EVR_CHECK || o->command == EVR_RUN) && evr_models_all(&o->models, o->command))
		evr_strbuf_puts(&b, " engine=rf");
	/* An exit is no access: robustness does not depend on its status. */
	if (o->command == EVR_ROBUST)
		evr_strbuf_puts(&b, " robust=1 fail-on-exit=0");
	if (o->command == EVR_SAMPLE)
		evr_strbuf_puts(&b, " sample=1");
	if (o->classes)
		evr_strbuf_printf(&b, " classes-fd=%d", o->classes_fd);
	if (o->checkpoint)
		evr_strbuf_puts(&b, " saves=1");
	evr_options_settings(o, &b);
	struct evr_progress progress;
	evr_progress_init(&progress, o);
	if (progress.on)
		evr_strbuf_puts(&b, " estimate=1");
	return b.text;
}

static char *launch_words(const char *words, int turn_fd)
{
	if (turn_fd < 0)
		return evr_format(ENVIRONMENT "=%s", words);
	return evr_format(ENVIRONMENT "=%s turn-fd=%d", words, turn_fd);
}

/* Arguments and environment, when all else is there. */
static void fill(struct evr_launch *l, const struct evr_options *o)
{
	l->driver = getpid();
	l->argv = evr_alloc((o->args.len + 2) * sizeof(*l->argv));
	l->argv[0] = (char *)(uintptr_t)l->checker;
	if (o->args.len)
		memcpy(l->argv + 1, o->args.data, o->args.len * sizeof(*l->argv));
	size_t n = 0, kept = 0;
	while (environ[n])
		n++;
	l->environment = evr_alloc((n + 2) * sizeof(*l->environment));
	for (size_t i = 0; i < n; i++)
		if (strncmp(environ[i], ENVIRONMENT "=", strlen(ENVIRONMENT "=")) != 0)
			l->environment[kept++] = environ[i];
	l->environment[kept] = l->words;
}

void evr_launch_prepare(struct evr_launch *l, const struct evr_options *o, const char *checker,
			const struct evr_result *r, int fd, int turn_fd, int resume_fd)
{
	char *words = evr_checker_words(o, r->model, fd);
	if (resume_fd >= 0) {
		char *more = evr_format("%s resume-fd=%d shard=%d", words, resume_fd, r->shard != NULL);
		free(words);
		words = more;
	}
	if (evr_ranks_socket() >= 0) {
		char *more = evr_format("%s ranks-fd=%d", words, evr_ranks_socket());
		free(words);
		words = more;
	}
	*l = (struct evr_launch){ .checker = checker,
				  .fd = fd,
				  .classes_fd = o->classes ? o->classes_fd : -1,
				  .turn_fd = turn_fd,
				  .words = launch_words(words, turn_fd) };
	free(words);
	fill(l, o);
}

void evr_launch_prepare_server(struct evr_launch *l, const struct evr_options *o, const char *checker, int control,
			       int records)
{
	*l = (struct evr_launch){ .checker = checker,
				  .fd = records,
				  .classes_fd = -1,
				  .turn_fd = -1,
				  .words = evr_format(ENVIRONMENT "=serve=%d", control) };
	fill(l, o);
}

void evr_launch_release(struct evr_launch *l)
{
	free(l->words);
	free(l->argv);
	free(l->environment);
}

static void end_child(const char *message)
{
	(void)message;
	_exit(EVR_INTERNAL);
}

/* A pause that comes before the checker listens waits until it does. */
static void allow_turns(int turn_fd)
{
	sigset_t set;
	sigemptyset(&set);
	sigaddset(&set, SIGUSR2);
	sigprocmask(SIG_BLOCK, &set, NULL);
	fcntl(turn_fd, F_SETFD, 0);
}

/* Addresses must be the same in every run, and nobody must be left behind when the driver dies. */
_Noreturn void evr_launch_become(const struct evr_launch *l)
{
	int old = personality(0xffffffff);
	if (old != -1)
		personality((unsigned long)old | ADDR_NO_RANDOMIZE);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != l->driver)
		_exit(EVR_INTERNAL); /* it died before it could be watched */
	signal(SIGUSR1, SIG_IGN); /* until the checker listens */
	signal(SIGXFSZ, SIG_IGN); /* ulimit -f: an error of write() */
	if (l->classes_fd >= 0)
		fcntl(l->classes_fd, F_SETFD, 0);
	if (l->turn_fd >= 0)
		allow_turns(l->turn_fd);
	execve(l->checker, l->argv, l->environment);
	int why = errno;
	evr_die_hook = end_child; /* what belongs to the driver is not ours to remove */
	char *message = evr_format("cannot run '%s': %s", l->checker, strerror(why));
	evr_wire_error(l->fd, EVR_USAGE, message);
	_exit(EVR_USAGE);
}
