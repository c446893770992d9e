#!/bin/bash
# Estimates for engine rf under the models whose memory is weak, and with a loop that waits. In most of these each probe has the same size, so that a few of them tell how many
# executions there are.
. "$(dirname "$0")/lib.bash"

# within FACTOR TRUTH OPTIONS...
within()
{
	local factor=$1 truth=$2 seconds
	shift 2
	for seconds in 1.2 5 20 80; do
		run 3 "$EVERETT" check --hunt 0 --no-rounds --timeout $seconds --json r.json -e rf "$@"
		jq -e --argjson truth "$truth" --argjson factor "$factor" '.results[0].estimate.executions // 0 |
			. * $factor >= $truth and . <= $truth * $factor' r.json >jq.out && return
	done
	fail "$*: $(jq -c '.results[0].estimate' r.json), not $truth"
}

# 10!; and as many as its README says, most of whose reads have to wait for a source.
within 1 3628800 -m rc11 -DN=10 "$TOP/bench/papers/sigma.c"
within 2 8149694 -m ra -DN=6 "$TOP/bench/papers/fib_bench.c"

# Each of ten threads waits for main, and then adds to a counter. Rounds of the loop that only wait are no executions.
cat >wait.c <<'E2'
#include <pthread.h>
#include <stdatomic.h>
static atomic_int go, counter;
static void *body(void *unused)
{
	while (!atomic_load(&go))
		;
	atomic_fetch_add(&counter, 1);
	return unused;
}
int main(void)
{
	pthread_t t[10];
	for (int i = 0; i < 10; i++)
		pthread_create(&t[i], NULL, body, NULL);
	atomic_store(&go, 1);
	for (int i = 0; i < 10; i++)
		pthread_join(t[i], NULL);
	return 0;
}
E2
within 1 3628800 -m sc wait.c
within 1 3628800 -m tso wait.c
finish
