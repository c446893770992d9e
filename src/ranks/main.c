/*
 * everett-mpi: one process for each rank of an MPI job. It carries what checkers on different machines say to each other (rank.h); rank 0 starts the driver, `everett`, with the
 * words of the command line, and its exit status is that of all ranks.
 *
 * Nothing but MPI connects the ranks. It is called by this thread alone, and never waits: between two looks for messages the process sleeps in poll() on the socket of its checker.
 */
#include "ranks/carrier.h"
#include "ranks/text.h"

#include <errno.h>
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

#define SHORT_NAP 50e-6 /* seconds: somebody waits for an answer */
#define NAP 300e-6
#define LONG_NAP 5e-3 /* nothing goes on */
#define JOB 0 /* tags: of what concerns the job, of the bytes of a checker; FIRST + session: of a search */
#define BYTES 1
#define FIRST 2
#define SESSIONS 30000

struct outgoing {
	MPI_Request request;
	char *text;
};

struct early {
	int from, session;
	char *text;
};

static struct {
	struct evr_carrier carrier;
	EVR_VEC(struct outgoing) sending;
	EVR_VEC(struct early) early; /* of searches that have not begun here */
	int status; /* of the job; -1: it goes on */
	bool told_interrupt;
	double busy_until;
} job = { .status = -1 };

static volatile sig_atomic_t interrupted, questioned;

/* ---- messages ---- */

static void send_tagged(int to, int tag, char *text, size_t n)
{
	struct outgoing o = { .text = text };
	if (n > INT32_MAX)
		evr_die("a message of %zu bytes is too long", n);
	MPI_Isend(text, (int)n, MPI_BYTE, to, tag, MPI_COMM_WORLD, &o.request);
	evr_vec_push(&job.sending, o);
}

static void send_text(int to, int session, char *text)
{
	send_tagged(to, FIRST + session % SESSIONS, text, strlen(text));
}

static void drop_sent(void)
{
	size_t kept = 0;
	for (size_t i = 0; i < job.sending.len; i++) {
		int done = 0;
		MPI_Test(&job.sending.data[i].request, &done, MPI_STATUS_IGNORE);
		if (done)
			free(job.sending.data[i].text);
		else
			job.sending.data[kept++] = job.sending.data[i];
	}
	job.sending.len = kept;
}

static void send_down(int tag, const char *text, size_t n)
{
	for (int i = 1; i <= 2; i++) {
		int child = 2 * job.carrier.rank + i;
		if (child >= job.carrier.ranks)
			continue;
		char *copy = evr_alloc(n + 1);
		memcpy(copy, text, n);
		send_tagged(child, tag, copy, n);
	}
}

static void begin(const char *line)
{
	struct evr_carrier *c = &job.carrier;
	evr_carrier_begin(c, line);
	size_t kept = 0, n = job.early.len;
	for (size_t i = 0; i < n; i++) {
		struct early e = job.early.data[i];
		if (e.session == c->session % SESSIONS) {
			evr_rank_hear(&c->protocol, e.from, e.text, c->now);
			free(e.text);
		} else {
			job.early.data[kept++] = e;
		}
	}
	job.early.len = kept;
}

static void hear_job(const char *text)
{
	send_down(JOB, text, strlen(text));
	if (evr_starts_with(text, "search\t"))
		begin(text);
	else if (evr_starts_with(text, "quit\t"))
		job.status = atoi(text + 5);
}

static void hear_search(int from, int session, char *text)
{
	struct evr_carrier *c = &job.carrier;
	if (session == c->session % SESSIONS && c->session) {
		if (c->active)
			evr_rank_hear(&c->protocol, from, text, c->now);
	} else if (session == (c->session + 1) % SESSIONS) {
		struct early e = { from, session, evr_strdup(text) };
		evr_vec_push(&job.early, e);
	}
}

/* The next message, if there is one. */
static bool hear(void)
{
	int there = 0, n;
	MPI_Status s;
	MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &there, &s);
	if (!there)
		return false;
	MPI_Get_count(&s, MPI_BYTE, &n);
	char *text = evr_alloc((size_t)n + 1);
	MPI_Recv(text, n, MPI_BYTE, s.MPI_SOURCE, s.MPI_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	if (s.MPI_TAG == JOB) {
		hear_job(text);
	} else if (s.MPI_TAG == BYTES) {
		send_down(BYTES, text, (size_t)n);
		evr_carrier_start_checker(&job.carrier, text, (size_t)n);
	} else {
		hear_search(s.MPI_SOURCE, s.MPI_TAG - FIRST, text);
	}
	free(text);
	return true;
}

/* ---- searches ---- */

