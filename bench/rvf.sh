#!/usr/bin/env bash
# What rvf costs, what it saves compared with rf, and what each of its heuristics is good for (paper 001, section 6).
# CPU time of the checker; each line is the best of several runs, because the machine is shared.
set -eu
everett=$(realpath "${EVERETT:-build/everett}")
cd "$(dirname "$0")"
runs=${RUNS:-3}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Name, options, program; those of the paper's Table 2, where values save little, and of Table 1, where they save nearly all.
table2='13_unverif(5)|-DN=5|unverif
approxds_append(6)|-DN=6|approxds_append
linuxrwlocks(2)|-DN=2|linuxrwlocks
pgsql(3)|-DBOUND=3|pgsql'
table1='45_monabsex1(7)|-DN=7|monabsex1
reorder_5(9)|-DN=10 -DNO_ASSERT|reorder
reorder_5(30)|-DN=31 -DNO_ASSERT|reorder
singleton(20)|-DN=20|singleton
scull_loop(2)|-DN=2|scull_loop'

# build PROGRAM OPTIONS...: into $work/checker.
build() {
	"$everett" check -m sc -e none -q --keep "$work/checker" --max-executions 1 "${@:2}" "papers/$1.c" >/dev/null 2>&1 || true
}

# explore OPTIONS...: into $work/result; the best time in $best, in seconds.
explore() {
	local user
	best=
	for _ in $(seq "$runs"); do
		user=$({ TIMEFORMAT=%U; time "$everett" run -q -m sc --json "$work/result" "$@" "$work/checker" >/dev/null 2>&1; } 2>&1) ||
			true
		if [ -z "$best" ] || awk "BEGIN { exit !($user < $best) }"; then best=$user; fi
	done
}

# row NAME: what was explored.
row() {
	jq -r --arg name "$1" --argjson user "$best" '.results[0] | (.executions + .blocked) as $n |
		[$name, $n, .redundant, .stats.questions // 0, .stats.states // 0, $user * 1000, $user * 1e6 / $n] | @tsv' \
		"$work/result" |
		awk -F'\t' '{ printf "%-26s %11d %10d %10d %12d %9.0f %13.3f\n", $1, $2, $3, $4, $5, $6, $7 }'
}

header() {
	printf '%-26s %11s %10s %10s %12s %9s %13s\n' "$1" executions "in vain" questions "steps tried" ms us/execution
}

echo "rvf (CPU time, best of $runs)"
header "programs"
while IFS='|' read -r name options program; do
	# shellcheck disable=SC2086
	build "$program" $options
	explore -e rvf --rvf-no=instead
	row "$name"
done <<<"$table2" | tee "$work/table"
awk '{ sum += log($NF) } END { printf "%-26s %67.3f\n", "geometric mean", exp(sum / NR) }' "$work/table"

echo
header "where values save much"
while IFS='|' read -r name options program; do
	# shellcheck disable=SC2086
	build "$program" $options
	for engine in rvf rf; do
		explore -e $engine --rvf-no=instead
		row "$name $engine"
	done
done <<<"$table1"

echo
echo "without one of the heuristics"
while IFS='|' read -r name options program; do
	# shellcheck disable=SC2086
	build "$program" $options
	header "$name"
	for without in '' closure guide greedy signals closure,guide,greedy,signals; do
		explore -e rvf --rvf-no=instead${without:+,$without}
		row "  ${without:-all of them}"
	done
done <<<"$table2"
