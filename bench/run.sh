#!/usr/bin/env bash
# What an execution and an event cost, how long a check takes to start, and whether memory stays flat.
# CPU time of the checker; each line is the best of several runs, because the machine is shared.
set -eu
everett=$(realpath "${EVERETT:-build/everett}")
cd "$(dirname "$0")"
runs=${RUNS:-5}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

. ./measure.bash

echo "an execution (CPU time, best of $runs)"
header "every interleaving"
build empty.c && measure empty 2000000 -e none
build ../examples/sb.c && measure "store buffering" 200000 -e none
build counter.c && measure "counter 2x20" 1 -e none --max-executions 200000
build mutex.c && measure "mutex(4)" 20000 -e none

for engine in traces rf; do
	echo
	header "$engine"
	while read -r program n repeat; do
		build "papers/$program.c" "-DN=$n"
		measure "$program($n)" "$repeat" -e $engine
	done <<<"$six" | tee "$work/table"
	geometric_mean
done

# Here nearly all events repeat the execution before, and all of them are run: what an event costs that is.
echo
header "repeated events"
while read -r program n _; do
	build "papers/$program.c" "-DN=$n"
	measure "$program($n)" 1 -e none --no-rollback --max-executions 200000
done <<<"$six" | tee "$work/table"
geometric_mean

# Under RA, every access is a release or an acquire; races are looked for.
echo
header "rf under RA"
while read -r program n repeat; do
	build "papers/$program.c" "-DN=$n"
	measure "$program($n)" "$repeat" -m ra -e rf
done <<<"${six/circular_buffer 8 10/exponential_bug 7 5}" | tee "$work/table"
geometric_mean

echo
RUNS=3 EVERETT=$everett ./rc11.sh

# Time for an execution should grow with its length, and no faster.
echo
header "rf: longer executions"
for n in 100 200 300 500 700 1000; do
	build papers/opt_lock.c "-DN=$n"
	measure "opt_lock($n)" 1 -e rf
done
for n in 50 100 200; do
	build papers/opt_lock.c "-DN=$n"
	measure "opt_lock($n) ra" 1 -m ra -e rf --max-executions 20000
done

echo
header "robust programs: traces"
for program in "readers 11 50" "lastzero 10 40" "casrot 8 100"; do
	read -r name n repeat <<<"$program"
	build "papers/$name.c" "-DN=$n"
	for model in sc tso pso; do
		measure "$name($n) $model" "$repeat" -e traces -m $model
	done
done

echo
RUNS=3 EVERETT=$everett ./models.sh

echo
EXECUTIONS=100 RUNS=1 SECONDS_EACH=10 EVERETT=$everett ./long.sh

echo
echo "memory (a peak that does not grow with the number of executions)"
for n in 100000 1000000 10000000; do
	"$everett" check -m sc -e none -q --max-executions "$n" --json "$work/result" writers.c 2>/dev/null || true
	jq -r '.results[0] | "none: \(.executions) executions: \(.peak_kib) KiB"' "$work/result"
done
build papers/sigma.c -DN=8
for n in 20000 200000 2000000; do
	"$everett" run -m sc -e traces -q --max-executions "$n" --json "$work/result" "$work/checker" 2>/dev/null || true
	jq -r '.results[0] | "traces: \(.executions) executions: \(.peak_kib) KiB"' "$work/result"
done
build papers/fib_bench.c -DN=6
for n in 20000 200000 2000000; do
	"$everett" run -m sc -e rf -q --max-executions "$n" --json "$work/result" "$work/checker" 2>/dev/null || true
	jq -r '.results[0] | "rf: \(.executions) executions: \(.peak_kib) KiB"' "$work/result"
done

echo
echo "start-up of 'everett check' on a trivial file (wall time, median of $((runs * 2 + 1)))"
for _ in $(seq $((runs * 2 + 1))); do
	{ TIMEFORMAT=%R; time "$everett" check -e none -v empty.c 2>"$work/err"; } 2>&1
	sed -n 's/^everett: compile/    of which compile/p' "$work/err" >"$work/split"
done | sort -n | sed -n "$((runs + 1))s/\$/ s/p"
cat "$work/split"

echo
EVERETT=$everett ./waits.sh

echo
EVERETT=$everett ./orders.sh
