#!/usr/bin/env bash
# How well searches would scale: records the trees of some, and simulates them. bench/scale/run.sh [DIR] keeps the trees in DIR.
# The simulator's options can be given as SIMULATE, such as SIMULATE='-w 8,64 -g 2'.
set -eu
everett=$(realpath "${EVERETT:-build/everett}")
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trees=${1:-$work}
mkdir -p "$trees"

${CC:-cc} -O2 -std=gnu11 -o "$work/simulate" "$here/simulate.c"

# record MODEL PROGRAM N: one worker, which writes the tree of its search.
record()
{
	local tree=$trees/$2-$3-$1.tree
	if [ ! -e "$tree" ]; then
		EVERETT_TREE=$tree.new "$everett" check -q -m "$1" -e rf -j 1 --checkpoint "$work/checkpoint.json" \
			"-DN=$3" "$here/../papers/$2.c"
		mv "$tree.new" "$tree"
	fi
	for steal in 20 200; do
		echo
		echo "$2($3), $1"
		# shellcheck disable=SC2086
		"$work/simulate" -s $steal ${SIMULATE:-} "$tree"
	done
}

record sc fib_bench 6
record sc lastzero 18
record sc casrot 13
record rc11 fib_bench 5
record tso fib_bench 5
record sc chase_lev_dq 5
record sc race_parametric 7
