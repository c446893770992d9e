#!/usr/bin/env bash
# Weaken the fences of ck and liburcu, one at a time: tests/real/weaken.sh [--markdown] [PART]
#
# The copies of the libraries in which each fence is a site (ck_c11.sh, urcu_c11.sh) are checked on the harnesses that the file `weakened` lists, as they are
# and then, if that is right, with each fence that a harness reaches weakened to each weaker order. What must come out is in `weakened.expected`, in the
# form of tests/orders/expected. --markdown: the table for docs/results.md. PART: only lines that contain this text. MODEL: another model than rc11, whose
# results are printed but not compared. The last line counts.
set -u
everett=$(realpath "${EVERETT:-build/everett}")
work=$(realpath -m "${BUILD:-build}")/real
cd "$(dirname "${BASH_SOURCE[0]}")" || exit 1
model=${MODEL:-rc11}
markdown=
[ "${1:-}" != --markdown ] || {
	markdown=1
	shift
}
part=${1:-}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
passed=0 failed=0
declare -A expected=() seen=()
. ../orders/weaken.bash
read_expected expected weakened.expected
. ./build.bash

# compile LIBRARY HARNESS FLAGS FILES DEFINE...: into $scratch/checker. Of FILES those that are sources of the library are compiled anew.
compile() {
	local folder=$work/$1 file objects=() flags
	flags=$("flags_$1" "$folder")
	for file in $4; do
		[[ $file == *.c ]] || continue
		$cc -g -w $3 "${@:5}" $(sed 's/[^ ]*\.[ao]\>//g' <<<"$flags") ${source_flags[$1]} -c -o "$scratch/${file##*/}.o" "$folder/$file" || return
		objects+=("$scratch/${file##*/}.o")
		flags=${flags//"$folder/${file%.c}.o"/}
	done
	$cc -g -w $3 "${@:5}" -o "$scratch/checker" "$2.c" "${objects[@]}" $flags -pthread
}
declare -A source_flags=([ck-c11]= [urcu-c11]=-DRCU_MB)

# weaken NAME LIBRARY HARNESS FLAGS FILES SITE ORDER WEAKER: the verdict is in $verdict_of_last.
weaken() {
	local define=() line="$1 $6 $7 $8" result
	[ "$6" = - ] || define=("-DWEAKEN_$6=$8")
	if ! compile "$2" "$3" "$4" "$5" "${define[@]}" >"$scratch/out" 2>&1; then
		fail "$line does not compile"
		tail -n 10 "$scratch/out" | sed 's/^/    /'
		return 1
	fi
	result=$(explore run "$scratch/checker")
	if [ "$8" = trap ]; then
		[ "${result% *}" = crash ]
		return
	fi
	verdict_of_last=${result% *}
	compare "$line" "$verdict_of_last" "${result##* }"
}

# weaken_all NAME LIBRARY HARNESS FLAGS FILES
weaken_all() {
	local file site operation order weaker
	mark_seen "$1" - -
	weaken "$@" - - - && [ "$verdict_of_last" = ok ] || return
	for file in $5; do
		while read -r site operation order; do
			weaken "$@" "$site" "$order" trap || continue
			for weaker in $(weaker_orders "$operation" "$order"); do
				mark_seen "$1" "$site" "$weaker"
				weaken "$@" "$site" "$order" "$weaker"
			done
		done < <(sites "$work/$2/$file")
	done
}

[ -z "$markdown" ] || print_header
while IFS='|' read -r name library harness flags files; do
	[[ -n $name && $name != \#* ]] || continue
	for field in name library harness flags files; do trim $field; done
	[[ "$name $library $harness $flags" == *"$part"* ]] || continue
	library "$library" || continue
	weaken_all "$name" "$library" "$harness" "$flags" "$files"
done <weakened
[ -n "$part" ] || unused_expectations
[ -n "$markdown" ] || echo "$passed passed, $failed failed"
[ $failed = 0 ] && [ $passed -gt 0 ]
