#!/usr/bin/env bash
# The tables of the papers, with ours beside them: bench/papers/figures.sh [--full] [--resume] [PART]
#
# Runs what the file `figures` names, one after another, and prints a line for each as it comes. PART: only rows that contain this text. --full:
# those that take minutes, too. --resume: what the last run has measured is taken from there. Other checkers that are on PATH run
# the same programs (peers.bash). Environment: EVERETT (build/everett), OUT (build/bench-papers), ROW_SECONDS (1800, for one run).
#
# OUT then has papers.md, papers.csv, and plots in results/, if there is gnuplot. The exit status is 1 if a number is neither the paper's nor
# different for a reason that `figures` gives, or not the one that `table` expects, or if a run fails.
set -u
export LC_ALL=C
everett=$(realpath "${EVERETT:-build/everett}")
out=${OUT:-build/bench-papers}
limit=${ROW_SECONDS:-1800}
mkdir -p "$out" || exit 1
out=$(realpath "$out")
cd "$(dirname "${BASH_SOURCE[0]}")" || exit 1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
. ./lib.bash
peers=() guard=(timeout -k 10 $((limit + 60)))
[ ! -f peers.bash ] || . ./peers.bash

full= resume= part=
for argument; do
	case $argument in
	--full) full=1 ;;
	--resume) resume=1 ;;
	-*)
		echo "figures.sh: unknown option '$argument'" >&2
		exit 2
		;;
	*) part=$argument ;;
	esac
done

# --- What must come out, by "PROGRAM OPTIONS PAIR": the first such line of `table`.

