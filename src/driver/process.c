#include "driver/process.h"

#include "base/strbuf.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

/* ---- temporary files: a list that only grows at its head, so that a handler may walk it at any moment ---- */

struct temp {
	struct temp *next;
	char *path;
};

static struct temp *volatile temps;
static char *volatile temp_directory;
static volatile pid_t child;

/* Called from signal handlers too: unlink and rmdir are all it may use. */
static void remove_files(void)
{
	for (struct temp *t = temps; t; t = t->next)
		unlink(t->path);
	if (temp_directory)
		rmdir(temp_directory);
}

void evr_temp_remove(void)
{
	remove_files();
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

char *evr_temp_file(const char *name)
{
	if (!temp_directory) {
		const char *parent = getenv("TMPDIR");
		char *directory = evr_format("%s/everett-XXXXXX", parent && *parent ? parent : "/tmp");
		if (!mkdtemp(directory))
			evr_die("cannot create a directory for temporary files '%s': %s", directory, strerror(errno));
		temp_directory = directory;
	}
	struct temp *t = evr_alloc(sizeof(*t));
	t->path = evr_format("%s/%s", temp_directory, name);
	t->next = temps;
	temps = t;
	return evr_strdup(t->path);
}

/* ---- signals ---- */

static void end_by_signal(int number)
{
	if (child > 0)
		kill(child, number == SIGINT || number == SIGHUP ? number : SIGTERM);
	remove_files();
	signal(number, SIG_DFL);
	raise(number);
}

static void ignore(int number)
{
	(void)number;
}

void evr_process_init(void)
{
	static const int ending[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL };
	struct sigaction action = { .sa_handler = end_by_signal };
	sigemptyset(&action.sa_mask);
	for (size_t i = 0; i < EVR_COUNT(ending); i++) {
		struct sigaction old;
		/* nohup and shells' background jobs ignore some: leave it so. */
		if (!sigaction(ending[i], NULL, &old) && old.sa_handler != SIG_IGN)
			sigaction(ending[i], &action, NULL);
	}
	/* A handler and not SIG_IGN, which children would inherit. */
	action.sa_handler = ignore;
	action.sa_flags = SA_RESTART;
	sigaction(SIGPIPE, &action, NULL);
	/* How far is it? While something is being compiled there is no answer. */
	sigaction(SIGUSR1, &action, NULL);
	atexit(evr_temp_remove);
}

/* ---- children ---- */

static int wait_for_child(void)
{
	int status;
	while (waitpid(child, &status, 0) < 0)
		if (errno != EINTR)
			evr_die("cannot wait for a child process: %s", strerror(errno));
	child = 0;
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

int evr_process_run(const evr_words *argv, const char *errors)
{
	char **words = evr_alloc((argv->len + 1) * sizeof(*words));
	memcpy(words, argv->data, argv->len * sizeof(*words));
	posix_spawn_file_actions_t actions;
	posix_spawn_file_actions_init(&actions);
	if (errors)
		posix_spawn_file_actions_addopen(&actions, 2, errors, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	pid_t pid;
	int failure = posix_spawnp(&pid, words[0], &actions, NULL, words, environ);
	posix_spawn_file_actions_destroy(&actions);
	free(words);
	if (failure)
		evr_die("cannot run '%s': %s", argv->data[0], strerror(failure));
	child = pid;
	return wait_for_child();
}

int evr_process_run_interactive(const evr_words *argv)
{
	struct sigaction action = { .sa_handler = ignore }, old;
	sigemptyset(&action.sa_mask);
	sigaction(SIGINT, &action, &old);
	int status = evr_process_run(argv, NULL);
	sigaction(SIGINT, &old, NULL);
	return status;
}

/* ---- small things ---- */

char *evr_read_file(const char *path)
{
	FILE *in = fopen(path, "re");
	if (!in)
		return NULL;
	struct evr_strbuf b;
	evr_strbuf_init(&b);
	char block[4096];
	while (!feof(in) && !ferror(in))
		evr_strbuf_add(&b, block, fread(block, 1, sizeof(block), in));
	fclose(in);
	return b.text;
}

double evr_now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

const char *evr_self(void)
{
	static char path[PATH_MAX];
	if (!*path) {
		ssize_t n = readlink("/proc/self/exe", path, sizeof(path) - 1);
		if (n <= 0)
			evr_die("cannot read '/proc/self/exe': %s", strerror(errno));
		path[n] = '\0';
	}
	return path;
}

char *evr_companion(const char *name)
{
	static const char *const places[] = { "", "../lib/everett/" };
	for (size_t i = 0; i < EVR_COUNT(places); i++) {
		char *path = evr_format("%s/%s%s", evr_self_directory(), places[i], name);
		if (!access(path, R_OK))
			return path;
		free(path);
	}
	evr_die("cannot find '%s' beside '%s'", name, evr_self());
}

const char *evr_self_directory(void)
{
	static char directory[PATH_MAX];
	if (!*directory) {
		const char *self = evr_self(), *slash = strrchr(self, '/');
		size_t n = slash > self ? (size_t)(slash - self) : 1;
		memcpy(directory, self, n);
	}
	return directory;
}
