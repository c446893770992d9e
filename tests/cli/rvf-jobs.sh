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
# Signals decide whether a read needs a turn: who does not wait for those of others misses executions.
while read -r words; do
	# shellcheck disable=SC2086 # words
	"$BUILD/randprog" $words 1 20 >random.c
	run 0 "$EVERETT" cc -w random.c -o checker -pthread
	for i in {0..19}; do
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