declare -A expected=() set_of=()
read_table() {
	local line program options pair words set
	while read -r line; do
		[[ -n $line && $line != \#* ]] || continue
		read_fields "$line" program options pair words set
		line="$program${options:+ $options} $pair"
		[ -n "${expected[$line]:-}" ] || { expected[$line]=$words set_of[$line]=$set; }
	done <table
}

# --- What was measured, by the same keys. A program that is in several tables is run once.

declare -A found=() executions=() blocked=() cpu_seconds=() verdict=() cycles=() peer_results=()

keep_measured() {
	declare -p found executions blocked cpu_seconds verdict cycles peer_results >"$out/measured"
}

# precisely KEY PROGRAM OPTIONS PAIR: a short run is mostly start-up. It is repeated until it takes some tenths of a second, and what one
# more exploration takes is the difference.
precisely() {
	local once=$seconds repeat=10
	while explore "$2" "$3" "$4" --repeat $repeat && awk "BEGIN { exit !($seconds < $once + 0.15 && $repeat < 1000000) }"; do
		repeat=$(awk "BEGIN { t = $seconds - $once; print int($repeat * (t > 0.02 ? 0.25 / t : 10)) }")
	done
	cpu_seconds[$1]=$(awk "BEGIN { t = ($seconds - $once) / ($repeat - 1); print (t > 0 ? t : $once) }")
}

# measure KEY PROGRAM OPTIONS PAIR
measure() {
	local key=$1
	[[ -z ${found[$key]:-} || ${found[$key]} == "no result"* ]] || return
	explore "$2" "$3" "$4" --timeout "$limit"
	if [ ! -s "$work/result" ]; then
		found[$key]="no result: $(tail -n 1 "$work/out")"
		return
	fi
	found[$key]=$(describe "${expected[$key]}" 2>&1)
	cpu_seconds[$key]=$seconds
	# One value each, none of them empty, for read.
	read -r "executions[$key]" "blocked[$key]" "verdict[$key]" "cycles[$key]" < <(jq -r '.results[0] |
		(.cycles // [] | map(select(.confirmed > 0))) as $confirmed |
		[.executions, .blocked, '"$papers_verdict"',
		 "\(.cycles // [] | length):\($confirmed | length)/\($confirmed | map(select(.buggy > 0)) | length)" +
			(if $confirmed == [] then "" else "/\($confirmed | map(.confirmed / .trials) | add / length * 100 | round / 100)" end)] |
		join(" ")' "$work/result")
	if [ "${verdict[$key]}" = ok ] && [[ $4 != */predict ]] && awk "BEGIN { exit !($seconds < 0.2) }"; then
		precisely "$key" "$2" "$3" "$4"
	fi
	measure_peers "$@"
	keep_measured
}

# As TOOL:COUNT:SECONDS:RATIO, the last one of the time for an execution; or TOOL:VERDICT::.
measure_peers() {
	local key=$1 tool all=
	[[ $4 != */predict ]] || return
	for tool in "${peers[@]}"; do
		# shellcheck disable=SC2086
		PEER_TIMEOUT=$limit peer_run "$tool" "$4" "$2.c" $3
		if [ -n "$peer_seconds" ]; then
			all+=" $tool:$(plus "$peer_count" "$peer_blocked")$([ "$peer_verdict" = ok ] || echo '*'):$peer_seconds:$(awk "BEGIN {
				n = $peer_count + ${peer_blocked:-0}; m = ${executions[$key]} + ${blocked[$key]}; t = ${cpu_seconds[$key]}
				if (n > 0 && m > 0 && t > 0 && $peer_seconds > 0) printf \"%.6g\", $peer_seconds / n / (t / m) }")"
		else
			all+=" $tool:$peer_verdict::"
		fi
	done
	peer_results[$key]=${all# }
}

plus() {
	if [ "${2:-0}" = 0 ]; then echo "$1"; else echo "$1+$2"; fi
}

# --- A line of a paper's table.

# ours KEY TOOL VALUE: what we have in the place of the paper's value.
ours() {
	case $2 in
	predicted) echo "${cycles[$1]%:*}" && return ;;
	esac
	case $3 in
	*/*) echo "${cycles[$1]#*:}" ;;
	ok | '*') if [ "${verdict[$1]}" = finding ]; then echo '*'; else echo "${verdict[$1]}"; fi ;;
	*'*') echo "${executions[$1]}$([ "${verdict[$1]}" = finding ] && echo '*')" ;;
	*) plus "${executions[$1]}" "${blocked[$1]}" ;;
	esac
}

# agrees KEY VALUE OURS: the papers count blocked executions, too. That cycles are confirmed is compared, not how often.
agrees() {
	local theirs=$2 own=$3
	if [[ $theirs == */* ]]; then
		[[ $theirs =~ ^[0-9]+/[0-9]+ ]] && theirs=${BASH_REMATCH[0]}
		[[ $own =~ ^[0-9]+/[0-9]+ ]] && own=${BASH_REMATCH[0]}
	fi
	[ "$own" = "$theirs" ] || [ "${executions[$1]}" = "$theirs" ] || [ $((executions[$1] + blocked[$1])) = "$theirs" ]
}

# emit FIELD...: a line of $out/rows, and on standard output.
emit() {
	local IFS=$'\t'
	printf '%s\n' "$*" | tee -a "$out/rows" | awk -v format=line -f report.awk
}

# others TOOL: the other columns of the row.
others() {
	local word list=
	for word in $columns; do
		[ "${word%%=*}" = "$1" ] || list+=", ${word/=/ }"
	done
	echo "${list:2}" | sed 's/@\([0-9.]*\)/ (\1 s)/g'
}

# compare ROW HOW PAIR TOOL WHY: one line of a row, which has $number of them.
compare() {
	local row=$1 how=$2 pair=$3 tool=$4 why=$5 key="$2 $3" value time= own mark program options
	value=" $columns " && value=${value#* "$tool"=} && value=${value%% *}
	[[ $value != *@* ]] || { time=${value#*@} && value=${value%@*}; }
	set -- "$paper" "$title" "$row" "$tool" "$value" "$time" "$(others "$tool")" "$how" "$pair"
	if [ -z "${expected[$key]:-}" ]; then
		failed=$((failed + 1))
		emit "$@" '' '' '' '!' '' "table has no such line"
		return
	fi
	if [ "${set_of[$key]}" = full ] && [ -z "$full" ] && [ -z "${found[$key]:-}" ]; then
		left=$((left + 1))
		emit "$@" '' '' '' '.' '' ''
		return
	fi
	read -r program options <<<"$how"
	measure "$key" "$program" "$options" "$pair"
	if [ "${found[$key]}" != "${expected[$key]}" ]; then
		failed=$((failed + 1))
		emit "$@" "${executions[$key]:-}" '' "${cpu_seconds[$key]:-}" '!' '' "${found[$key]} instead of ${expected[$key]}" "${peer_results[$key]:-}"
		return
	fi
	own=$(ours "$key" "$tool" "$value")
	if agrees "$key" "$value" "$own"; then
		mark='='
		equal=$((equal + 1))
		[ "${blocked[$key]}" != 0 ] || [ "$number" = 1 ] || why=
	elif [ -n "$why" ]; then
		mark='~'
		different=$((different + 1))
	else
		mark='!'
		failed=$((failed + 1))
	fi
	emit "$@" "$own" $((executions[$key] + blocked[$key])) "${cpu_seconds[$key]}" "$mark" "$why" '' "${peer_results[$key]:-}"
}

equal=0 different=0 failed=0 left=0 absent=0
read_table
# shellcheck disable=SC1091
[ -z "$resume" ] || [ ! -f "$out/measured" ] || . "$out/measured"
: >"$out/rows"
if [ -f peers.bash ]; then
	peers_find
	peers_startup
fi
echo "time limit of one run: $limit s$([ -n "$full" ] || echo '; what takes minutes is left out, BENCH=full runs it')"
paper= title= shown=
while read -r line <&3; do
	case $line in
	'' | '#'* | '*'*) continue ;;
	@*)
		read_fields "${line#@}" paper title
		continue
		;;
	esac
	read_fields "$line" row how pairs columns why
	[[ "$paper $title $line" == *"$part"* ]] || continue
	if [ "$shown" != "$title" ]; then
		shown=$title
		awk -v format=heading -v paper="$paper" -v title="$title" -f report.awk
	fi
	if [ -z "$how" ]; then
		absent=$((absent + 1))
		emit "$paper" "$title" "$row" '' '' '' "$(others '')" '' '' '' '' '' '-' "$why" ''
		continue
	fi
	number=$(wc -w <<<"$pairs")
	for pair in $pairs; do
		compare "$row" "$how" "${pair%=*}" "${pair#*=}" "$why"
	done
done 3<figures
EVERETT=$everett ./report.sh "$out"
echo
echo "$equal as in the papers, $different different for a reason, $failed wrong or failed, $left left out, $absent not here"
[ $failed = 0 ] && [ $((equal + different + left + absent)) -gt 0 ]
