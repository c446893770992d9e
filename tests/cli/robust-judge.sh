#!/bin/bash
# set: long
# Random programs: robust is exactly what has the same Shasha-Snir traces as under SC. The traces are told by --classes,
# which knows nothing of cycles; --check compares the test for cycles with the axioms in every execution, and every cycle that is
# reported with the relations that it is made of.
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

# compare FENCES PROGRAM...: these of ./programs, with or without a barrier after every store.
compare() {
	local i model sc weak want got fences=$1
	shift
	for i; do
		sc=$(traces sc $i "$fences")
		for model in tso pso; do
			weak=$(traces $model $i "$fences")
			[ -n "$sc" ] && [ -n "$weak" ] || continue
			want=0
			[ "$sc" = "$weak" ] || want=1
			checker "model=$model robust=1 check=1" $i "$fences" >out
			got=$?
			verdicts[$fences$got]=$((${verdicts[$fences$got]:-0} + 1))
			[ $got = $want ] || fail "program $i, $model, fences $fences: status $got, not $want: $(tail -n 1 out)"
			[ $got = 0 ] || grep -q '^finding	not-robust	' out || fail "program $i, $model: no witness"
			checker "model=$model robust=1 check=1 keep-going=1" $i "$fences" >out
			got=$?
			[ $got = $want ] || fail "program $i, $model, fences $fences, -k: status $got, not $want: $(tail -n 1 out)"
		done
	done
}

# make_programs FEATURES SEED COUNT: ./programs
make_programs() {
	"$BUILD/randprog" --features="$1" "$2" "$3" >programs.c
	"$EVERETT" check --keep ./programs -q --max-executions 1 programs.c >out 2>err
}

make_programs rwfuniac 1000 150
compare 0 $(seq 0 149)
compare 1 $(seq 0 19)
# Both answers were asked for; with a barrier after every store there is only one.
[ "${verdicts[00]:-0}" -gt 100 ] || fail "few robust programs: ${verdicts[00]:-0}"
[ "${verdicts[01]:-0}" -gt 10 ] || fail "few programs that are not robust: ${verdicts[01]:-0}"
[ "${verdicts[10]:-0}" -gt 10 ] && [ "${verdicts[11]:-0}" = 0 ] || fail "barriers do not make programs robust"

# Main is one of the racing threads: it makes events of its own between creating and joining the others. Such a program has no role 0 but in main.
verdicts=()
make_programs rwfuniacsp 2000 800
mains=$(for ((i = 0; i < 800; i++)); do grep -q "role_$((2000 + i))_0(" programs.c || echo $i; done)
# shellcheck disable=SC2086 # words
compare 0 $mains
[ "${verdicts[00]:-0}" -gt 100 ] || fail "few robust programs with main: ${verdicts[00]:-0}"
[ "${verdicts[01]:-0}" -gt 15 ] || fail "few programs with main that are not robust: ${verdicts[01]:-0}"
finish
