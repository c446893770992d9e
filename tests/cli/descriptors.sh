#!/bin/bash
# Pipes, sockets, eventfds, poll() and futexes: what the calls return, here and on this machine; and what is a finding.
. "$(dirname "$0")/lib.bash"

cat >calls.c <<'END'
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/futex.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#define FAILS(call, number) assert((errno = 0, (call) == -1) && errno == (number))

static int p[2], s[2], handled;
static char big[70000], got[70000];

static void handle(int number) { handled += number == SIGPIPE; }

static void pipes(void)
{
	char c[4] = "";
	assert(!pipe2(p, O_NONBLOCK | O_CLOEXEC));
	FAILS(read(p[0], c, 1), EAGAIN);
	FAILS(read(p[1], c, 1), EBADF);
	FAILS(write(p[0], c, 1), EBADF);
	FAILS(lseek(p[0], 0, SEEK_SET), ESPIPE);
	FAILS(pread(p[0], c, 1, 0), ESPIPE);
	FAILS(pwrite(p[1], c, 1, 0), ESPIPE);
	assert(read(p[0], c, 0) == 0 && write(p[1], c, 0) == 0);
	assert(write(p[1], "abc", 3) == 3 && read(p[0], c, 2) == 2 && !memcmp(c, "ab", 2) && read(p[0], c, 4) == 1 && c[0] == 'c');
	struct iovec v[] = { { "1", 1 }, { "23", 2 } };
	assert(writev(p[1], v, 2) == 3 && read(p[0], c, 4) == 3 && !memcmp(c, "123", 3));
	/* Up to PIPE_BUF all or nothing. */
	assert(write(p[1], big, 65536) == 65536);
	FAILS(write(p[1], big, 1), EAGAIN);
	assert(read(p[0], got, 4096) == 4096 && write(p[1], big, 4096) == 4096);
	FAILS(write(p[1], big, PIPE_BUF), EAGAIN);
	assert(read(p[0], got, 1) == 1);
	FAILS(write(p[1], big, 2), EAGAIN);
	assert(fcntl(p[0], F_GETFL) & O_NONBLOCK && !fcntl(p[0], F_SETFL, 0) && !(fcntl(p[0], F_GETFL) & O_NONBLOCK));
	assert(!close(p[1]));
	for (int n = 65535; n > 0;)
		n -= (int)read(p[0], got, sizeof(got));
	assert(read(p[0], c, 1) == 0 && read(p[0], c, 1) == 0);
	assert(!close(p[0]));
	FAILS(close(p[0]), EBADF);
	FAILS(read(p[0], c, 1), EBADF);
	assert(!pipe(p) && !close(p[0]));
	signal(SIGPIPE, SIG_IGN);
	FAILS(write(p[1], c, 1), EPIPE);
	signal(SIGPIPE, handle);
	FAILS(write(p[1], c, 1), EPIPE);
	assert(handled == 1 && !close(p[1]));
}

static void sockets(void)
{
	char c[4] = "";
	assert(!socketpair(AF_UNIX, SOCK_STREAM, 0, s));
	assert(send(s[0], "xy", 2, 0) == 2 && recv(s[1], c, 4, 0) == 2 && c[1] == 'y');
	assert(write(s[1], "z", 1) == 1 && read(s[0], c, 4) == 1 && c[0] == 'z');
	FAILS(recv(s[0], c, 1, MSG_DONTWAIT), EAGAIN);
	assert(!close(s[1]) && recv(s[0], c, 1, 0) == 0);
	FAILS(send(s[0], c, 1, MSG_NOSIGNAL), EPIPE);
	assert(handled == 1 && !close(s[0]));
}

