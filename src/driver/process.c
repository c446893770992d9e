/*
 * Signals, child processes, and where Everett's own files are.
 *
 * Invariant: `child` is the process that evr_process_run() waits for, or 0, so a signal that ends us ends it, too. Handlers call
 * only async-signal-safe functions.
 */
#include "driver/process.h"

#include "base/strbuf.h"
#include "driver/temp.h"

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

static volatile pid_t child;

/* ---- signals ---- */

static void end_by_signal(int number)
{
	if (child > 0)
		kill(child, number == SIGINT || number == SIGHUP ? number : SIGTERM);
	evr_temp_remove_now();
	signal(number, SIG_DFL);
	raise(number);
}

/* A fault of ours, or of LLVM, which aborts when there is no memory: that is not how the program under test ends. */
static void end_by_fault(int number)
{
	static const char text[] = "everett: internal error, or out of memory: Everett itself was killed by signal ";
	char digits[] = { (char)('0' + number / 10 % 10), (char)('0' + number % 10), '\n' };
	if (child > 0)
		kill(child, SIGTERM);
	evr_temp_remove_now();
	if (write(STDERR_FILENO, text, sizeof(text) - 1) > 0 && write(STDERR_FILENO, digits, sizeof(digits)) > 0)
		_exit(EVR_INTERNAL);
	_exit(EVR_INTERNAL);
}

static void ignore(int number)
{
	(void)number;
}

/* What is opened later must not become standard output by accident; and what is written to a closed one is an error. */
static void open_standard_files(void)
{
	static const int modes[] = { O_RDONLY, O_RDONLY, O_RDWR };
	for (int fd = 0; fd < 3; fd++)
		if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", modes[fd]) != fd)
			_exit(EVR_USAGE);
}

/* nohup and shells' background jobs ignore some: leave it so. */
static void handle(int number, void (*handler)(int), int flags)
{
	struct sigaction action = { .sa_handler = handler, .sa_flags = flags }, old;
	sigemptyset(&action.sa_mask);
	if (!sigaction(number, NULL, &old) && old.sa_handler != SIG_IGN)
		sigaction(number, &action, NULL);
}

/* Before anybody else's constructors: LLVM's take memory, and abort if there is none. */
__attribute__((constructor(101))) static void handle_faults(void)
{
	static const int faults[] = { SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL };
	for (size_t i = 0; i < EVR_COUNT(faults); i++)
		handle(faults[i], end_by_fault, 0);
}

void evr_process_init(void)
{
	static const int ending[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT };
	open_standard_files();
	evr_json_init();
	for (size_t i = 0; i < EVR_COUNT(ending); i++)
		handle(ending[i], end_by_signal, 0);
	/* Handlers and not SIG_IGN, which children would inherit. Too large a file (ulimit -f) is an error of write(), too. */
	struct sigaction action = { .sa_handler = ignore, .sa_flags = SA_RESTART };
	sigemptyset(&action.sa_mask);
	sigaction(SIGPIPE, &action, NULL);
	sigaction(SIGXFSZ, &action, NULL);
	/* How far is it? While something is being compiled there is no answer. */
	sigaction(SIGUSR1, &action, NULL);
	/* If whoever started us ignores it, children could not be waited for. */
	signal(SIGCHLD, SIG_DFL);
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
	int failure = 0;
	if (errors)
		failure = posix_spawn_file_actions_addopen(&actions, 2, errors, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	pid_t pid;
	if (!failure)
		failure = posix_spawnp(&pid, words[0], &actions, NULL, words, environ);
	posix_spawn_file_actions_destroy(&actions);
	free(words);
	if (failure)
		evr_die("cannot run '%s': %s", argv->data[0], strerror(failure));
	child = pid;
	return wait_for_child();
}

/* What the child prints on `from` goes to `out`, and the rest nowhere; it is told nothing. */
static pid_t spawn_into(char **words, int from, int out)
{
	int other = from == STDOUT_FILENO ? STDERR_FILENO : STDOUT_FILENO;
	posix_spawn_file_actions_t actions;
	posix_spawn_file_actions_init(&actions);
	pid_t pid = -1;
	if (posix_spawn_file_actions_adddup2(&actions, out, from) ||
	    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0) ||
	    posix_spawn_file_actions_addopen(&actions, other, "/dev/null", O_WRONLY, 0) ||
	    posix_spawnp(&pid, words[0], &actions, NULL, words, environ))
		pid = -1;
	posix_spawn_file_actions_destroy(&actions);
	return pid;
}

static void read_all(int fd, struct evr_strbuf *b)
{
	char block[4096];
	ssize_t n;
	while ((n = read(fd, block, sizeof(block))) > 0 || (n < 0 && errno == EINTR))
		if (n > 0)
			evr_strbuf_add(b, block, (size_t)n);
}

struct evr_process evr_process_start(const evr_words *argv, int from)
{
	struct evr_process p = { .pid = -1, .out = -1 };
	int ends[2];
	if (pipe2(ends, O_CLOEXEC))
		return p;
	char **words = evr_alloc((argv->len + 1) * sizeof(*words));
	memcpy(words, argv->data, argv->len * sizeof(*words));
	p.pid = spawn_into(words, from, ends[1]);
	p.out = ends[0];
	close(ends[1]);
	free(words);
	return p;
}

char *evr_process_finish(struct evr_process *p)
{
	int status = -1;
	struct evr_strbuf b;
	evr_strbuf_init(&b);
	if (p->pid && p->out >= 0) {
		read_all(p->out, &b);
		close(p->out);
	}
	while (p->pid > 0 && waitpid(p->pid, &status, 0) < 0 && errno == EINTR)
		;
	bool answered = p->pid > 0 && !status;
	p->pid = 0;
	if (answered)
		return evr_strbuf_take(&b);
	evr_strbuf_release(&b);
	return NULL;
}

char *evr_process_answer(const evr_words *argv)
{
	struct evr_process p = evr_process_start(argv, STDOUT_FILENO);
	return evr_process_finish(&p);
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
	bool failed = ferror(in);
	fclose(in);
	if (!failed)
		return b.text;
	evr_strbuf_release(&b);
	errno = EIO;
	return NULL;
}

void evr_remove_output(const char *path)
{
	struct stat st;
	if (!lstat(path, &st) && S_ISREG(st.st_mode))
		unlink(path);
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
	static const char *const folders[] = { "", "../lib/everett/" };
	for (size_t i = 0; i < EVR_COUNT(folders); i++) {
		char *path = evr_format("%s/%s%s", evr_self_directory(), folders[i], name);
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
