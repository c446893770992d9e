#!/usr/bin/env bash
# How much faster are two workers than one, on an otherwise idle machine with two cores? And what is lost with eight?
# One worker is the same engine (`--checkpoint` makes it so); `rf` alone, the default for one worker, is beside it. Programs of bench/papers that take some seconds.
# Without the hunt, which is a process of its own: with one worker it would have the other core to itself.
# RUNS: the best of so many, by the clock on the wall; of what takes more than ten seconds, one. PART: only rows that contain this text. COLUMNS_ONLY: some of
# "alone one two eight".
set -eu
everett=$(realpath "${EVERETT:-build/everett}")
cd "$(dirname "$0")"
runs=${RUNS:-3}
part=${PART:-}
columns=${COLUMNS_ONLY:-alone one two eight}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Program, definitions, model, equivalence, options. First some of each kind, then the other rows of `make bench-papers` that take more than two seconds.
rows='fib_bench|-DN=6|sc|rf
fib_bench|-DN=5|rc11|rf
fib_bench|-DN=5|tso|rf
lastzero|-DN=17|sc|rf
lastzero|-DN=15|ra|rf
casrot|-DN=12|sc|rf
readers|-DN=19|sc|rf
sigma|-DN=9|ra|rf
race_parametric|-DN=7|sc|rf
chase_lev_dq|-DN=5|sc|rf
fib_bench|-DN=4|tso|traces
fib_bench|-DN=5|ra|rf
scull_loop|-DN=2|sc|rf
opt_lock|-DN=1000|sc|rf
tidex|-DN=2 -DLB=5125|ra|rf
peterson|-DFENCES=3 -DROUNDS=3 -DTRIES=2|ra|rf
dekker|-DFENCES=3 -DROUNDS=2 -DTRIES=5|ra|rf
lamport|-DFENCES=3 -DROUNDS=2 -DTRIES=4|ra|rf
gcd|-DN=8|ra|rf
monabsex1|-DN=8|sc|rf
approxds_append|-DN=7|sc|rf
fib_bench|-DN=6|ra|rf
queue_ok|-DN=12 -DPUT=5 -DTAKE=4|ra|rf
stack|-DN=12|ra|rf
szymanski|-DFENCES=3 -DROUNDS=2 -DTRIES=3|ra|rf|--no-races
fib_bench|-DN=6|sc|traces
control_flow|-DN=7|sc|traces
exponential_bug|-DN=7|sc|traces
opt_lock|-DN=13|sc|traces
sigma|-DN=8|sc|traces
race_parametric|-DN=7|sc|traces
scull_loop|-DN=2|sc|traces
approxds_append|-DN=6|sc|traces
monabsex1|-DN=7|sc|traces'

# seconds OPTION...: of the search, as the report says; nothing if it failed.
seconds() {
	local best='' s
	for _ in $(seq "$runs"); do
		"$everett" run -q --hunt 0 --json "$work/result" "$@" "$work/checker" >/dev/null 2>&1 || true
		s=$(jq '.results[0] | select(.complete) | .seconds.explore' "$work/result")
		[ -n "$s" ] || break
		if [ -z "$best" ] || awk "BEGIN { exit !($s < $best) }"; then best=$s; fi
		if awk "BEGIN { exit !($s > 10) }"; then break; fi
	done
	echo "$best"
}

# column NAME OPTION...: its seconds, if the column is wanted.
column() {
	local name=$1
	shift
	[[ " $columns " == *" $name "* ]] || return 0
	seconds "$@"
}

printf '%-44s %11s %8s %8s %8s %8s %9s %9s\n' program executions alone "-j 1" "-j 2" "-j 8" "2 workers" "8 lose"
while IFS='|' read -r program defines model equivalence options; do
	name="$program $defines $model/$equivalence"
	[[ $name == *"$part"* ]] || continue
	# shellcheck disable=SC2086 # several words
	"$everett" cc $defines "papers/$program.c" -o "$work/checker"
	words="-m $model -e $equivalence $options"
	# shellcheck disable=SC2086
	{
		alone=$(column alone $words)
		one=$(column one $words --checkpoint "$work/checkpoint")
		two=$(column two $words -j 2)
		eight=$(column eight $words -j 8)
	}
	jq -r '.results[0].executions' "$work/result" | awk -v name="$name" -v alone="$alone" -v one="$one" -v two="$two" -v eight="$eight" '
		function ratio(a, b, format) { return a != "" && b > 0 ? sprintf(format, a / b) : "" }
		{
			lost = eight != "" && two > 0 ? sprintf("%.1f%%", (eight / two - 1) * 100) : ""
			printf "%-44s %11d %8s %8s %8s %8s %9s %9s\n", name, $1, alone, one, two, eight, ratio(one, two, "%.2fx"), lost
		}'
done <<<"$rows"
