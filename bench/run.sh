#!/usr/bin/env bash
# What an execution and an event cost, how long a check takes to start, and whether memory stays flat.
# CPU time of the checker; each line is the best of several runs, because the machine is shared.
set -eu
everett=$(realpath "${EVERETT:-build/everett}")
cd "$(dirname "$0")"
runs=${RUNS:-5}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# build FILE OPTIONS...: into $work/checker.
build() {
	"$everett" check -e none -q --keep "$work/checker" --max-executions 1 "${@:2}" "$1" >/dev/null 2>&1 || true
}

# measure NAME REPEAT OPTIONS...: explore, under SC if they name no model, REPEAT times, and print microseconds an execution and
# nanoseconds an event.
measure() {
	local name=$1 repeat=$2 best= user
	shift 2
	[[ " $* " == *' -m '* ]] || set -- -m sc "$@"
	for _ in $(seq "$runs"); do
		user=$({ TIMEFORMAT=%U; time "$everett" run -q --repeat "$repeat" --json "$work/result" "$@" "$work/checker" \
			>/dev/null 2>&1; } 2>&1) || true
		if [ -z "$best" ] || awk "BEGIN { exit !($user < $best) }"; then best=$user; fi
	done
	jq -r --arg name "$name" --argjson user "$best" --argjson repeat "$repeat" '.results[0] | (.executions + .blocked) as $n |
		[$name, $n, $n * $repeat, $user * 1e6 / ($n * $repeat),
		 $user * 1e9 / (.events * $repeat), .events / $n, .peak_kib] | @tsv' "$work/result" |
		awk -F'\t' '{ printf "%-26s %11d %12d %13.3f %9.1f %12.1f %10d\n", $1, $2, $3, $4, $5, $6, $7 }'
}

header() {
	printf '%-26s %11s %12s %13s %9s %12s %10s\n' "$1" executions "run in all" us/execution ns/event events/exec. "peak KiB"
}

# Programs of the papers: name, size, how often it is explored.
six='sigma 7 2
readers 13 20
lastzero 12 10
casrot 9 20
fib_bench 5 1
circular_buffer 8 10'

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
	awk '{ sum += log($4) } END { printf "%-26s %11s %12s %13.3f\n", "geometric mean", "", "", exp(sum / NR) }' "$work/table"
done

# Under RA, every access is a release or an acquire; races are looked for.
echo
header "rf under RA"
while read -r program n repeat; do
	build "papers/$program.c" "-DN=$n"
	measure "$program($n)" "$repeat" -m ra -e rf
done <<<"${six/circular_buffer 8 10/exponential_bug 7 5}" | tee "$work/table"
awk '{ sum += log($4) } END { printf "%-26s %11s %12s %13.3f\n", "geometric mean", "", "", exp(sum / NR) }' "$work/table"

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