static void counters(void)
{
	uint64_t n = UINT64_MAX;
	int fd = eventfd(5, EFD_NONBLOCK), by_one = eventfd(2, EFD_SEMAPHORE | EFD_NONBLOCK);
	FAILS(write(fd, &n, 8), EINVAL);
	FAILS(write(fd, &n, 7), EINVAL);
	FAILS(read(fd, &n, 7), EINVAL);
	n = UINT64_MAX - 1;
	FAILS(write(fd, &n, 8), EAGAIN);
	assert(read(fd, &n, 8) == 8 && n == 5);
	FAILS(read(fd, &n, 8), EAGAIN);
	assert(read(by_one, &n, 8) == 8 && n == 1 && read(by_one, &n, 8) == 8 && n == 1);
	FAILS(read(by_one, &n, 8), EAGAIN);
	FAILS(eventfd(0, 1 << 30), EINVAL);
	assert(!close(fd) && !close(by_one));
}

static void polls(void)
{
	int fd = eventfd(0, 0);
	assert(!pipe(p) && !socketpair(AF_UNIX, SOCK_STREAM, 0, s));
	struct pollfd f[] = { { p[0], POLLIN, 9 }, { p[1], POLLOUT, 9 }, { s[0], POLLIN | POLLOUT, 9 }, { -1, POLLIN, 9 },
			      { fd, POLLIN | POLLOUT, 9 }, { 999, POLLIN, 9 } };
	assert(poll(f, 6, 0) == 4 && !f[0].revents && f[1].revents == POLLOUT && f[2].revents == POLLOUT && !f[3].revents &&
	       f[4].revents == POLLOUT && f[5].revents == POLLNVAL);
	assert(write(p[1], "a", 1) == 1 && write(s[1], "b", 1) == 1 && !eventfd_write(fd, 1));
	assert(poll(f, 5, -1) == 4 && f[0].revents == POLLIN && f[2].revents == (POLLIN | POLLOUT) && f[4].revents == (POLLIN | POLLOUT));
	assert(!close(p[1]) && !close(s[1]));
	assert(poll(f, 1, -1) == 1 && f[0].revents == (POLLIN | POLLHUP));
	assert(poll(f + 2, 1, -1) == 1 && f[2].revents == (POLLIN | POLLOUT | POLLHUP));
	assert(!close(p[0]) && !close(s[0]) && !close(fd));
	assert(!pipe(p) && !close(p[0]));
	f[1].fd = p[1];
	assert(poll(f + 1, 1, -1) == 1 && f[1].revents == (POLLOUT | POLLERR));
	assert(!close(p[1]));
}

static void futexes(void)
{
	static uint32_t word = 7;
	struct timespec bad = { 0, -1 };
	FAILS(syscall(SYS_futex, &word, FUTEX_WAIT, 6, NULL, NULL, 0), EAGAIN);
	FAILS(syscall(SYS_futex, &word, FUTEX_WAIT, 7, &bad, NULL, 0), EINVAL);
	FAILS(syscall(SYS_futex, (char *)&word + 1, FUTEX_WAIT, 6, NULL, NULL, 0), EINVAL);
	FAILS(syscall(SYS_futex, &word, FUTEX_WAIT_BITSET, 6, NULL, NULL, 0), EINVAL);
	assert(syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0) == 0);
}

int main(void)
{
	pipes();
	sockets();
	counters();
	polls();
	futexes();
	return 0;
}
END
gcc -w -pthread calls.c -o native && run 0 ./native
for model in sc tso rc11; do
	run 0 "$EVERETT" check -q -m $model calls.c; has err 'ok, 1 execution, complete'
done

# What does not fit waits until somebody reads, and arrives in order.
cat >full.c <<'END'
#include <assert.h>
#include <pthread.h>
#include <unistd.h>
static int p[2];
static char big[66000], got[66000];
static void *work(void *a) { assert(write(p[1], big, sizeof(big)) == sizeof(big)); close(p[1]); return a; }
int main(void)
{
	pthread_t t;
	size_t sum = 0;
	ssize_t n;
	for (size_t i = 0; i < sizeof(big); i++)
		big[i] = (char)(i / 1000);
	assert(!pipe(p));
	pthread_create(&t, NULL, work, NULL);
	while ((n = read(p[0], got + sum, sizeof(got) - sum)) > 0)
		sum += (size_t)n;
	pthread_join(t, NULL);
	for (size_t i = 0; i < sizeof(big); i++)
		assert(sum == sizeof(big) && got[i] == (char)(i / 1000));
	return 0;
}
END
run 0 "$EVERETT" check -q -m sc full.c; has err 'ok, [0-9]* executions, complete'
sed -i 's/while ((n =/if ((n =/' full.c
run 1 "$EVERETT" check -m sc full.c; has err 'FINDING'

