#!/usr/bin/env bash
# How much faster are two workers than one, on an otherwise idle machine with two cores? And what is lost with eight?
# One worker is the same engine (`--checkpoint` makes it so); `rf` alone, the default for one worker, is beside it. Programs of bench/papers that take some seconds.
# Without the hunt, which is a process of its own: with one worker it would have the other core to itself.
# RUNS: the best of so many, by the clock on the wall. PART: only rows that contain this text.
set -eu
everett=$(realpath "${EVERETT:-build/everett}")
cd "$(dirname "$0")"
runs=${RUNS:-3}
part=${PART:-}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Program, definitions, model, equivalence.
rows='fib_bench -DN=6 sc rf
fib_bench -DN=5 rc11 rf
fib_bench -DN=5 tso rf
lastzero -DN=17 sc rf
lastzero -DN=15 ra rf
casrot -DN=12 sc rf
readers -DN=19 sc rf
sigma -DN=9 ra rf
race_parametric -DN=7 sc rf
chase_lev_dq -DN=5 sc rf
fib_bench -DN=4 tso traces'

# seconds OPTION...: of the search, as the report says.
seconds() {
	local best='' s
	for _ in $(seq "$runs"); do
		"$everett" run -q --hunt 0 --json "$work/result" "$@" "$work/checker" >/dev/null 2>&1 || true
		s=$(jq '.results[0].seconds.explore' "$work/result")
		if [ -z "$best" ] || awk "BEGIN { exit !($s < $best) }"; then best=$s; fi
	done
	echo "$best"
}

printf '%-32s %11s %8s %8s %8s %8s %9s %9s\n' program executions alone "-j 1" "-j 2" "-j 8" "2 workers" "8 lose"
while read -r program defines model equivalence; do
	name="$program $defines $model/$equivalence"
	[[ $name == *"$part"* ]] || continue
	"$everett" cc "$defines" "papers/$program.c" -o "$work/checker"
	alone=$(seconds -m "$model" -e "$equivalence")
	one=$(seconds -m "$model" -e "$equivalence" --checkpoint "$work/checkpoint")
	two=$(seconds -m "$model" -e "$equivalence" -j 2)
	eight=$(seconds -m "$model" -e "$equivalence" -j 8)
	jq -r '.results[0].executions' "$work/result" | awk -v name="$name" -v alone="$alone" -v one="$one" -v two="$two" -v eight="$eight" '{
		printf "%-32s %11d %8.2f %8.2f %8.2f %8.2f %8.2fx %8.1f%%\n", name, $1, alone, one, two, eight, one / two, (eight / two - 1) * 100
	}'
done <<<"$rows"
