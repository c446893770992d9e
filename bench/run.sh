#!/usr/bin/env bash
# What an execution and an event cost, how long a check takes to start, and whether memory stays flat.
# CPU time of the checker; each line is the best of several runs, because the machine is shared.
set -eu
everett=$(realpath "${EVERETT:-build/everett}")
cd "$(dirname "$0")"
runs=${RUNS:-5}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# measure NAME FILE OPTIONS...: explore, and print microseconds an execution and nanoseconds an event.
measure() {
	local name=$1 file=$2 best= user
	shift 2
	"$everett" check -e none -q --keep "$work/checker" --max-executions 1 "$file" 2>/dev/null || true
	for _ in $(seq "$runs"); do
		user=$({ TIMEFORMAT=%U; time "$everett" run -e none -q --json "$work/result" "$@" "$work/checker" 2>/dev/null; } 2>&1) || true
		if [ -z "$best" ] || awk "BEGIN { exit !($user < $best) }"; then best=$user; fi
	done
	jq -r --arg name "$name" --argjson user "$best" --argjson repeat "${REPEAT:-1}" '.results[0] |
		[$name, .executions, .executions * $repeat, $user * 1e6 / (.executions * $repeat),
		 $user * 1e9 / (.events * $repeat), .events / .executions, .peak_kib] | @tsv' "$work/result" |
		awk -F'\t' '{ printf "%-20s %11d %12d %13.3f %9.1f %12.1f %10d\n", $1, $2, $3, $4, $5, $6, $7 }'
}

echo "an execution (CPU time, best of $runs)"
printf '%-20s %11s %12s %13s %9s %12s %10s\n' program executions "run in all" "us/execution" "ns/event" "events/exec." "peak KiB"
REPEAT=2000000 measure empty empty.c --repeat 2000000
REPEAT=200000 measure "store buffering" ../examples/sb.c --repeat 200000
measure "counter 2x20" counter.c --max-executions 200000
REPEAT=20000 measure "mutex(4)" mutex.c --repeat 20000

echo
echo "memory (a peak that does not grow with the number of executions)"
for n in 100000 1000000 10000000; do
	"$everett" check -e none -q --max-executions "$n" --json "$work/result" writers.c 2>/dev/null || true
	jq -r '.results[0] | "\(.executions) executions: \(.peak_kib) KiB"' "$work/result"
done

echo
echo "start-up of 'everett check' on a trivial file (wall time, median of $((runs * 2 + 1)))"
for _ in $(seq $((runs * 2 + 1))); do
	{ TIMEFORMAT=%R; time "$everett" check -e none -v empty.c 2>"$work/err"; } 2>&1
	sed -n 's/^everett: compile/    of which compile/p' "$work/err" >"$work/split"
done | sort -n | sed -n "$((runs + 1))s/\$/ s/p"
cat "$work/split"
