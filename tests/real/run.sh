#!/usr/bin/env bash
# Check libraries that others have written, on harnesses of ours: tests/real/run.sh [PART]
#
# Fetches the libraries' sources, builds them with `everett cc` (libraries.sh), and runs what the file `table` says; that file tells
# what its columns mean. PART: only lines that contain this text. The last line counts.
set -u
everett=$(realpath "${EVERETT:-build/everett}")
work=$(realpath -m "${BUILD:-build}")/real
cd "$(dirname "${BASH_SOURCE[0]}")" || exit 1
part=${1:-}

passed=0 failed=0

fail() {
	echo "FAIL $*"
	failed=$((failed + 1))
}

# compile LIBRARY HARNESS -DNAME...: into $work/checker, unless that is there from the line before.
compiled=
compile() {
	[ "$compiled" != "$*" ] || return 0
	compiled=
	rm -f "$work/checker"
	$cc -g -Wall -Wextra -Werror -Wno-unused-function "${@:3}" -o "$work/checker" "$2.c" $("flags_$1" "$work/$1") -pthread >"$work/out" 2>&1 ||
		return
	compiled=$*
}

# explore PAIR RESULT OPTION...
explore() {
	rm -f "$2"
	timeout -s KILL 90 "$everett" run -q --no-races -m "${1%/*}" -e "${1#*/}" --timeout 60 --json "$2" "${@:3}" "$work/checker" >"$work/out" 2>&1
	[ $? -le 1 ] && [ -s "$2" ]
}

verdict='if .verdict == "finding" then .findings[0] | "\(.kind) \(.file | sub(".*/"; ""))"
	elif .verdict != "ok" or (.complete | not) then .verdict
	elif .truncated > 0 then "bounded" else "ok" end'

# The classes of all executions and all findings, and for an engine, of which kind there must be one execution each.
describe() {
	jq -r '.results[0] | (.findings | map("\(.kind) \(.file):\(.line)") | unique[]), "complete \(.complete)"' "$1.json"
	grep "^$2 " "$1.classes" | cut -d' ' -f1,2 | sort -u
}

# agree PAIR OPTION...: the engine finds what the enumeration of all interleavings finds, by one execution for each class.
agree() {
	local pair=$1 model=${1%/*} class=trace
	[ "${pair#*/}" = traces ] || class=rf
	shift
	if [ "$compared" != "$compiled $model" ]; then
		explore "$model/none" "$work/none.json" -k --classes "$work/none.classes" "$@" || return
		compared="$compiled $model"
	fi
	explore "$pair" "$work/result.json" -k --check --classes "$work/result.classes" "$@" || return
	describe "$work/none" $class >"$work/expected"
	describe "$work/result" $class >"$work/actual"
	grep -c "^$class " "$work/expected" >>"$work/expected"
	jq '.results[0] | .executions + .blocked + .truncated + .redundant' "$work/result.json" >>"$work/actual"
	diff "$work/expected" "$work/actual" >"$work/out"
}
compared=

# run_pair LIBRARY HARNESS PAIR EXPECTED OPTION...
run_pair() {
	local name="$1 $2 $flags $3" expected=$4 result executions others started=$EPOCHREALTIME
	shift 2
	if [ "$expected" = agree ]; then
		agree "$1" "${@:3}" && result=agree || result='does not agree with none'
	else
		explore "$1" "$work/result.json" "${@:3}" && result=$(jq -r ".results[0] | $verdict" "$work/result.json") || result=failure
	fi
	if [[ " or $expected or " != *" or $result or "* ]]; then
		fail "$name: $result instead of $expected"
		tail -n 5 "$work/out" | sed 's/^/    /'
		return
	fi
	passed=$((passed + 1))
	read -r executions others < <(jq -r '.results[0] | "\(.executions) \(.blocked + .truncated)"' "$work/result.json")
	printf 'ok   %-10s %-16s %-44s %-11s %-30s %7s %6s %6.1f s\n' "$library" "$harness" "$flags" "$1" "$result" "$executions" "$others" \
		"$(awk "BEGIN { print $EPOCHREALTIME - $started }")"
}

# run_line LIBRARY HARNESS FLAGS PAIRS EXPECTED
run_line() {
	local word defines=() options=()
	for word in $3; do
		if [[ $word == -D* ]]; then defines+=("$word"); else options+=("$word"); fi
	done
	library "$1" || return
	if ! compile "$1" "$2" "${defines[@]}"; then
		fail "$1 $2 $3 does not compile"
		tail -n 10 "$work/out" | sed 's/^/    /'
		return
	fi
	for word in $4; do
		run_pair "$1" "$2" "$word" "$5" "${options[@]}"
	done
}

. ./build.bash
for file in *.c; do
	grep -q "| *${file%.c} *|" table || fail "${file%.c}: the table has no line for it"
done
while IFS='|' read -r library harness flags pairs expected why; do
	[[ -n $library && $library != \#* ]] || continue
	for field in library harness flags pairs expected why; do trim $field; done
	[[ "$library $harness $flags $pairs $expected" == *"$part"* ]] || continue
	if [[ -z $pairs || -z $expected ]] || ! declare -F "build_$library" >/dev/null; then
		fail "$library $harness: cannot read its line"
		continue
	fi
	run_line "$library" "$harness" "$flags" "$pairs" "$expected"
done <table
echo "$passed passed, $failed failed"
[ $failed = 0 ] && [ $passed -gt 0 ]
