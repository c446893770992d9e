#!/usr/bin/env bash
# Weaken the memory orders of concurrent algorithms, one at a time: tests/orders/run.sh [--quick] [--markdown] [PART]
#
# Each program is checked as it is and then with each site (sites.h) weakened to each weaker order. What must come out is in the file
# `expected`, which tells what its columns mean; a line is missing or too many: a failure. --quick: only the lines that it marks. --markdown: the table for
# docs/results.md. PART: only lines that contain this text. MODEL: another model than rc11, whose results are printed but not compared. The last line counts.
set -u
everett=$(realpath "${EVERETT:-build/everett}")
cd "$(dirname "${BASH_SOURCE[0]}")" || exit 1
model=${MODEL:-rc11}
quick= markdown=
while [[ ${1:-} == --* ]]; do
	case $1 in
	--quick) quick=1 ;;
	--markdown) markdown=1 ;;
	*) echo "run.sh: what is '$1'?" >&2 && exit 2 ;;
	esac
	shift
done
part=${1:-}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
. ./weaken.bash

passed=0 failed=0
declare -A expected=() seen=()
read_expected expected expected

# weakened_lines PROGRAM: "PROGRAM SITE ORDER WEAKER" for each; first that of the program as it is.
weakened_lines() {
	echo "$1 - - -"
	sites "$1.c" | while read -r site operation order; do
		weaker_orders "$operation" "$order" | sed "s/^/$1 $site $order /"
	done
}

[ -z "$markdown" ] || print_header
for file in *.c; do
	while read -r line; do
		read -r program site order weaker <<<"$line"
		mark_seen "$program" "$site" "$weaker"
		[[ $line == *"$part"* ]] || continue
		[[ -z $quick || $(expectation "$program" "$site" "$weaker") == *'|quick|'* ]] || continue
		define=()
		[ "$site" = - ] || define=("-DWEAKEN_$site=$weaker")
		result=$(explore check "${define[@]}" "$program.c")
		compare "$line" "${result% *}" "${result##* }"
	done < <(weakened_lines "${file%.c}")
done
unused_expectations
[ -n "$markdown" ] || echo "$passed passed, $failed failed"
[ $failed = 0 ] && { [ $passed -gt 0 ] || [ -n "$part" ]; }
