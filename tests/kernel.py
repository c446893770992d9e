#!/usr/bin/env python3
"""What pipes, pairs of sockets, eventfds, poll() and futexes do, defined on its own: random small programs, and all outcomes of each.

    kernel.py SEED DIR

writes DIR/program.c, whose assertions fail one for each outcome, and DIR/expected, the findings that there must be: the outcomes that
the definition reaches by trying all interleavings of atomic calls, and whether some interleaving leaves threads waiting for ever.
"""
import random
import sys

MOST = 2**64 - 2
AGAIN, TIMEDOUT, BROKEN = -1, -2, -3


class Kernel:
    """The state between two calls, as tuples, so that it can be a key: channels, futexes, and of each thread what it has done."""

    def __init__(self, channels, words, threads):
        self.channels = channels  # (bytes or count, readers, writers)
        self.words = words
        self.threads = threads  # (position, results, sleeps at this word or None, woken)

    def key(self):
        return (self.channels, self.words, self.threads)

    def put(self, channels=None, words=None, threads=None):
        return Kernel(channels or self.channels, words or self.words, threads or self.threads)


def changed(values, i, value):
    return values[:i] + (value,) + values[i + 1:]


def done(k, t, result):
    position, results, _, _ = k.threads[t]
    return k.put(threads=changed(k.threads, t, (position + 1, results + (result,), None, False)))


def readable(channel):
    return bool(channel[0]) or channel[2] == 0


def read(k, t, c, n, kind, wait):
    data, readers, writers = k.channels[c]
    if not readable(k.channels[c]):
        return [] if wait else [done(k, t, AGAIN)]
    if kind == 'count':
        taken, left = (data, 0) if n == 8 else (1, data - 1)
        result = taken % 1000
    else:
        taken, left = data[:n], data[n:]
        result = int('0' + ''.join(taken))
    return [done(k.put(channels=changed(k.channels, c, (left, readers, writers))), t, result)]


def write(k, t, c, what, kind, wait):
    data, readers, writers = k.channels[c]
    if kind == 'count':
        if data + what > MOST:
            return [] if wait else [done(k, t, AGAIN)]
        return [done(k.put(channels=changed(k.channels, c, (data + what, readers, writers))), t, 8)]
    if not readers:
        return [done(k, t, BROKEN)]
    return [done(k.put(channels=changed(k.channels, c, (data + tuple(what), readers, writers))), t, len(what))]


def close(k, t, c, end):
    data, readers, writers = k.channels[c]
    now = (data, readers - (end == 'reader'), writers - (end == 'writer'))
    return [done(k.put(channels=changed(k.channels, c, now)), t, 0)]


def poll(k, t, asked, limit, kinds):
    found = 0
    for bit, (c, end) in enumerate(asked):
        data, readers, writers = k.channels[c]
        if end == 'reader':
            ready = readable(k.channels[c])
        else:
            ready = readers == 0 or (kinds[c] != 'count' or data < MOST)
        found |= ready << bit
    if found or limit == 0:
        return [done(k, t, found)]
    return [done(k, t, 0)] if limit > 0 else []


def subsets(values, n):
    if n == 0:
        return [()]
    return [(v,) + rest for i, v in enumerate(values) for rest in subsets(values[i + 1:], n - 1)]


def wait(k, t, word, value, timed):
    if k.words[word] != value:
        return [done(k, t, AGAIN)]
    position, results, _, _ = k.threads[t]
    nexts = [k.put(threads=changed(k.threads, t, (position, results, word, False)))]
    return nexts + ([done(k, t, TIMEDOUT)] if timed else [])


def wake(k, t, word, n):
    asleep = [i for i, thread in enumerate(k.threads) if thread[2] == word]
    nexts = []
    for some in subsets(asleep, min(n, len(asleep))):
        threads = k.threads
        for i in some:
            threads = changed(threads, i, threads[i][:2] + (None, True))
        nexts.append(done(k.put(threads=threads), t, len(some)))
    return nexts


def step(k, t, program, kinds):
    position, results, sleeps, woken = k.threads[t]
    if sleeps is not None or position == len(program[t]):
        return []
    if woken:
        return [done(k, t, 0)]
    name, *args = program[t][position]
    if name == 'read':
        return read(k, t, args[0], args[1], kinds[args[0]], args[2])
    if name == 'write':
        return write(k, t, args[0], args[1], kinds[args[0]], args[2])
    if name == 'close':
        return close(k, t, *args)
    if name == 'poll':
        return poll(k, t, args[0], args[1], kinds)
    if name == 'wait':
        return wait(k, t, *args)
    if name == 'wake':
        return wake(k, t, *args)
    return [done(k.put(words=changed(k.words, args[0], args[1])), t, 0)]


