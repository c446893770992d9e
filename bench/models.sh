#!/usr/bin/env bash
# The papers' programs under SC, TSO and PSO by `traces` and `rf`, side by side: how many executions, what one costs, and what `rf` gains.
# CPU time of the checker; each number is the best of several runs, because the machine is shared.
set -eu
everett=$(realpath "${EVERETT:-build/everett}")
cd "$(dirname "$0")"
runs=${RUNS:-3}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Name and size; "rf": too large for the other engine.
programs='control_flow 6
floating_read 7
lastwrite 8
sigma 6
redundant_co 5
fib_bench 3
exponential_bug 2
approxds_append 4
opt_lock 6
casrot 8
race_parametric 4
circular_buffer 7
control_flow 12 rf
floating_read 30 rf
lastwrite 30 rf
sigma 7 rf
redundant_co 30 rf
exponential_bug 5 rf
opt_lock 13 rf
opt_lock 40 rf'

# explore MODEL ENGINE REPEAT: sets `user`, in seconds.
explore() {
	user=$({ TIMEFORMAT=%U; time "$everett" run -q -m "$1" -e "$2" --repeat "$3" --json "$work/result" "$work/checker" \
		>/dev/null 2>&1; } 2>&1) || true
}

# measure MODEL ENGINE: prints the number of executions, and microseconds for each. What takes no time is repeated until it does.
measure() {
	local repeat=1 best
	explore "$1" "$2" $repeat
	while awk "BEGIN { exit !($user < 0.07) }"; do
		repeat=$(awk "BEGIN { print int($user < 0.02 ? 8 * $repeat : 0.1 / $user * $repeat) + 1 }")
		explore "$1" "$2" "$repeat"
	done
	best=$user
	for _ in $(seq 2 "$runs"); do
		explore "$1" "$2" "$repeat"
		if awk "BEGIN { exit !($user < $best) }"; then best=$user; fi
	done
	jq -r --argjson user "$best" --argjson repeat "$repeat" '.results[0] | (.executions + .blocked) as $n |
		"\($n) \($user * 1e6 / ($n * $repeat))"' "$work/result"
}

# All numbers of a program in a line: of traces under the three models, then of rf.
while read -r program n only; do
	"$everett" check -m sc -e none -q --keep "$work/checker" --max-executions 1 "-DN=$n" "papers/$program.c" >/dev/null 2>&1 || true
	line="$program($n)"
	for engine in traces rf; do
		for model in sc tso pso; do
			if [ $engine = "${only:-$engine}" ]; then
				line+=" $(measure $model $engine)"
			else
				line+=' - -'
			fi
		done
	done
	echo "$line"
done <<<"$programs" >"$work/table"

# Columns 2 to 7: traces; 8 to 13: rf.
echo "executions, and how many times fewer rf needs"
awk 'function times(t, r) { return t == "-" ? "-" : sprintf("%.1f", t / r) }
	BEGIN {
		printf "%-20s | %-26s | %-23s | %-23s\n", "", "traces", "rf", "traces : rf"
		printf "%-20s | %8s %8s %8s | %7s %7s %7s | %7s %7s %7s\n", "", "sc", "tso", "pso", "sc", "tso", "pso", "sc", "tso", "pso"
	}
	{
		printf "%-20s | %8s %8s %8s | %7d %7d %7d | %7s %7s %7s\n", $1, $2, $4, $6, $8, $10, $12,
			times($2, $8), times($4, $10), times($6, $12)
	}' "$work/table"
echo
echo "microseconds for an execution (CPU time, best of $runs), and how they compare with SC"
awk 'function time(t) { return t == "-" ? "-" : sprintf("%.2f", t) }
	BEGIN {
		printf "%-20s | %-26s | %-26s | %-15s\n", "", "traces", "rf", "rf, times sc"
		printf "%-20s | %8s %8s %8s | %8s %8s %8s | %7s %7s\n", "", "sc", "tso", "pso", "sc", "tso", "pso", "tso", "pso"
	}
	{
		printf "%-20s | %8s %8s %8s | %8s %8s %8s | %7.2f %7.2f\n", $1, time($3), time($5), time($7), time($9), time($11),
			time($13), $11 / $9, $13 / $9
		tso += log($11 / $9)
		pso += log($13 / $9)
	}
	END { printf "%-20s | %26s | %26s | %7.2f %7.2f\n", "geometric mean", "", "", exp(tso / NR), exp(pso / NR) }' "$work/table"
