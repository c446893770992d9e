#!/bin/bash
# set: long
# Random programs: robust is exactly what has the same Shasha-Snir traces as under SC. The traces are told by --classes,
# which knows nothing of cycles; --check compares the test for cycles with the axioms in every execution.
. "$(dirname "$0")/lib.bash"

declare -A verdicts
# The same addresses in every run, as under the driver.
fixed=$(setarch -R true 2>/dev/null && echo setarch -R)

checker() {
	EVERETT_CHECKER="fd=1 simplify=0 engine=none $1" $fixed ./programs "$2" 0 "$3" 2>err
}

# traces MODEL PROGRAM FENCES: how many there are, and the sum of their keys; nothing if there are too many executions.
traces() {
	checker "model=$1 keep-going=1 races=0 max-executions=20000 classes-fd=2" "$2" "$3" |
		awk -F '\t' '$1 == "classes" { found = $2 " " $6 } $1 == "done" && $2 == 1 { print found }'
}

# compare COUNT FENCES: all programs of ./programs, with or without a barrier after every store.
compare() {
	local i model sc weak want got
	for ((i = 0; i < $1; i++)); do
		sc=$(traces sc $i "$2")
		for model in tso pso; do
			weak=$(traces $model $i "$2")
			[ -n "$sc" ] && [ -n "$weak" ] || continue
			want=0
			[ "$sc" = "$weak" ] || want=1
			checker "model=$model robust=1 check=1" $i "$2" >out
			got=$?
			verdicts[$2$got]=$((${verdicts[$2$got]:-0} + 1))
			[ $got = $want ] || fail "program $i, $model, fences $2: status $got, not $want: $(tail -n 1 out)"
			[ $got = 0 ] || grep -q '^finding	not-robust	' out || fail "program $i, $model: no witness"
		done
	done
}

"$BUILD/randprog" --features=rwfuniac 1000 150 >programs.c
"$EVERETT" check --keep ./programs -q --max-executions 1 programs.c >out 2>err
compare 150 0
compare 20 1
# Both answers were asked for; with a barrier after every store there is only one.
[ "${verdicts[00]:-0}" -gt 100 ] || fail "few robust programs: ${verdicts[00]:-0}"
[ "${verdicts[01]:-0}" -gt 10 ] || fail "few programs that are not robust: ${verdicts[01]:-0}"
[ "${verdicts[10]:-0}" -gt 10 ] && [ "${verdicts[11]:-0}" = 0 ] || fail "barriers do not make programs robust"
finish
