#!/bin/bash
# Equivalence rvf with several workers: counts and findings are those of one.
# set: slow
. "$(dirname "$0")/lib.bash"

what='.results[] | [.verdict, .complete, .executions, .blocked, .truncated, .redundant, .events, ([.findings[] | "\(.kind) \(.file):\(.line)"] | sort)]'

# same ARGUMENT...: of `run`.
same() {
	local jobs
	for jobs in "-j 1" "-j 2 --restless" "-j 4 --restless" "-j 3"; do
		# shellcheck disable=SC2086 # words
		"$EVERETT" run -q -k -m sc -e rvf $jobs --json r.json "$@" >out 2>err </dev/null
		echo $? >said
		jq -c "$what" r.json >>said
		[ "$jobs" != "-j 1" ] || cp said expected
		cmp -s said expected || fail "run $jobs $*: $(cat said err), and with one worker: $(cat expected)"
	done
}

# Signals decide whether a read needs a turn. Here the only one comes from below one of three values: who does not wait for it begins no execution in vain.
cat >signal.c <<'END'
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x, y;
static void *first(void *p)
{
	if (atomic_load(&x) == V)
		atomic_store(&y, 1);
	return p;
}
static void *second(void *p)
{
	atomic_store(&x, 1);
	return p;
}
static void *other(void *p)
{
	atomic_store(&x, 3);
	return p;
}
static void *third(void *p)
{
	if (atomic_load(&y))
		atomic_store(&x, 2);
	return p;
}
int main(void)
{
	pthread_t t[4];
	pthread_create(&t[0], NULL, first, NULL);
	pthread_create(&t[1], NULL, second, NULL);
	pthread_create(&t[2], NULL, third, NULL);
	pthread_create(&t[3], NULL, other, NULL);
	for (int i = 0; i < 4; i++)
		pthread_join(t[i], NULL);
	return 0;
}
END
for value in 0 1 3; do
	run 0 "$EVERETT" cc -w -DV=$value signal.c -o checker
	same ./checker
done
[ $failures = 0 ] || finish

while read -r program n; do
	run 0 "$EVERETT" cc -w "-DN=$n" "$TOP/bench/papers/$program.c" -o checker
	same ./checker
done <<'END'
fib_bench 3
lastzero 8
casrot 6
sigma 5
circular_buffer 4
END
while read -r words; do
	# shellcheck disable=SC2086 # words
	"$BUILD/randprog" $words 1 10 >random.c
	run 0 "$EVERETT" cc -w random.c -o checker -pthread
	for i in {0..9}; do
		same ./checker -- "$i"
	done
done <<'END'
--features=rwuc
--flavour=mixed
--flavour=await
--flavour=fault
END

# The note is gone; without -k a finding ends the search; a time limit stops all.
run 0 "$EVERETT" cc -DN=3 "$TOP/bench/papers/fib_bench.c" -o checker
run 0 "$EVERETT" run -m sc -e rvf -j 2 ./checker
hasnot err 'one worker was used'
run 0 "$EVERETT" cc -DN=6 "$TOP/bench/papers/fib_bench.c" -o checker
run 3 "$EVERETT" run -q -m sc -e rvf -j 3 --timeout 1 --json r.json ./checker
jq -e '.results[0] | .stopped == "time limit" and .complete == false' r.json >/dev/null || fail "$last: $(jq -c '.results[0].stopped' r.json)"
finish
