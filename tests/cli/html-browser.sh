#!/bin/bash
# set: slow
# The web page in headless Chromium: tests/browser/page.js. Skipped where there is no browser; `make browser` gets one.
. "$(dirname "$0")/lib.bash"

skip()
{
	echo "$*: 'make browser' installs what this test takes"
	exit 77
}

chromium=$(command -v chromium || command -v chromium-browser) || skip "no Chromium"
command -v node >node || skip "no Node.js"
export NODE_PATH=$BUILD/browser/node_modules
node -e 'require("playwright-core")' 2>err || skip "no Playwright"

. "$TOP/tests/cli/html.bash"
cat >long.c <<'END'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long count, slowest;
static _Atomic long sum;
static void record(long time)
{
	pthread_mutex_lock(&lock);
	count++;
	if (time > slowest)
		slowest = time;
	pthread_mutex_unlock(&lock);
	sum = sum + time;
}
static void *serve(void *id)
{
	for (long i = 1; i <= 60; i++)
		record((long)id * 100 + i);
	return NULL;
}
int main(void)
{
	pthread_t t[2];
	for (long i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, serve, (void *)(i + 1));
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	assert(sum == 60 * 61 + 60 * 300);
	return 0;
}
END
cat >mixed.c <<'END'
#include <assert.h>
#include <pthread.h>
static union { int word; short half[2]; } v;
static void *set(void *unused)
{
	v.half[1] = 1;
	return unused;
}
int main(void)
{
	pthread_t t;
	v.word = 7;
	pthread_create(&t, 0, set, 0);
	v.word = 5;
	int w = v.word;
	v.word = 6;
	pthread_join(t, 0);
	assert(w != 65541);
	return 0;
}
END
cat >rounds.c <<'END'
#include <assert.h>
#include <pthread.h>
static volatile int x, y;
static void *look(void *unused)
{
	for (int i = 0; i < 5; i++)
		(void)x, (void)y;
	y = 1;
	return unused;
}
int main(void)
{
	pthread_t t;
	pthread_create(&t, 0, look, 0);
	x = 1;
	pthread_join(t, 0);
	assert(!y);
	return 0;
}
END
printf 'int main(void) { return 0; }\n' >fine.c
cat >dead.c <<'END'
int main(int argc, char **argv)
{
	if (argc > 1)
		return 1;
	return argc > 9 && argv;
}
END
cat >calls.c <<'END'
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
static struct { int slot[2]; volatile int n; } queue;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
__attribute__((noinline)) static bool push(void *q, int value)
{
	int at = queue.n;
	queue.slot[at] = value;
	queue.n = at + 1;
	return q && value;
}
static void *worker(void *argument)
{
	int twice = 14;
	pthread_mutex_lock(&lock);
	bool done = push(argument, twice / 2);
	pthread_mutex_unlock(&lock);
	return done ? argument : (void *)(long)twice;
}
__attribute__((noinline)) static void check(void *q)
{
	pthread_mutex_lock(&lock);
	assert(!queue.n || q != &queue || !queue.slot[0]);
	pthread_mutex_unlock(&lock);
}
int main(void)
{
	pthread_t t;
	pthread_create(&t, 0, worker, &queue);
	check(&queue);
	pthread_join(t, 0);
	return 0;
}
END
if has_gdb; then
	run 1 "$EVERETT" check -q -m sc --html calls.html calls.c
fi
run 1 "$EVERETT" check -q --hunt 0 -m all --html sb.html sb.c
# As if the failure did not depend on one of the events.
run 1 "$EVERETT" check -q -m tso --json sb.json sb.c
jq '.results[0].findings[0].events[3].past = false' sb.json >apart.json
run 0 "$EVERETT" report --html apart.html apart.json
run 1 "$EVERETT" check -q --html deadlock.html deadlock_abba.c
run 1 "$EVERETT" check -q --html cond.html cond_lost_wakeup.c
run 1 "$EVERETT" check -q -m ra --html race.html race_relaxed.c
run 1 "$EVERETT" check -q --html long.html long.c
run 1 "$EVERETT" check -q --html odd.html odd.c
run 1 "$EVERETT" check -q --html mixed.html mixed.c
run 1 "$EVERETT" check -q -m sc --html rounds.html rounds.c
run 0 "$EVERETT" check -q --html fine.html fine.c
run 0 "$EVERETT" check -q --html dead.html dead.c
run 1 "$EVERETT" robust -q --html robust.html sb.c
run 1 "$EVERETT" predict -q -m tso --html predict.html sb.c
# Executions of any length, as reports: two threads that take turns to lock, read, write and unlock.
for events in 10 1000 20000; do
	node -e '
		const n = +process.argv[1], events = [], index = [0, 0, 0];
		const add = (thread, kind, rest) => {
			events.push(Object.assign({ thread, index: index[thread]++, kind, order: "plain", file: "long.c", line: 15, column: 1, past: true,
				function: thread ? "serve" : "main", location: "", value: "" }, rest));
			return events[events.length - 1];
		};
		const name = (e) => ({ thread: e.thread, index: e.index });
		add(0, "start");
		for (const t of [1, 2]) add(0, "create", { value: String(t) });
		for (const t of [1, 2]) add(t, "start");
		let unlock = null, write = null;
		for (let i = 1; events.length < n; i++) {
			const t = 1 + i % 2, lock = add(t, "lock", { location: "lock", object: "mutex", line: 10 });
			if (unlock) unlock.synchronises = [name(lock)];
			add(t, "read", Object.assign({ location: "count", value: String(i - 1), byte: 4096, size: 4, line: 11 }, write ? { source: name(write) } : { initial: true }));
			write = add(t, "write", Object.assign({ location: "count", value: String(i), byte: 4096, size: 4, line: 11 }, write ? { after: name(write) } : {}));
			unlock = add(t, "unlock", { location: "lock", object: "mutex", line: 14 });
		}
		const finding = { kind: "assertion", message: "count == 0", file: "long.c", line: 30, column: 2, function: "main", thread: 0, execution: 1, schedule: "1",
			events: events.slice(0, n), output: "", detail: "" };
		console.log(JSON.stringify({ everett: "0.1.0", command: "check", files: ["long.c"], results: [{ model: "sc", equivalence: "rf", verdict: "finding", complete: false,
			executions: 1, blocked: 0, truncated: 0, redundant: 0, events: n, seconds: { compile: 0, explore: 0 }, peak_kib: 1, findings: [finding] }] }));
	' $events >big$events.json
	run 0 "$EVERETT" report --html big$events.html big$events.json
done
# Chromium wants a folder for itself, and leaves things there.
HOME=$PWD/home TMPDIR=$PWD node "$TOP/tests/browser/page.js" "$chromium" . || fail "see above"
finish
