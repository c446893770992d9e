#!/bin/bash
# An execution that goes on from a mark is the same as one that is run from the start: classes, counts and findings with and without rollback.
. "$(dirname "$0")/lib.bash"

# State of all kinds: the heap, locals and recursion, what is thread-specific, condition variables, long jumps, output, errno, rounding.
cat >state.c <<'END'
#include <assert.h>
#include <errno.h>
#include <fenv.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static atomic_int x, y;
static int plain, guarded, sum[3];
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static pthread_key_t key;
static __thread int own;
static int depth(int n, const int *up)
{
	int here[4] = { n, *up, own, 7 };
	return n ? depth(n - 1, here) + here[1] : atomic_load_explicit(&y, memory_order_acquire);
}
static void *first(void *p)
{
	int *block = malloc(4 * sizeof(*block)), zero = 0;
	jmp_buf back;
	block[0] = own = 1;
	pthread_setspecific(key, block);
	errno = 5;
	atomic_store_explicit(&x, 1, memory_order_relaxed);
	if (setjmp(back) == 0) {
		block[1] = atomic_load_explicit(&y, memory_order_relaxed) + own++;
		longjmp(back, 1);
	}
	memcpy(block + 2, block, 2 * sizeof(*block));
	sum[0] = block[3] + depth(3, &zero) + errno;
	pthread_mutex_lock(&m);
	guarded += 2;
	pthread_cond_signal(&c);
	pthread_mutex_unlock(&m);
	return p;
}
static void *second(void *p)
{
	volatile double third = 1;
	fesetround(FE_UPWARD);
	third /= 3;
	atomic_store_explicit(&y, 1, memory_order_relaxed);
	own = atomic_fetch_add_explicit(&x, 2, memory_order_acq_rel);
	sum[1] = own * 100 + (third > 1.0 / 3);
	fesetround(FE_TONEAREST);
	char *text = strdup("abc");
	sum[1] += text[own % 3] + (int)strlen(text);
	free(text);
	return p;
}
static void *third(void *p)
{
	pthread_mutex_lock(&m);
	while (!guarded)
		pthread_cond_wait(&c, &m);
	guarded++;
	pthread_mutex_unlock(&m);
	int v[2] = { atomic_load(&x), atomic_load(&y) };
	sum[2] = v[0] * 10 + v[1];
	return p;
}
static void *(*const all[])(void *) = { first, second, third };
int main(void)
{
	pthread_t t[3];
	pthread_key_create(&key, free);
	for (int i = 0; i < 3; i++)
		pthread_create(&t[i], NULL, all[i], NULL);
	plain = 1;
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
	printf("%d %d %d %d %d\n", sum[0], sum[1], sum[2], guarded, plain);
	assert(sum[2] != 11);
	return 0;
}
END

skipped=0
# compare FILE OPTION...
compare()
{
	local file=$1
	shift
	"$EVERETT" check -q -k "$@" --classes with --json with.json "$file" >/dev/null 2>&1
	local status=$?
	run $status "$EVERETT" check -q -k "$@" --no-rollback --classes without --json without.json "$file"
	cmp -s with without || fail "$*: other classes without rollback"
	[ "$(jq -c '.results[0] | [.verdict, .executions, .blocked, .events, [.findings[] | [.kind, .line, .output]]]' with.json)" = \
		"$(jq -c '.results[0] | [.verdict, .executions, .blocked, .events, [.findings[] | [.kind, .line, .output]]]' without.json)" ] ||
		fail "$*: another result without rollback"
	[ "$(jq '.results[0].executions' with.json)" -gt 1 ] || fail "$*: nothing to compare"
	skipped=$((skipped + $(jq '.results[0].stats.skipped // 0' with.json)))
	[ "$(jq '.results[0].stats.skipped // 0' without.json)" = 0 ] || fail "$*: --no-rollback goes on from a mark"
}

for model in sc ra rc11; do compare state.c -lm -m $model -e rf; done
skipped_rf=$skipped
[ $skipped_rf -gt 500 ] || fail "engine rf has skipped $skipped_rf events"
skipped=0
for model in sc tso pso ra rc11; do compare state.c -lm -m $model -e revisit --max-executions 1000; done
[ $skipped -gt 1000 ] || fail "engine revisit has skipped $skipped events"
compare state.c -lm -m ra -e traces --max-executions 1000
compare "$TOP/bench/waits/ttas.c" -m sc -e revisit
skipped=$skipped_rf
for model in sc tso; do compare state.c -lm -m $model -e traces --max-executions 3000; done
[ $skipped -gt $((skipped_rf + 300)) ] || fail "engine traces has skipped $((skipped - skipped_rf)) events"
compare state.c -lm -m sc -e none --max-executions 3000
compare "$TOP/bench/waits/ttas.c" -m sc -e rf
compare "$TOP/bench/waits/barrier.c" -m sc -e traces
compare "$TOP/bench/papers/seqlock.c" -m pso -e traces

# --check runs each execution from the start and again from a mark.
run 1 "$EVERETT" check -q -k --check -m rc11 -e rf --max-executions 300 --json out.json -lm state.c
hasnot err 'self-check'
[ "$(jq '.results[0].stats.skipped' out.json)" -gt 100 ] || fail '--check has not gone back to any mark'
finish