def explore(program, kinds, words):
    channels = tuple((0 if kind == 'count' else (), 1, 1) for kind in kinds)
    start = Kernel(channels, words, tuple((0, (), None, False) for _ in program))
    seen, work, outcomes, stuck = {start.key()}, [start], set(), False
    while work:
        k = work.pop()
        nexts = [n for t in range(len(program)) for n in step(k, t, program, kinds)]
        if not nexts:
            if all(len(program[t]) == thread[0] for t, thread in enumerate(k.threads)):
                outcomes.add(tuple(thread[1] for thread in k.threads))
            else:
                # Who waits with a time limit waits on in no outcome: that it has given up is another one.
                timed = [thread[2] is not None and program[t][thread[0]][3] for t, thread in enumerate(k.threads)]
                stuck = stuck or not any(timed)
        for n in nexts:
            if n.key() not in seen:
                seen.add(n.key())
                work.append(n)
    return sorted(outcomes), stuck


# ---- random programs ----

def random_call(r, kinds, bits):
    c = r.randrange(len(kinds))
    kind, wait_ = kinds[c], r.random() < 0.75
    name = r.choice(['read', 'read', 'write', 'write', 'write', 'close', 'poll', 'wait', 'wake', 'set'])
    if name == 'read':
        return ('read', c, 1 if bits[c] else (8 if kind == 'count' else r.choice([1, 2])), wait_)
    if name == 'write':
        return ('write', c, r.choice([1, 2, MOST]) if kind == 'count' else r.choice(['1', '2', '34']), wait_)
    if name == 'close' and kind == 'bytes':
        return ('close', c, r.choice(['reader', 'writer']))
    if name == 'poll':
        asked = [(i, r.choice(['reader', 'reader', 'writer'])) for i in range(len(kinds)) if i == c or r.random() < 0.5]
        return ('poll', tuple(asked), r.choice([-1, -1, 0, 5]))
    if name == 'wait':
        return ('wait', 0, r.choice([0, 0, 1]), r.random() < 0.3)
    if name == 'wake':
        return ('wake', 0, r.choice([1, 1, 2, 100]))
    return ('set', 0, 1)


def usable(program):
    """No end is closed twice, or used by another thread, or afterwards: that is a finding of its own."""
    for calls in program:
        for i, call in enumerate(calls):
            if call[0] != 'close':
                continue
            for other in program:
                for j, x in enumerate(other):
                    if other is calls and j <= i:
                        continue
                    ends = {'read': [(x[1], 'reader')], 'write': [(x[1], 'writer')], 'close': [x[1:]], 'poll': x[1]}.get(x[0], [])
                    if (call[1], call[2]) in ends:
                        return False
    return True


def random_program(r):
    while True:
        kinds = [r.choice(['bytes', 'count']) for _ in range(r.choice([1, 1, 2]))]
        bits = [kind == 'count' and r.random() < 0.3 for kind in kinds]
        sizes = r.choice([(2, 2), (3, 2), (3, 3), (1, 2, 2), (2, 1, 1), (2, 2, 1)])
        program = [[random_call(r, kinds, bits) for _ in range(n)] for n in sizes]
        if usable(program):
            return kinds, bits, program


# ---- as C ----

HEAD = '''#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/futex.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static int fds[2][2], result[3][3];
static atomic_int word;

static int status(long n)
{
	if (n >= 0)
		return (int)n;
	return errno == EAGAIN ? -1 : errno == ETIMEDOUT ? -2 : errno == EPIPE ? -3 : -4;
}

/* Waiting or not: who does not wait asks first, which is one look, or sets the flag of a descriptor of its own. */
static int get(int fd, int n, int counts)
{
	uint64_t count = 0;
	char text[9] = "0";
	int got = status(counts ? read(fd, &count, sizeof(count)) : read(fd, text + 1, (size_t)n));
	return got < 0 ? got : counts ? (int)(count % 1000) : atoi(text);
}

static int put(int fd, const char *text, uint64_t count)
{
	return status(count ? write(fd, &count, sizeof(count)) : write(fd, text, strlen(text)));
}

static int look(struct pollfd *p, int n, int limit)
{
	int found = 0, ready = poll(p, (nfds_t)n, limit);
	for (int i = 0; i < n; i++)
		found |= (p[i].revents != 0) << i, ready -= p[i].revents != 0;
	assert(!ready);
	return found;
}

static int sleep_at(int value, int timed)
{
	struct timespec second = { .tv_sec = 1 };
	return status(syscall(SYS_futex, &word, FUTEX_WAIT | FUTEX_PRIVATE_FLAG, value, timed ? &second : NULL, NULL, 0));
}

static int wake(int n)
{
	return status(syscall(SYS_futex, &word, n == 2 ? FUTEX_WAKE_BITSET : FUTEX_WAKE, n, NULL, NULL, FUTEX_BITSET_MATCH_ANY));
}
'''