# finding WORK MAIN STATUS PATTERN: what a thread does, and main meanwhile
finding()
{
	cat >finding.c <<END
#include <assert.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>
static int p[2];
static char c;
static void *work(void *a) { $1; return a; }
int main(void)
{
	pthread_t t;
	assert(!pipe(p));
	pthread_create(&t, NULL, work, NULL);
	$2;
	pthread_join(t, NULL);
	return 0;
}
END
	run "$3" "$EVERETT" check -k -m sc finding.c
	cat err >>out; has out "$4"
}
finding 'read(p[0], &c, 1)' '' 1 'thread 1 waits for descriptor 3, and no thread is left to write to it'
finding 'struct pollfd f[] = { { p[0], POLLIN } }; poll(f, 1, -1)' '' 1 'thread 1 waits for poll 1, and no thread is left to wake it'
finding 'close(p[0])' 'write(p[1], &c, 1)' 1 'crash.*Broken pipe'
finding 'close(p[1])' 'write(p[1], &c, 1)' 1 'use-after-free: a descriptor is used after another thread has closed it'
finding 'close(p[1])' 'assert(read(p[0], &c, 1) == 0)' 0 'ok, 1 execution'
finding '' 'write(p[1], &c, 1); read(p[0], &c, 1); FILE *f = fdopen(p[0], "r"); fgets(&c, 1, f)' 2 'are supported only as descriptors'
finding '' 'int s[2]; socketpair(AF_UNIX, SOCK_DGRAM, 0, s)' 2 'socketpair of anything but'

# Nobody runs out of time while there is something; with a limit, a wait that is in vain is no deadlock.
finding '' 'struct pollfd f[] = { { p[0], POLLIN } }; assert(!poll(f, 1, 5))' 0 'ok, 1 execution'
finding 'write(p[1], &c, 1)' 'struct pollfd f[] = { { p[0], POLLIN } }; if (poll(f, 1, 5)) assert(read(p[0], &c, 1) == 1)' 0 'ok, 3 executions'

# If both sleep, a wake-up of one may be of either.
cat >either.c <<'END'
#define _GNU_SOURCE
#include <assert.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>
static atomic_int word, awake[2];
static long futex(int operation, int n) { return syscall(SYS_futex, &word, operation, n, NULL, NULL, 0); }
static void *work(void *a)
{
	futex(FUTEX_WAIT, 0);
	atomic_store((atomic_int *)a, 1);
	return NULL;
}
int main(void)
{
	pthread_t t[2];
	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, work, &awake[i]);
	atomic_store(&word, 1);
	long n = futex(FUTEX_WAKE, 1);
	int first = atomic_load(&awake[0]), second = atomic_load(&awake[1]);
	/* Nobody falls asleep any more: if there is one now, both slept. */
	long more = futex(FUTEX_WAKE, 100);
	assert(n <= 1 && more <= 1 && (n || !more));
	assert(!(more && first && second));
	assert(!(more && first));
	assert(!(more && second));
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	return 0;
}
END
run 1 "$EVERETT" check -k -m sc either.c
has out 'either.c:28:.*assertion' 'either.c:29:.*assertion'; hasnot out 'either.c:2[67]:.*assertion'; hasnot out 'deadlock'

# The same counts and findings by several workers, and the same execution again in a replay.
finding 'write(p[1], &c, 1); write(p[1], "b", 1)' 'char d[2]; ssize_t n = read(p[0], d, 2); assert(n == 1)' 1 'assertion: n == 1'
run 1 "$EVERETT" check -q -k -m sc finding.c; sed 's/ (.*//' err >one
run 1 "$EVERETT" check -q -k -j 2 -m sc --json report.json finding.c; sed 's/ (.*//' err >two
cmp -s one two || fail "with two workers: $(cat one two)"
run 1 "$EVERETT" replay -q report.json
finish
