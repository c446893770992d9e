#!/bin/bash
# Judge litmus tests: tools/litmus/judge.sh [--check] [--brief] FILE.litmus..., or judge.sh --ask 'THREADS : CONDITION'
#
# Each test is explored exhaustively under each of the models, by brute force and by each engine that is exhaustive
# for the model, and must reach its condition exactly where it says so: a line "ok TEST MODEL" or "FAIL TEST MODEL" with the
# engine and the reason. A condition that no model allows must be one that could have
# been reached: without any one of its parts it is, under sc ("ok TEST parts"). Races are not looked for: under rc11, plain
# accesses are weaker than relaxed. --check: every execution is validated against the model's axioms, too. --brief: of the good lines only their number. --ask: which models allow this test?
# EVERETT names the driver.
#
# The checker is started directly: at 2 ms a run the driver would cost most of the time.
set -u
# Addresses are the same in every run, as under the driver.
if [ -z "${LITMUS_FIXED:-}" ] && setarch -R true 2>/dev/null; then
	LITMUS_FIXED=1 exec setarch -R bash "$0" "$@"
fi
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
EVERETT=${EVERETT:-$here/../../build/everett}
declare -A engines=([sc]='none traces rf' [tso]='none traces rf' [pso]='none traces rf' [ra]='none rf' [rc11]='none rf')
models='sc tso pso ra rc11' check=0 brief= ask= good=0 bad=0
while [[ ${1:-} == --* ]]; do
	case $1 in
	--check) check=1 ;;
	--brief) brief=1 ;;
	--ask) ask=1 ;;
	*) echo "judge.sh: unknown option '$1'" >&2 && exit 2 ;;
	esac
	shift
done

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
if [ -n "$ask" ]; then
	echo "asked : $* : -" >"$scratch/asked.litmus"
	set -- "$scratch/asked.litmus"
fi

ok() {
	good=$((good + 1))
	[ -n "$brief" ] || echo "ok $1"
}

fail() {
	bad=$((bad + 1))
	printf 'FAIL %s\n    %s\n' "$1" "$2"
}

# reach MODEL ENGINE NUMBER [LEFT-OUT]: verdict is "allowed", "forbidden", or what went wrong.
reach() {
	local model=$1 engine=$2 status
	shift 2
	EVERETT_CHECKER="fd=1 model=$model engine=$engine races=0 simplify=0 timeout=7200 check=$check" "$scratch/tests" "$@" >"$scratch/out" 2>&1
	status=$?
	if [ $status = 0 ]; then
		verdict=forbidden
	elif [ $status = 1 ] && [ "$(grep -c '^finding	' "$scratch/out")" = 1 ] && grep -q '^finding	assertion	' "$scratch/out"; then
		verdict=allowed
	else
		verdict="exit status $status: $(grep -E '^(finding|error|done)' "$scratch/out" | tail -n 1)"
	fi
}

judge() {
	local number=$1 name=$2 parts=$3 model engine expected i
	shift 3
	for model in $models; do
		expected=forbidden
		[[ " $* " == *" $model "* ]] && expected=allowed
		for engine in ${engines[$model]}; do
			reach "$model" "$engine" "$number"
			[ "$verdict" = $expected ] || break
		done
		if [ "$verdict" = $expected ]; then
			ok "$name $model"
		else
			fail "$name $model" "$engine: $verdict; expected: $expected"
		fi
	done
	[ "$*" = - ] || return
	for ((i = 1; i <= parts; i++)); do
		reach sc none "$number" "$i"
		[ "$verdict" = allowed ] && continue
		fail "$name parts" "the condition without its part $i: $verdict; so it says too much"
		return
	done
	ok "$name parts"
}

if ! awk -v list="$scratch/list" -f "$here/convert.awk" "$@" >"$scratch/tests.c" 2>"$scratch/out" ||
	! "$EVERETT" cc -o "$scratch/tests" "$scratch/tests.c" 2>"$scratch/out"; then
	fail "$*" "$(head -n 10 "$scratch/out")"
	exit 1
fi
if [ -n "$ask" ]; then
	for model in $models; do
		reach "$model" none 1
		echo "$model: $verdict"
	done | paste -sd ' ' | sed 's/ \([a-z0-9]*:\)/, \1/g'
	exit
fi
while read -r line; do
	judge $line
done <"$scratch/list"
[ -z "$brief" ] || echo "$good good, $bad bad"
[ $bad = 0 ] && [ $good -gt 0 ]
