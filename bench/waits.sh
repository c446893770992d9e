#!/usr/bin/env bash
# Programs whose threads wait (bench/waits): how many executions, how many blocked ones, and how long it takes, by model and engine.
# bench/waits/expected has the number of executions of some: they should be no more, and none of them blocked.
# LIMIT: seconds for one search. A size is not tried if the size before it did not end.
set -eu
everett=$(realpath "${EVERETT:-build/everett}")
cd "$(dirname "$0")"
limit=${LIMIT:-20}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Name and sizes.
programs='event 2 3 4
tas 2 3 4 5
ttas 2 3 4 5
cas 2 3 4 5
flag 2 3 4
ticket 2 3 4 5
mcs 2 3 4 5
clh 2 3 4 5
anderson 2 3 4 5
rwlock 2 3 4
seqlock 2 3 4
peterson 2
filter 2 3
dekker 2
bakery 2 3
treiber 2 3 4
msqueue 2 3
trywait 2 3 4
trylock 2 3 4
pool 2 3 4
barrier 2 3 4 5 6
backoff 2
pointer 2 3 4
lockpoll 2 3 4'

# The default engine of each model comes first.
pairs='sc/rf sc/traces tso/traces tso/rf pso/traces pso/rf ra/rf'

# measure PAIR: prints "EXECUTIONS+BLOCKED SECONDS". A search that did not end has ">" before its numbers, one with a finding "!".
measure() {
	local user
	user=$({ TIMEFORMAT=%U; time "$everett" run -q -m "${1%/*}" -e "${1#*/}" --timeout "$limit" --json "$work/result" "$work/checker" \
		>/dev/null 2>&1; } 2>&1) || true
	jq -r --arg user "$user" '.results[0] | (if .verdict == "ok" then "" elif .verdict == "incomplete" then ">" else "!" end) as $mark |
		"\($mark)\(.executions)+\(.blocked) \($mark)\($user)"' "$work/result"
}

# All numbers of a program in a line: its name, the expected number of executions, and two columns for each pair.
while read -r program sizes; do
	stopped=
	for n in $sizes; do
		"$everett" cc "-DN=$n" -o "$work/checker" "waits/$program.c"
		line="$program($n) $(awk -v program="$program" -v n="$n" '$1 == program && $2 == n { found = $3 } END { print found ? found : "-" }' waits/expected)"
		for pair in $pairs; do
			if [[ $stopped == *" $pair "* ]]; then
				line+=' - -'
				continue
			fi
			cell=$(measure "$pair")
			line+=" $cell"
			[[ $cell != '>'* ]] || stopped+=" $pair "
		done
		echo "$line"
	done
done <<<"$programs" >"$work/table"

# table TITLE OFFSET: the columns OFFSET, OFFSET + 2, ... of the table.
table() {
	echo "$1"
	awk -v pairs="$pairs" -v offset="$2" 'BEGIN {
			n = split(pairs, pair, " ")
			printf "%-14s", ""
			for (i = 1; i <= n; i++)
				printf " %14s", pair[i]
			print offset == 3 ? "       expected" : ""
		}
		{
			printf "%-14s", $1
			for (i = 0; i < n; i++)
				printf " %14s", $(offset + 2 * i)
			print offset == 3 ? sprintf(" %14s", $2) : ""
		}' "$work/table"
}

table "programs that wait: executions + blocked ones (>: not ended after $limit s; !: a finding)" 3
echo
table "programs that wait: seconds of CPU time" 4