static char *read_checker(const char *path, size_t *n)
{
	FILE *in = fopen(path, "re");
	struct evr_strbuf b;
	char block[65536];
	if (!in)
		evr_die("cannot open '%s': %s", path, strerror(errno));
	evr_strbuf_init(&b);
	for (size_t got; (got = fread(block, 1, sizeof(block), in)) > 0;)
		evr_strbuf_add(&b, block, got);
	fclose(in);
	*n = b.len;
	return evr_strbuf_take(&b);
}

void evr_carrier_searches(struct evr_carrier *c, const char *line)
{
	evr_fields f = { 0 };
	evr_fields_take(&f, line);
	size_t n;
	char *bytes = read_checker(f.data[2], &n);
	evr_carrier_end_session(c);
	send_down(JOB, line, strlen(line));
	send_down(BYTES, bytes, n);
	begin(line);
	free(bytes);
	evr_fields_release(&f);
}

/* ---- processes ---- */

static void on_interrupt(int number)
{
	(void)number;
	interrupted = interrupted + 1;
}

static void on_question(int number)
{
	(void)number;
	questioned = 1;
}

static void look_after_signals(void)
{
	struct evr_carrier *c = &job.carrier;
	if (questioned && !c->rank && c->pid > 0)
		kill(c->pid, SIGUSR1);
	questioned = 0;
	if (!interrupted || job.told_interrupt)
		return;
	job.told_interrupt = true;
	if (!c->rank && c->pid > 0)
		kill(c->pid, SIGINT);
	else if (c->active)
		evr_rank_record(&c->protocol, evr_strdup("limit\tinterrupted"));
}

static void look_after_process(void)
{
	struct evr_carrier *c = &job.carrier;
	int status;
	if (!evr_carrier_ended(c, &status))
		return;
	if (!c->rank) {
		while (evr_carrier_poll(c, 0))
			;
		evr_carrier_end_session(c);
		/* The driver has written the checkpoint, in which nothing is left of these searches. */
		if (status == EVR_OK || status == EVR_FINDING || status == EVR_INCOMPLETE)
			evr_carrier_remove_parts(c);
		char *text = evr_format("quit\t%d", status);
		hear_job(text);
		free(text);
	} else if (c->active) {
		while (c->fd >= 0 && evr_carrier_poll(c, 0))
			;
		char *how = status > 128 ? evr_format("signal %d", status - 128) : evr_format("exit status %d", status);
		evr_rank_record(&c->protocol,
				evr_format("error\t%d\trank %d (%s): the checker has ended (%s)%s", EVR_INTERNAL,
					   c->rank, c->host, how, status == 128 + SIGKILL ? "; out of memory?" : ""));
		free(how);
	}
}

/* Until the driver has ended and every rank knows. */
static void carry(void)
{
	struct evr_carrier *c = &job.carrier;
	while (job.status < 0) {
		bool done = false;
		c->now = evr_carrier_now();
		for (int i = 0; i < 64 && hear(); i++)
			done = true;
		double nap = c->active ? NAP : LONG_NAP;
		if (c->active) {
			double next = evr_rank_tick(&c->protocol, c->now) - c->now;
			nap = evr_rank_is_eager(&c->protocol, c->now) ? SHORT_NAP : nap;
			nap = next < nap ? next : nap;
		}
		drop_sent();
		done |= evr_carrier_poll(c, done || nap < 0 ? 0 : nap);
		look_after_signals();
		look_after_process();
	}
}

/* Whatever is still on its way is received, so that nobody waits for that. */
static void leave(void)
{
	struct evr_carrier *c = &job.carrier;
	MPI_Request everybody;
	int done = 0, status;
	while (job.sending.len || (c->rank && c->pid > 0)) {
		hear();
		drop_sent();
		evr_carrier_poll(c, SHORT_NAP);
		evr_carrier_ended(c, &status);
	}
	MPI_Ibarrier(MPI_COMM_WORLD, &everybody);
	while (!done) {
		hear();
		MPI_Test(&everybody, &done, MPI_STATUS_IGNORE);
		evr_carrier_poll(c, SHORT_NAP);
	}
}

/* ---- is this one job? ---- */

#define WORD 64

struct about {
	char version[WORD], machine[WORD], host[WORD];
};

static void describe(struct about *a)
{
	struct utsname u;
	memset(a, 0, sizeof(*a));
	uname(&u);
	snprintf(a->version, WORD, "%.*s", WORD - 1, EVR_VERSION);
	snprintf(a->machine, WORD, "%.*s", WORD - 1, u.machine);
	snprintf(a->host, WORD, "%.*s", WORD - 1, u.nodename);
}

