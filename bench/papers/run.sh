#!/usr/bin/env bash
# Compare what Everett explores with what the papers say: bench/papers/run.sh [--long | --full] [PART]
#
# Every line of the file `table` is run and timed; the file says what its columns mean. PART: only lines that contain this text.
# --long, --full: those that are marked so, too. The exit status is 0 if everything is as expected. The last line
# tells numbers of the papers from those that are marked "own", of which it can only be said that they have not changed.
# figures.sh shows the papers' tables beside ours.
set -u
everett=$(realpath "${EVERETT:-build/everett}")
cd "$(dirname "${BASH_SOURCE[0]}")" || exit 1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
. ./lib.bash

# run_line PROGRAM OPTIONS PAIR EXPECTED
run_line() {
	local found classes=()
	[[ $4 != *@(traces|rf|rvf):* ]] || classes=(--classes "$work/classes")
	explore "$1" "$2" "$3" "${classes[@]}"
	[ -n "$built" ] || return 1
	found=$(describe "$4" 2>&1)
	[ "$found" = "$4" ] && return 0
	complaint="$found instead of $4"
	return 1
}

sets=quick part=
for argument; do
	case $argument in
	--long) sets='quick|long' ;;
	--full) sets='quick|long|full' ;;
	-*)
		echo "run.sh: unknown option '$argument'" >&2
		exit 2
		;;
	*) part=$argument ;;
	esac
done

papers=0 own=0 failed=0
for file in *.c; do
	grep -q "^${file%.c} *|" table && continue
	echo "FAIL ${file%.c}: the table has no line for it"
	failed=$((failed + 1))
done
while read -r line; do
	[[ -n $line && $line != \#* ]] || continue
	read_fields "$line" program options pair expected set source
	[[ "$program $options $pair $expected $source" == *"$part"* ]] || continue
	if [[ ! -f $program.c || $set != @(quick|long|full) || -z $expected || -z $source ]]; then
		echo "FAIL $program: cannot read its line"
		failed=$((failed + 1))
		continue
	fi
	[[ "|$sets|" == *"|$set|"* ]] || continue
	complaint=
	if run_line "$program" "$options" "$pair" "$expected"; then
		printf 'ok   %-16s %-28s %-10s %-24s %8.2f s\n' "$program" "$options" "$pair" "$expected" "$seconds"
		if [[ $source == own* ]]; then own=$((own + 1)); else papers=$((papers + 1)); fi
	else
		echo "FAIL $program $options $pair: ${complaint:-does not compile}"
		tail -n 5 "$work/out" | sed 's/^/    /'
		failed=$((failed + 1))
	fi
done <table
echo "$papers as the papers say, $own as before (own), $failed not"
[ $failed = 0 ] && [ $((papers + own)) -gt 0 ]
