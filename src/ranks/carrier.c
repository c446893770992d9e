/* See carrier.h. Lines are taken when their newline has come; what the checker does not read yet waits in `out`, so that neither side waits for the other. */
#include "ranks/carrier.h"

#include "ranks/files.h"
#include "ranks/text.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define SAVING 2.0 /* seconds between two epochs */
#define CHECKER "EVERETT_CHECKER="

double evr_carrier_now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* ---- what the protocol asks for ---- */

static void send_message(void *self, int to, char *text)
{
	struct evr_carrier *c = self;
	c->send(to, c->session, text);
}

static void tell(void *self, const char *line)
{
	struct evr_carrier *c = self;
	evr_strbuf_puts(&c->out, line);
	evr_strbuf_putc(&c->out, '\n');
}

static bool was_written(const struct evr_carrier *c, int why)
{
	if (why)
		evr_warn("rank %d (%s) cannot write to '%s': %s", c->rank, c->host, c->directory, strerror(why));
	return !why;
}

static bool write_part(void *self, unsigned long long epoch, const char *text)
{
	struct evr_carrier *c = self;
	/* Nobody will need what is older than the last valid epoch. */
	evr_files_remove(c->directory, c->model, c->protocol.valid, c->rank);
	return was_written(c, evr_files_write_part(c->directory, c->model, epoch, c->rank, text));
}

static bool epoch_complete(void *self, unsigned long long epoch)
{
	struct evr_carrier *c = self;
	if (!was_written(c, evr_files_write_list(c->directory, c->model, epoch, c->ranks)))
		return false;
	/* Those of an earlier job, which may have had more ranks. */
	if (!c->protocol.valid)
		evr_files_remove(c->directory, c->model, epoch, -1);
	return true;
}

static void ended(void *self)
{
	struct evr_carrier *c = self;
	c->active = false;
}

static const char *host(void *self)
{
	return ((struct evr_carrier *)self)->host;
}

static const struct evr_rank_ops operations = {
	.send = send_message,
	.tell = tell,
	.write_part = write_part,
	.epoch_complete = epoch_complete,
	.ended = ended,
	.host = host,
};

/* ---- sessions ---- */

void evr_carrier_end_session(struct evr_carrier *c)
{
	if (c->active)
		evr_rank_end(&c->protocol);
	if (c->session && c->protocol.over && c->protocol.saves && c->model && !c->rank)
		evr_vec_push(&c->over, evr_strdup(c->model));
}

/* It is searched (again). */
static void forget_over(struct evr_carrier *c)
{
	size_t kept = 0;
	for (size_t i = 0; i < c->over.len; i++)
		if (strcmp(c->over.data[i], c->model) != 0)
			c->over.data[kept++] = c->over.data[i];
		else
			free(c->over.data[i]);
	c->over.len = kept;
}

void evr_carrier_remove_parts(struct evr_carrier *c)
{
	for (size_t i = 0; i < c->over.len; i++) {
		evr_files_remove_list(c->directory, c->over.data[i]);
		evr_files_remove(c->directory, c->over.data[i], (unsigned long long)-1, -1);
	}
}

static void close_socket(struct evr_carrier *c)
{
	close(c->fd);
	c->fd = -1;
	evr_strbuf_clear(&c->out);
	evr_strbuf_clear(&c->in);
}

/* It has been told to, or the session is over without its doing. */
static void end_checker(struct evr_carrier *c)
{
	if (c->fd >= 0)
		close_socket(c);
	if (c->pid <= 0)
		return;
	kill(c->pid, SIGKILL);
	while (waitpid(c->pid, NULL, 0) < 0 && errno == EINTR)
		;
	c->pid = 0;
}

void evr_carrier_begin(struct evr_carrier *c, const char *line)
{
	evr_carrier_end_session(c);
	if (c->rank)
		end_checker(c);
	if (c->session)
		evr_rank_release(&c->protocol);
	c->session++;
	c->active = true;
	free(c->search);
	c->search = evr_strdup(line);
	evr_rank_init(&c->protocol, &operations, c, c->rank, c->ranks);
	c->protocol.saving_every = SAVING;
	c->protocol.saves = !strncmp(line, "search\t1", 8);
}

/* "directory" and "search" come from the driver, all else from its checker. */
static void take_line(struct evr_carrier *c, const char *line)
{
	evr_fields f = { 0 };
	if (evr_starts_with(line, "directory\t")) {
		evr_fields_take(&f, line);
		free(c->directory);
		c->directory = evr_strdup(f.data[1]);
		evr_fields_release(&f);
		return;
	}
	if (evr_starts_with(line, "search\t")) {
		char *all = evr_format("%s\t%s", line, c->directory ? c->directory : "");
		evr_carrier_searches(c, all);
		free(all);
		return;
	}
	if (!c->active)
		return;
	if (evr_starts_with(line, "ready\t")) {
		evr_fields_take(&f, line);
		free(c->model);
		c->model = evr_strdup(f.data[1]);
		evr_fields_release(&f);
		forget_over(c);
		if (c->protocol.saves && !c->rank)
			c->protocol.epoch = c->protocol.first_epoch = evr_files_last_epoch(c->directory, c->model);
		if (!c->rank)
			tell(c, "welcome");
	}
	evr_rank_line(&c->protocol, line, c->now);
}

/* ---- processes ---- */

static int make_socket(struct evr_carrier *c)
{
	int ends[2];
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends))
		evr_die("cannot make a socket: %s", strerror(errno));
	fcntl(ends[0], F_SETFL, O_NONBLOCK);
	c->fd = ends[0];
	return ends[1];
}

