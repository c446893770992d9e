#!/usr/bin/env bash
# Long executions: what one costs as programs grow, for each engine, and the peak of memory. The programs are in bench/long.
#   long.sh [PROGRAM...]     all of them, or these
# EXECUTIONS=300: of each search, so many. SECONDS_EACH=20: nor longer than that. INSTRUCTIONS=1: count them, with valgrind, instead of time; the peak of memory is valgrind's then.
# ENGINES: MODEL/ENGINE, space-separated.
set -eu
everett=$(realpath "${EVERETT:-build/everett}")
cd "$(dirname "$0")/long"
executions=${EXECUTIONS:-300} limit=${SECONDS_EACH:-20} runs=${RUNS:-3}
engines=${ENGINES:-sc/traces sc/rf sc/rvf sc/revisit tso/traces tso/rf pso/rf ra/rf rc11/rf}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Name, program, other options, sizes.
all='sections|sections||10 100 1000 5000
increments|increments||10 100 1000 3000
uncontended|accesses||10 100 1000 5000
few|accesses|-DEVERY=10|10 100 1000 5000
conflicts|accesses|-DEVERY=1|10 100 1000 5000
threads|threads||10 50
mutexes|mutexes||10 100 1000
allocations|allocations||100 1000 50000'

# explore MODEL ENGINE: once, into $work/result.
explore() {
	local options=(-m "$1" -e "$2")
	[ "$2" != revisit ] || options=(-m "$1" -e rf --checkpoint "$work/checkpoint")
	rm -f "$work/result" "$work/checkpoint" "$work"/instructions.*
	${counter[@]+"${counter[@]}"} "$everett" run -q --hunt 0 --max-executions "$executions" --timeout "$limit" --memory 2000 \
		"${options[@]}" --json "$work/result" "$work/checker" >"$work/output" 2>&1 || true
}

counter=()
unit='us/execution'
if [ "${INSTRUCTIONS:-}" ]; then
	counter=(valgrind --tool=callgrind --trace-children=yes "--callgrind-out-file=$work/instructions.%p")
	unit='instructions'
	runs=1
fi

# measure MODEL ENGINE: of several runs the best.
measure() {
	local best='' cost
	for _ in $(seq "$runs"); do
		explore "$1" "$2"
		[ -s "$work/result" ] || return 0
		if [ "${INSTRUCTIONS:-}" ]; then
			cost=$(awk '/^(summary|totals):/ && !seen[FILENAME]++ { sum += $2 } END { print sum }' "$work"/instructions.*)
		else
			cost=$(jq '.results[0].seconds.explore * 1e6' "$work/result")
		fi
		if [ -z "$best" ] || awk "BEGIN { exit !($cost < $best) }"; then best=$cost; fi
		# What runs into the limit is not run again.
		[ "$(jq ".results[0] | .executions + .blocked >= $executions or .complete" "$work/result")" = true ] || break
	done
	jq -r --arg name "$name($n)" --arg engine "$1/$2" --argjson cost "$best" \
		'.results[0] | (.executions + .blocked) as $n | ($n | if . == 0 then 1 else . end) as $d |
		[$name, $engine, $n, $cost / $d, .events / $d, .peak_kib] | @tsv' "$work/result" |
		awk -F'\t' '{ printf "%-20s %-12s %10d %14.1f %12.1f %10d\n", $1, $2, $3, $4, $5, $6 }'
}

printf '%-20s %-12s %10s %14s %12s %10s\n' program engine executions "$unit" events/exec. "peak KiB"
while IFS='|' read -r name program options sizes; do
	[ $# = 0 ] || [[ " $* " == *" $name "* ]] || continue
	for n in ${SIZES:-$sizes}; do
		# shellcheck disable=SC2086
		"$everett" check -m sc -e none -q --hunt 0 --keep "$work/checker" --max-executions 1 $options "-DN=$n" "$program.c" \
			>/dev/null 2>&1 || true
		for e in $engines; do
			measure "${e%/*}" "${e#*/}" </dev/null
		done
	done
done <<<"$all"
