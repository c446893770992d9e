#!/bin/bash
# -e traces with a modification order. Under ra and rc11: published counts; the reads-from classes of rf; with workers, by checkpoints and by replays the same; what is refused. Under the others: the same with workers.
. "$(dirname "$0")/lib.bash"
papers=$TOP/bench/papers

says='.results[] | "\(.executions) executions, \(.redundant) redundant, complete \(.complete)"'

# expect FILE COUNT-UNDER-RA COUNT-UNDER-RC11 [DEFINITION]...
expect() {
	local file=$1 counts=("$2" "$3") models=(ra rc11) i m
	shift 3
	run 3 "$EVERETT" check -q -m sc -e none --no-races --max-executions 1 --keep checker "$@" "$file"
	for i in 0 1; do
		m=${models[i]}
		"$EVERETT" run -k -q -m "$m" -e rf --no-races --json rf --classes classes ./checker >out 2>err
		"$EVERETT" run -k -q -m "$m" -e traces --no-races --json one --classes classes ./checker >out 2>err
		"$EVERETT" run -k -q -m "$m" -e traces --no-races -j 2 --json two --classes classes ./checker >out 2>err
		[ "$(jq -r "$says" one)" = "${counts[i]} executions, 0 redundant, complete true" ] ||
			fail "$file $*: $m: $(jq -r "$says" one), not ${counts[i]}"
		[ "$(jq -r "$says" two)" = "$(jq -r "$says" one)" ] || fail "$file $*: $m: with two workers $(jq -r "$says" two)"
		[ "$(jq -r '.results[].class_digests | .trace, .outcome' two)" = "$(jq -r '.results[].class_digests | .trace, .outcome' one)" ] ||
			fail "$file $*: $m: with two workers there are other classes"
		[ "$(jq -r '.results[].class_digests | .rf, .outcome' one)" = "$(jq -r '.results[].class_digests | .rf, .outcome' rf)" ] ||
			fail "$file $*: $m: the reads-from classes are not those of rf"
	done
}

# RCMC has 153, 5040, 945, 5160 and 3334.
expect "$papers/fib_bench.c" 153 180 -DN=2
expect "$papers/lastwrite.c" 720 720 -DN=6
expect "$papers/sigma.c" 945 945 -DN=5
expect "$papers/control_flow.c" 5160 5160 -DN=5
expect "$papers/race_parametric.c" 3334 3334 -DN=4
expect "$papers/circular_buffer.c" 20 20 -DN=3

# What --check says, and brute force.
run 0 "$EVERETT" check -q -m ra,rc11 -e traces --no-races --check -DN=4 "$papers/lastwrite.c"
has err '^everett: ra/traces: ok, 24 executions, complete' '^everett: rc11/traces: ok, 24 executions, complete'

# The other models, with workers.
for words in 'sc 1698 fib_bench -DN=3' 'tso 2258 fib_bench -DN=3' 'pso 3686 opt_lock -DN=5' 'tso 252 circular_buffer -DN=5' 'pso 523 casrot -DN=7'; do
	read -r model count file define <<<"$words"
	run 0 "$EVERETT" check -q -k -m "$model" -e traces --no-races --json one --classes classes "$define" "$papers/$file.c"
	has err "^everett: $model/traces: ok, $count executions, complete"
	run 0 "$EVERETT" check -q -k -m "$model" -e traces --no-races -j 2 --json two --classes classes "$define" "$papers/$file.c"
	has err "^everett: $model/traces: ok, $count executions, complete"
	hasnot err 'one worker was used'
	[ "$(jq -r '.results[].class_digests' two)" = "$(jq -r '.results[].class_digests' one)" ] || fail "$words: other classes with two workers"
done
for model in tso pso; do
	run 1 "$EVERETT" robust -q -k -m $model -j 2 -DN=3 "$papers/fib_bench.c"
	has err "^everett: $model/traces: FINDING not-robust at .* after 2258 executions (complete: yes"
	hasnot err 'one worker was used'
done

# A replay names the places of writes, too.
cat >mo.c <<'END'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x;
static void *thread(void *unused)
{
	atomic_store_explicit(&x, 2, memory_order_relaxed);
	return unused;
}
int main(void)
{
	pthread_t t;
	pthread_create(&t, NULL, thread, NULL);
	atomic_store_explicit(&x, 1, memory_order_relaxed);
	pthread_join(t, NULL);
	assert(atomic_load_explicit(&x, memory_order_relaxed) == 2);
	return 0;
}
END
run 1 "$EVERETT" check -m rc11 -e traces --json found mo.c
has err 'FINDING assertion at mo.c:16'
run 1 "$EVERETT" replay found
has err 'FINDING assertion at mo.c:16'
# Nobody names a model: the program's orders do.
run 1 "$EVERETT" check -q -e traces mo.c
has err '^everett: rc11/traces: '

# A search that is saved and continued.
run 3 "$EVERETT" check -q -m rc11 -e traces --no-races --checkpoint saved --max-executions 100 -DN=5 "$papers/lastwrite.c"
run 0 "$EVERETT" resume -q --max-executions 1000000 saved
has err '^everett: rc11/traces: ok, 120 executions, complete'

# Loops that wait.
cat >wait.c <<'END'
#include <pthread.h>
#include <stdatomic.h>
static atomic_int flag;
static void *thread(void *unused)
{
	atomic_store_explicit(&flag, 1, memory_order_release);
	return unused;
}
int main(void)
{
	pthread_t t;
	pthread_create(&t, NULL, thread, NULL);
	while (!atomic_load_explicit(&flag, memory_order_acquire))
		;
	pthread_join(t, NULL);
	return 0;
}
END
for words in '' '-j 2'; do
	# shellcheck disable=SC2086
	run 4 "$EVERETT" check -q -m rc11 -e traces $words wait.c
	has err "a spin loop, which equivalence 'traces' does not support under this model: -e rf does"
done
run 0 "$EVERETT" check -q -m tso -e traces wait.c
hasnot err 'one worker'
run 0 "$EVERETT" check -m tso -e traces -j 2 wait.c
has err 'note: one worker was used: a spin loop, which cannot be divided among workers by traces: -e rf can'
finish