/* mpirun signals process groups: what a signal means is decided here, once. */
static void die_with_parent(pid_t parent)
{
	setpgid(0, 0);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(EVR_INTERNAL);
	signal(SIGINT, SIG_DFL);
	signal(SIGTERM, SIG_DFL);
	signal(SIGUSR1, SIG_DFL);
	signal(SIGPIPE, SIG_DFL);
}

void evr_carrier_start_driver(struct evr_carrier *c, char **argv)
{
	int fd = make_socket(c);
	pid_t parent = getpid();
	char *number = evr_format("%d", fd);
	setenv("EVERETT_RANKS", number, 1);
	free(number);
	c->pid = fork();
	if (!c->pid) {
		die_with_parent(parent);
		fcntl(fd, F_SETFD, 0);
		execv(argv[0], argv);
		evr_warn("cannot run '%s': %s", argv[0], strerror(errno));
		_exit(EVR_USAGE);
	}
	if (c->pid < 0)
		evr_die("cannot start a process: %s", strerror(errno));
	unsetenv("EVERETT_RANKS");
	close(fd);
}

/* Addresses must be the same on every rank, as in driver/launch.c. */
_Noreturn static void become(const evr_fields *f, int program, int fd, pid_t parent)
{
	size_t argc = strtoul(f->data[3], NULL, 10);
	char **argv = evr_alloc((argc + 1) * sizeof(*argv)), **environment = evr_alloc((f->len + 1) * sizeof(*argv));
	memcpy(argv, f->data + 4, argc * sizeof(*argv));
	memcpy(environment, f->data + 4 + argc, (f->len - 5 - argc) * sizeof(*argv));
	int old = personality(0xffffffff);
	if (old != -1)
		personality((unsigned long)old | ADDR_NO_RANDOMIZE);
	die_with_parent(parent);
	signal(SIGUSR1, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN);
	fcntl(fd, F_SETFD, 0);
	fexecve(program, argv, environment);
	evr_warn("cannot run the checker: %s", strerror(errno));
	_exit(EVR_USAGE);
}

static int keep_bytes(const char *bytes, size_t n)
{
	int fd = memfd_create("checker", MFD_CLOEXEC);
	for (size_t done = 0; fd >= 0 && done < n;) {
		ssize_t wrote = write(fd, bytes + done, n - done);
		if (wrote < 0 && errno != EINTR)
			evr_die("cannot keep the checker: %s", strerror(errno));
		done += wrote > 0 ? (size_t)wrote : 0;
	}
	if (fd < 0)
		evr_die("cannot keep the checker: %s", strerror(errno));
	return fd;
}

/* What this rank is told besides what rank 0's checker is. Later words count. */
static void change_words(evr_fields *f, int rank, int fd)
{
	for (size_t i = 4; i < f->len; i++) {
		if (!evr_starts_with(f->data[i], CHECKER))
			continue;
		char *words = evr_format("%s fd=%d ranks-fd=%d rank=%d resume-fd=-1 shard=0 estimate=0", f->data[i], fd,
					 fd, rank);
		free(f->data[i]);
		f->data[i] = words;
	}
}

void evr_carrier_start_checker(struct evr_carrier *c, const char *bytes, size_t n)
{
	evr_fields f = { 0 };
	int fd = make_socket(c), program = keep_bytes(bytes, n);
	pid_t parent = getpid();
	evr_fields_take(&f, c->search);
	change_words(&f, c->rank, fd);
	free(c->directory);
	c->directory = evr_strdup(f.data[f.len - 1]);
	c->pid = fork();
	if (!c->pid)
		become(&f, program, fd, parent);
	if (c->pid < 0)
		evr_die("cannot start a process: %s", strerror(errno));
	evr_fields_release(&f);
	close(program);
	close(fd);
}

bool evr_carrier_ended(struct evr_carrier *c, int *status)
{
	int how;
	if (c->pid <= 0 || waitpid(c->pid, &how, WNOHANG) != c->pid)
		return false;
	*status = WIFSIGNALED(how) ? 128 + WTERMSIG(how) : WEXITSTATUS(how);
	c->pid = 0;
	return true;
}

/* ---- the socket ---- */

static bool flush(struct evr_carrier *c)
{
	if (c->fd < 0 || !c->out.len)
		return false;
	ssize_t n = send(c->fd, c->out.text, c->out.len, MSG_NOSIGNAL);
	if (n <= 0)
		return false;
	memmove(c->out.text, c->out.text + n, c->out.len - (size_t)n);
	evr_strbuf_shorten(&c->out, c->out.len - (size_t)n);
	return true;
}

static bool receive(struct evr_carrier *c)
{
	static char block[1 << 16];
	ssize_t n = read(c->fd, block, sizeof(block));
	if (n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR)) {
		close_socket(c);
		return true;
	}
	for (const char *p = block; n > 0 && p < block + n;) {
		const char *end = memchr(p, '\n', (size_t)(block + n - p));
		evr_strbuf_add(&c->in, p, (size_t)((end ? end : block + n) - p));
		if (!end)
			break;
		p = end + 1;
		take_line(c, c->in.text);
		evr_strbuf_clear(&c->in);
	}
	return n > 0;
}

bool evr_carrier_poll(struct evr_carrier *c, double seconds)
{
	flush(c);
	struct pollfd p = { .fd = c->fd, .events = (short)(POLLIN | (c->out.len ? POLLOUT : 0)) };
	struct timespec wait = { .tv_sec = 0, .tv_nsec = (long)(seconds * 1e9) };
	int n = ppoll(&p, 1, &wait, NULL);
	c->now = evr_carrier_now();
	bool done = n > 0 && p.revents & (POLLIN | POLLHUP | POLLERR) && receive(c);
	return flush(c) || done;
}