/* All ranks must be able to run the same bytes, and speak the same protocol. Rank 0 says who is not. */
static bool agree(const struct about *own)
{
	struct evr_carrier *c = &job.carrier;
	struct about *all = evr_alloc((size_t)c->ranks * sizeof(*all));
	int fine = 1;
	MPI_Gather(own, sizeof(*own), MPI_BYTE, all, sizeof(*own), MPI_BYTE, 0, MPI_COMM_WORLD);
	for (int i = 1; i < c->ranks && !c->rank; i++) {
		if (strcmp(all[i].version, own->version) != 0)
			evr_warn(
				"rank %d (%s) has everett-mpi %s, and rank 0 (%s) has %s: all ranks need the same version",
				i, all[i].host, all[i].version, own->host, own->version);
		else if (strcmp(all[i].machine, own->machine) != 0)
			evr_warn(
				"rank %d (%s) is a machine of type %s, and rank 0 (%s) is of type %s: a checker runs on one type only",
				i, all[i].host, all[i].machine, own->host, own->machine);
		else
			continue;
		fine = 0;
	}
	free(all);
	MPI_Bcast(&fine, 1, MPI_INT, 0, MPI_COMM_WORLD);
	return fine;
}

/* ---- the command line ---- */

static int help(void)
{
	puts("everett-mpi explores one search on all ranks of an MPI job.\n\n"
	     "  mpirun [mpirun's options] everett-mpi check  [options] FILE.c... [-- ARGS]\n"
	     "  mpirun [mpirun's options] everett-mpi run    [options] CHECKER   [-- ARGS]\n"
	     "  mpirun [mpirun's options] everett-mpi robust [options] FILE.c... [-- ARGS]\n"
	     "  mpirun [mpirun's options] everett-mpi sample [options] FILE.c... [-- ARGS]\n"
	     "  mpirun [mpirun's options] everett-mpi resume [options] DIR\n\n"
	     "The options are those of 'everett COMMAND', which rank 0 runs; see 'everett COMMAND --help'. These mean\n"
	     "something else:\n\n"
	     "  -j N               workers on each rank; 0: one for each core of rank 0's machine (default 1)\n"
	     "  --checkpoint DIR   a directory that all ranks can write; 'everett-mpi resume DIR' continues with any number of\n"
	     "                     ranks, and so does 'everett resume DIR' on one machine\n\n"
	     "Option --classes is available on one machine only. Exit status: that of everett, on every rank.");
	return fflush(stdout) ? EVR_USAGE : EVR_OK;
}

static void require_command(const char *name)
{
	static const char *const commands[] = { "check", "run", "robust", "sample", "resume" };
	for (size_t i = 0; i < EVR_COUNT(commands); i++)
		if (!strcmp(commands[i], name))
			return;
	evr_die("'%s' is not a command of everett-mpi: these are check, run, robust, sample and resume (see 'everett-mpi --help')",
		name);
}

/* Beside this program. */
static char *driver_path(void)
{
	char own[4096];
	ssize_t n = readlink("/proc/self/exe", own, sizeof(own) - 1);
	if (n <= 0)
		evr_die("cannot read '/proc/self/exe': %s", strerror(errno));
	own[n] = '\0';
	*strrchr(own, '/') = '\0';
	return evr_format("%s/everett", own);
}

static void catch_signals(void)
{
	struct sigaction action = { .sa_handler = on_interrupt };
	sigemptyset(&action.sa_mask);
	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	action.sa_handler = on_question;
	action.sa_flags = SA_RESTART;
	sigaction(SIGUSR1, &action, NULL);
	signal(SIGPIPE, SIG_IGN);
}

static int run(int argc, char **argv)
{
	struct evr_carrier *c = &job.carrier;
	struct about own;
	MPI_Comm_rank(MPI_COMM_WORLD, &c->rank);
	MPI_Comm_size(MPI_COMM_WORLD, &c->ranks);
	describe(&own);
	c->host = own.host;
	c->send = send_text;
	c->fd = -1;
	evr_strbuf_init(&c->in);
	evr_strbuf_init(&c->out);
	if (!agree(&own))
		return EVR_USAGE;
	if (!c->rank) {
		char **words = evr_alloc(((size_t)argc + 1) * sizeof(*words));
		memcpy(words, argv, (size_t)argc * sizeof(*words));
		words[0] = driver_path();
		evr_carrier_start_driver(c, words);
	}
	carry();
	leave();
	return job.status;
}

int main(int argc, char **argv)
{
	if (argc < 2)
		evr_die("no command (see 'everett-mpi --help')");
	if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h"))
		return help();
	if (!strcmp(argv[1], "--version"))
		return printf("everett-mpi %s\n", EVR_VERSION) < 0;
	require_command(argv[1]);
	catch_signals();
	MPI_Init(&argc, &argv);
	int status = run(argc, argv);
	MPI_Finalize();
	return status;
}
