#!/bin/bash
# Loops that wait: the same program with WAIT() as such a loop, as an assumption, and as a loop that Everett cannot recognise,
# which goes round a few times, must have the same outcomes under every model; the first two must have as many complete executions, too.
# Every outcome is an abort() of its own line, so that --keep-going lists them all.
. "$(dirname "$0")/lib.bash"

cat >wait.h <<'END'
#include <everett.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#define LOAD(x) atomic_load_explicit(&(x), memory_order_acquire)
#define STORE(x, v) atomic_store_explicit(&(x), v, memory_order_release)
#if defined(ASSUMED)
#define WAIT(condition) everett_assume(condition)
#elif defined(UNROLLED)
static _Thread_local int rounds;
#define WAIT(condition) while (!(condition)) rounds++
#else
#define WAIT(condition) while (!(condition)) {}
#endif
static atomic_int a, b, c, d;
static int r[4]; /* what the threads found */
static void *first(void *), *second(void *), *third(void *);
#ifndef THREADS
#define THREADS 2
#endif
int main(void)
{
	void *(*const functions[])(void *) = { first, second, third };
	pthread_t t[3];
	for (int i = 0; i < THREADS; i++)
		pthread_create(&t[i], NULL, functions[i], NULL);
	for (int i = 0; i < THREADS; i++)
		pthread_join(t[i], NULL);
	switch (r[0] + 3 * r[1] + 9 * r[2]) {
END
for i in {0..26}; do
	printf '\tcase %d:\n\t\tabort();\n' $i
done >>wait.h
printf '\t}\n\treturn 0;\n}\n' >>wait.h

# program NAME: from standard input.
programs=()
program()
{
	programs+=("$1")
	{ echo '#include "wait.h"'; cat; } >"$1.c"
}

program handover <<'END'
static void *first(void *p) { c = 1; STORE(a, 1); return p; }
static void *second(void *p) { WAIT(LOAD(a)); r[0] = c; return p; }
static void *third(void *p) { return p; }
END
program relaxed_handover <<'END'
static void *first(void *p) { atomic_store_explicit(&c, 1, memory_order_relaxed);
	atomic_store_explicit(&a, 1, memory_order_relaxed); return p; }
static void *second(void *p) { WAIT(LOAD(a)); r[0] = LOAD(c); return p; }
static void *third(void *p) { return p; }
END
program value_of_the_last_round <<'END'
static void *first(void *p) { STORE(a, 1); STORE(a, 2); return p; }
static void *second(void *p) { int v = 0; WAIT((v = LOAD(a))); r[0] = v; r[1] = LOAD(a); return p; }
static void *third(void *p) { return p; }
END
program peterson <<'END'
static void *first(void *p) { STORE(a, 1); STORE(c, 2); WAIT(!LOAD(b) || LOAD(c) != 2);
	r[0] = LOAD(d); STORE(d, 1); STORE(a, 0); return p; }
static void *second(void *p) { STORE(b, 1); STORE(c, 1); WAIT(!LOAD(a) || LOAD(c) != 1);
	r[1] = LOAD(d); return p; }
static void *third(void *p) { return p; }
END
program fenced <<'END'
static int free_of(atomic_int *x) { atomic_thread_fence(memory_order_seq_cst); return !LOAD(*x); }
static void *first(void *p) { STORE(a, 1); WAIT(free_of(&b)); r[0] = LOAD(d) + 1; STORE(a, 0); return p; }
static void *second(void *p) { STORE(b, 1); r[1] = LOAD(a); STORE(d, 1); STORE(b, 0); return p; }
static void *third(void *p) { return p; }
END
program chain <<'END'
static void *first(void *p) { STORE(a, 1); return p; }
static void *second(void *p) { WAIT(LOAD(a)); STORE(b, 1); return p; }
static void *third(void *p) { r[0] = LOAD(a); WAIT(LOAD(b)); r[1] = LOAD(a); return p; }
END
program two_writers <<'END'
static void *first(void *p) { STORE(a, 1); r[0] = LOAD(a); return p; }
static void *second(void *p) { STORE(a, 2); return p; }
static void *third(void *p) { int v = 0; WAIT((v = LOAD(a)) != 0); r[1] = v; r[2] = LOAD(a); return p; }
END
program spinlock <<'END'
static void lock(void) { do { WAIT(!LOAD(a)); } while (atomic_exchange(&a, 1)); }
static void *first(void *p) { lock(); r[0] = LOAD(d); STORE(d, 1); STORE(a, 0); return p; }
static void *second(void *p) { lock(); r[1] = LOAD(d); STORE(d, 2); STORE(a, 0); return p; }
static void *third(void *p) { return p; }
END
program own_store <<'END'
static void *first(void *p) { atomic_store_explicit(&a, 1, memory_order_relaxed); WAIT(LOAD(a) != 2); r[0] = LOAD(b);
	return p; }
static void *second(void *p) { atomic_store_explicit(&a, 2, memory_order_relaxed); r[1] = LOAD(a); STORE(a, 0);
	STORE(b, 1); return p; }
static void *third(void *p) { return p; }
END

# outcomes: the result's findings but no-progress, model by model. counts: executions; of those that an assumption blocks, only a loop that waits
# in vain has any.
outcomes()
{
	jq -c '.results[] | [.model, ([.findings[] | select(.kind != "no-progress") | "\(.kind)@\(.line)"] | sort)]' "$1"
}
counts()
{
	jq -c '.results[] | [.model, .executions, .truncated]' "$1"
}

explore()
{
	"$EVERETT" check -q -k -m all -e none --no-races "$@" >out 2>err || [ $? = 1 ] || fail "$*: $(cat err)"
}

for p in "${programs[@]}"; do
	threads=2
	grep -q '^static void \*third(void \*p) { return' $p.c || threads=3
	explore -DTHREADS=$threads --json await.json $p.c
	explore -DTHREADS=$threads -DASSUMED --json assumed.json $p.c
	# Main's own loops go round once for each thread.
	explore -DTHREADS=$threads -DUNROLLED --unroll $((threads + 1)) --json unrolled.json $p.c
	[ "$(counts await.json)" = "$(counts assumed.json)" ] ||
		fail "$p: $(counts await.json) executions, not $(counts assumed.json)"
	[ "$(outcomes await.json)" = "$(outcomes assumed.json)" ] ||
		fail "$p: $(outcomes await.json), and with an assumption $(outcomes assumed.json)"
	[ "$(outcomes await.json)" = "$(outcomes unrolled.json)" ] ||
		fail "$p: $(outcomes await.json), and going round $(outcomes unrolled.json)"
	# Each has an outcome under each model, and the loop that goes round really did: else this compares nothing.
	jq -e 'all(.results[]; .findings | length > 0)' await.json >jq.out || fail "$p: no outcome"
	jq -e 'all(.results[]; .truncated > 0 and .executions > 0)' unrolled.json >jq.out || fail "$p: not unrolled"
done
[ ${#programs[@]} = 9 ] || fail "programs"

# -v names each, and only these.
cat >verbose.c <<'END'
static volatile int x, y;
int main(void)
{
	x = 1;
	while (!x)
		;
	while (!x)
		y++;
	return 0;
}
END
run 0 "$EVERETT" check -v -e none verbose.c
has err "^everett: verbose.c:5: the loop in 'main' is a spin loop"
[ "$(grep -c "spin loop" err)" = 1 ] || fail "-v: $(cat err)"
run 0 "$EVERETT" check -e none verbose.c
hasnot err "spin loop"

# The report says who waits, and for what.
cat >report.c <<'END'
#include <pthread.h>
#include <stdatomic.h>
static atomic_int stage;
static void *work(void *p)
{
	while (atomic_load(&stage) != 2)
		;
	return p;
}
int main(void)
{
	pthread_t t;
	pthread_create(&t, NULL, work, NULL);
	atomic_store(&stage, 1);
	pthread_join(t, NULL);
	return 0;
}
END
run 1 "$EVERETT" check -k -e none --json report.json report.c
has out "report.c:6:[0-9]*: no-progress: the loop at report.c:6 can never terminate: no thread is left to write the value that it waits for" \
	"thread 0 waits for thread 1 to end, at report.c:15" "thread 1 waits in a loop that read stage = 1, at report.c:6"
jq -e '.results[0] | .blocked == 1 and (.findings | length == 1) and .findings[0].kind == "no-progress" and
	(.findings[0].detail | contains("stage = 1"))' report.json >jq.out || fail "JSON of no-progress"
run 1 "$EVERETT" replay report.json
has out "no-progress"
finish
