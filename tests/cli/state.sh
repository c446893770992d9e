#!/bin/bash
# Programs with state of many kinds: an execution that goes on from a mark does what one from the start of the program does, and so do those of two workers; under every
# model. The contracts of these programs say how many executions there are.
. "$(dirname "$0")/lib.bash"

# explore NAME OPTION...: what came of it is in counts[NAME], details[NAME], skipped[NAME] and NAME.classes
declare -A counts details skipped
explore()
{
	"$EVERETT" run -q -k --hunt 0 -m "${pair%/*}" -e "${pair#*/}" "${@:2}" --json r.json --classes "$1.classes" ./program >/dev/null 2>err
	local status=$?
	[ $status -le 1 ] || fail "$program $pair ${*:2}: status $status: $(tail -n 1 err)"
	{ read -r "counts[$1]" && read -r "details[$1]" && read -r "skipped[$1]"; } < <(jq -c '.results[0] |
		[.verdict, .executions, .blocked, (.findings | map([.kind, .line]) | sort)],
		[.events, (.findings | map([.message, .thread, .execution, .output]))], (.stats.skipped // 0)' r.json)
}

# Without what depends on the order in which they came.
sorted()
{
	grep -o ' rf=[0-9a-f]*.*outcome=[0-9a-f]*' "$1" | sed 's/ rvf=[0-9a-f]*//' | sort
}

all=0
for program in "$TOP"/tests/programs/{state_*,atomics_large_kept,await_thread_local}.c; do
	"$EVERETT" cc -g -Wno-atomic-alignment -o program "$program" -lm 2>err || fail "$program: $(cat err)"
	program=${program##*/}
	for pair in sc/rf tso/rf tso/traces pso/rf ra/rf rc11/rf; do
		explore with
		explore without --no-rollback
		explore workers -j 2
		[ "${counts[with]} ${details[with]}" = "${counts[without]} ${details[without]}" ] ||
			fail "$program $pair: --no-rollback: ${counts[with]} ${details[with]} and ${counts[without]} ${details[without]}"
		cmp -s with.classes without.classes || fail "$program $pair: --no-rollback: other classes"
		[ "${counts[with]}" = "${counts[workers]}" ] || fail "$program $pair: -j 2: ${counts[with]} and ${counts[workers]}"
		cmp -s <(sorted with.classes) <(sorted workers.classes) || fail "$program $pair: -j 2: other classes"
		[ -n "$(sorted with.classes)" ] || fail "$program $pair: no classes"
		[ "${skipped[without]}" = 0 ] || fail "$program $pair: --no-rollback goes on from a mark"
		all=$((all + skipped[with]))
	done
done
[ $all -gt 5000 ] || fail "$all events were skipped"
finish
