#!/usr/bin/env bash
# Compare what Everett explores with what the papers say: bench/papers/run.sh [--long] [PART]
#
# Every line of the file `table` is run and timed whose engine this version has; the file says what its columns mean. PART: only
# lines that contain this text. --long: those that are marked so, too. The exit status is 0 if everything is as expected. The last line
# tells numbers of the papers from those that are marked "own", of which it can only be said that they have not changed.
set -u
everett=$(realpath "${EVERETT:-build/everett}")
cd "$(dirname "${BASH_SOURCE[0]}")" || exit 1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# has_engine MODEL/ENGINE: status 0 if this version has it, 1 if not yet.
declare -A known=()
has_engine() {
	if [ -z "${known[$1]:-}" ]; then
		if "$everett" check -q -m "${1%/*}" -e "${1#*/}" ../empty.c >"$work/out" 2>&1; then
			known[$1]=yes
		elif [[ $1 =~ ^(sc|tso|pso|ra)/(traces|rf|rvf|none)$ ]] && grep -q 'is not available' "$work/out"; then
			known[$1]=no
		else
			cat "$work/out"
			known[$1]=yes # so that its lines fail
		fi
	fi
	[ "${known[$1]}" = yes ]
}

# build PROGRAM -DNAME...: into $work/checker, unless that is there from the line before.
built=
build() {
	[ "$built" != "$*" ] || return 0
	built=
	rm -f "$work/checker"
	"$everett" check -q -e none --max-executions 1 --keep "$work/checker" "${@:2}" "$1.c" >"$work/out" 2>&1
	[ -x "$work/checker" ] && built=$*
}

# What a result amounts to for each word that is expected, in the words of the table.
describe() {
	local word
	for word in $1; do
		case $word in
		traces:* | rf:* | rvf:*)
			jq -r --arg kind "${word%:*}" '.results[0].classes[$kind] | "\($kind):\(.)"' "$work/result"
			;;
		[0-9]*)
			jq -r --arg plus "${word//[0-9]/}" '.results[0] | "\(.executions)" +
				(if $plus == "+" or .blocked > 0 then "+\(.blocked)" else "" end) +
				(if .truncated > 0 then ", \(.truncated) truncated" else "" end) +
				(if .redundant > 0 and .equivalence != "rvf" then ", \(.redundant) redundant" else "" end) +
				(if .verdict == "ok" and .complete then "" else ", \(.verdict)" end)' "$work/result"
			;;
		*)
			jq -r '.results[0] | if .verdict == "finding" then .findings[0].kind
				elif .verdict == "ok" and .complete then "ok" else .verdict end' "$work/result"
			;;
		esac
	done | paste -sd ' '
}

# run_line PROGRAM OPTIONS PAIR EXPECTED
run_line() {
	local word defines=() options=() found started
	for word in $2; do
		if [[ $word == -D* ]]; then defines+=("$word"); else options+=("$word"); fi
	done
	[[ $4 != *:* ]] || options+=(--classes "$work/classes")
	rm -f "$work/result"
	build "$1" "${defines[@]}" || return 1
	started=$EPOCHREALTIME
	"$everett" run -q -m "${3%/*}" -e "${3#*/}" "${options[@]}" --json "$work/result" "$work/checker" >"$work/out" 2>&1
	seconds=$(awk "BEGIN { printf \"%.2f\", $EPOCHREALTIME - $started }")
	found=$(describe "$4" 2>&1)
	[ "$found" = "$4" ] && return 0
	complaint="$found instead of $4"
	return 1
}

long= part=
for argument; do
	case $argument in
	--long) long=1 ;;
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
while IFS='|' read -r program options pair expected set source; do
	[[ -n $program && $program != \#* ]] || continue
	read -r program <<<"$program"
	read -r options <<<"$options"
	read -r pair <<<"$pair"
	read -r expected <<<"$expected"
	read -r set <<<"$set"
	[[ "$program $options $pair $expected $source" == *"$part"* ]] || continue
	if [[ ! -f $program.c || $set != @(quick|long) || -z $expected || -z $source ]]; then
		echo "FAIL $program: cannot read its line"
		failed=$((failed + 1))
		continue
	fi
	[ "$set" = quick ] || [ -n "$long" ] || continue
	has_engine "$pair" || continue
	seconds= complaint=
	if run_line "$program" "$options" "$pair" "$expected"; then
		printf 'ok   %-16s %-28s %-10s %-24s %8s s\n' "$program" "$options" "$pair" "$expected" "$seconds"
		if [[ $source == " own"* ]]; then own=$((own + 1)); else papers=$((papers + 1)); fi
	else
		echo "FAIL $program $options $pair: ${complaint:-does not compile}"
		tail -n 5 "$work/out" | sed 's/^/    /'
		failed=$((failed + 1))
	fi
done <table
for pair in "${!known[@]}"; do
	[ "${known[$pair]}" = yes ] || echo "left out: this version has no $pair"
done | sort
echo "$papers as the papers say, $own as before (own), $failed not"
[ $failed = 0 ] && [ $((papers + own)) -gt 0 ]
