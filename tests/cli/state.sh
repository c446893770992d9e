#!/bin/bash
# Programs with state of many kinds: an execution that goes on from a mark does what one from the start of the program does, and so do those of two workers; under every
# model. The contracts of these programs say how many executions there are.
. "$(dirname "$0")/lib.bash"

# explore NAME OPTION...: in NAME.json and NAME.classes
explore()
{
	"$EVERETT" run -q -k --hunt 0 -m "$model" "${@:2}" --json "$1.json" --classes "$1.classes" ./program >/dev/null 2>err
	local status=$?
	[ $status -le 1 ] || fail "$program $model ${*:2}: status $status: $(tail -n 1 err)"
	jq -c '.results[0] | .verdict, .executions, .blocked, (.findings | map([.kind, .line]) | sort)' "$1.json" >"$1.counts"
	jq -c '.results[0] | .events, (.findings | map([.message, .thread, .execution, .output]))' "$1.json" >"$1.details"
	grep -o ' rf=[0-9a-f]*.*outcome=[0-9a-f]*' "$1.classes" | sed 's/ rvf=[0-9a-f]*//' | sort >"$1.sorted"
}

skipped=0
for program in "$TOP"/tests/programs/{state_*,atomics_large_kept,await_thread_local}.c; do
	"$EVERETT" cc -g -Wno-atomic-alignment -o program "$program" -lm 2>err || fail "$program: $(cat err)"
	program=${program##*/}
	for model in sc tso pso ra rc11; do
		explore with
		explore without --no-rollback
		explore workers -j 2
		for file in counts details classes; do
			cmp -s with.$file without.$file || fail "$program $model: --no-rollback: $(diff with.$file without.$file | head -n 4)"
		done
		for file in counts sorted; do
			cmp -s with.$file workers.$file || fail "$program $model: -j 2: $(diff with.$file workers.$file | head -n 4)"
		done
		[ -s with.sorted ] || fail "$program $model: no classes"
		skipped=$((skipped + $(jq '.results[0].stats.skipped // 0' with.json)))
		[ "$(jq '.results[0].stats.skipped // 0' without.json)" = 0 ] || fail "$program $model: --no-rollback goes on from a mark"
	done
done
[ $skipped -gt 5000 ] || fail "$skipped events were skipped"
finish