def as_c(call, kinds):
    name, *args = call
    if name == 'read':
        return 'get(fds[%d][0], %d, %d)' % (args[0], args[1], kinds[args[0]] == 'count')
    if name == 'write':
        count = args[1] if kinds[args[0]] == 'count' else 0
        return 'put(fds[%d][1], "%s", UINT64_C(%d))' % (args[0], '' if count else args[1], count)
    if name == 'close':
        return 'close(fds[%d][%d])' % (args[0], args[1] == 'writer')
    if name == 'poll':
        list_ = ', '.join('{ .fd = fds[%d][%d], .events = %s }' %
                          (c, end == 'writer', 'POLLOUT' if end == 'writer' else 'POLLIN') for c, end in args[0])
        return 'look((struct pollfd[]){ %s }, %d, %d)' % (list_, len(args[0]), args[1])
    if name == 'wait':
        return 'sleep_at(%d, %d)' % (args[1], args[2])
    if name == 'wake':
        return 'wake(%d)' % args[1]
    return '(atomic_store(&word, %d), 0)' % args[1]


def settled(program, kinds):
    """Whether a call waits is the descriptor's, so all calls that use an end agree, and those of an eventfd on both."""
    waits = {}
    out = []
    for calls in program:
        mine = []
        for call in calls:
            if call[0] in ('read', 'write'):
                end = (call[1], 'both' if kinds[call[1]] == 'count' else call[0])
                call = call[:3] + (waits.setdefault(end, call[3]),)
            mine.append(call)
        out.append(mine)
    return out, waits


def print_c(out, kinds, bits, sockets, program, waits, outcomes):
    out.write(HEAD)
    for t, calls in enumerate(program):
        out.write('\nstatic void *thread%d(void *argument)\n{\n' % t)
        for i, call in enumerate(calls):
            out.write('\tresult[%d][%d] = %s;\n' % (t, i, as_c(call, kinds)))
        out.write('\treturn argument;\n}\n')
    out.write('\nint main(void)\n{\n\tpthread_t t[%d];\n\tsignal(SIGPIPE, SIG_IGN);\n' % len(program))
    for c, kind in enumerate(kinds):
        if kind == 'count':
            flags = ['EFD_SEMAPHORE'] * bits[c] + ['EFD_NONBLOCK'] * (not waits.get((c, 'both'), True))
            out.write('\tfds[%d][0] = fds[%d][1] = eventfd(0, %s);\n' % (c, c, ' | '.join(flags) or '0'))
            continue
        out.write('\tassert(!%s);\n' % ('socketpair(AF_UNIX, SOCK_STREAM, 0, fds[%d])' % c if sockets[c] else 'pipe(fds[%d])' % c))
        for end in 'read', 'write':
            if not waits.get((c, end), True):
                out.write('\tassert(!fcntl(fds[%d][%d], F_SETFL, O_NONBLOCK));\n' % (c, end == 'write'))
    for t in range(len(program)):
        out.write('\tpthread_create(&t[%d], NULL, thread%d, NULL);\n' % (t, t))
    for t in range(len(program)):
        out.write('\tpthread_join(t[%d], NULL);\n' % t)
    known = []
    for outcome in outcomes:
        known.append('!memcmp(result, (int[3][3]){ %s }, sizeof(result))' %
                     ', '.join('{ %s }' % ', '.join(map(str, part)) for part in outcome))
        out.write('\tif (%s)\n\t\tassert(!"%s");\n' % (known[-1], outcome))
    out.write('\tif (!(%s))\n\t\tassert(!"not an outcome");\n\treturn 0;\n}\n' % (' || '.join(known)))


def main():
    r = random.Random(int(sys.argv[1]))
    while True:
        kinds, bits, program = random_program(r)
        program, waits = settled(program, kinds)
        # A socket's other direction would be an end, too: its descriptors are only closed when nobody asks how they are.
        sockets = [kind == 'bytes' and r.random() < 0.3 and not any(call[0] in ('close', 'poll') for calls in program for call in calls)
                   for kind in kinds]
        outcomes, stuck = explore(program, kinds, (0,))
        if 1 < len(outcomes) <= 40:
            break
    with open(sys.argv[2] + '/program.c', 'w') as out:
        print_c(out, kinds, bits, sockets, program, waits, outcomes)
    with open(sys.argv[2] + '/expected', 'w') as out:
        lines = ['assertion "%s"' % (outcome,) for outcome in outcomes] + ['deadlock'] * stuck
        out.write(''.join(line + '\n' for line in sorted(lines)))


main()
