# What run.sh and figures.sh share: the lines of `table`, checkers, their runs, and what came of them. To be sourced in this folder, with
# $everett naming the driver and $work an empty folder. Errors of a run are in $work/out, its result in $work/result.

# read_fields LINE NAME...: the fields of a line with bars, without the blanks around them.
read_fields() {
	local rest=$1 field value
	shift
	for field; do
		IFS='|' read -r value rest <<<"$rest"
		read -r "${field?}" <<<"$value"
	done
}

# cpu COMMAND...: run it; $seconds is then its CPU time, user and system, with that of its children.
cpu() {
	local status TIMEFORMAT='%U %S'
	{ time "$@" >"$work/out" 2>&1; } 2>"$work/time"
	status=$?
	read -r user system <"$work/time"
	seconds=$(awk "BEGIN { print $user + $system }")
	return $status
}

# split_options OPTIONS: the compiler's into the array defines, the others into the array options.
split_options() {
	local word
	defines=() options=()
	for word in $1; do
		if [[ $word == -D* ]]; then defines+=("$word"); else options+=("$word"); fi
	done
}

# build PROGRAM -DNAME...: into $work/checker, unless that is there from the line before. $compiling: CPU time.
built= guard=()
build() {
	[ "$built" != "$*" ] || return 0
	built=
	rm -f "$work/checker"
	cpu "$everett" check -q -m sc -e none --max-executions 1 --keep "$work/checker" "${@:2}" "$1.c"
	compiling=$seconds
	[ -x "$work/checker" ] && built=$*
}

# explore PROGRAM OPTIONS PAIR MORE...: explore it. $seconds: CPU time, without the compiler's; for the status see everett --help.
explore() {
	local status defines options program=$1 pair=$3
	split_options "$2"
	shift 3
	rm -f "$work/result"
	build "$program" "${defines[@]}" || return 2
	if [[ $pair == */predict ]]; then
		cpu "${guard[@]}" "$everett" predict -q -m "${pair%/*}" "${defines[@]}" "${options[@]}" "$@" --json "$work/result" "$program.c"
		status=$?
		seconds=$(awk "BEGIN { print ($seconds > $compiling ? $seconds - $compiling : 0) }")
		return $status
	fi
	# Counts are those of the search, up to its first finding, and those of rvf are its own, whatever would be faster.
	[ "${pair#*/}" != rvf ] || set -- "$@" --rvf-no=instead
	cpu "${guard[@]}" "$everett" run -q --hunt 0 -m "${pair%/*}" -e "${pair#*/}" "${options[@]}" "$@" --json "$work/result" "$work/checker"
}

# The papers' verdict. Some of their programs never end, so that the loop bound cuts every execution: Everett calls that incomplete, the
# papers call it safe within the bound. So it is if everything within the bound was explored.
papers_verdict='(if .verdict == "finding" or .verdict == "error" then .verdict elif .complete then "ok" else "incomplete" end)'

# What the result amounts to for each word that is expected, in the words of the table.
describe() {
	local word
	for word in $1; do
		case $word in
		traces:* | rf:* | rvf:*)
			jq -r --arg kind "${word%:*}" '.results[0].classes[$kind] | "\($kind):\(.)"' "$work/result"
			;;
		cycles:*)
			jq -r '.results[0].cycles | "cycles:\(length)/\(map(select(.confirmed > 0)) | length)/\(map(select(.buggy > 0)) | length)"' \
				"$work/result"
			;;
		[0-9]*)
			jq -r --arg plus "${word//[0-9]/}" '.results[0] | "\(.executions)" +
				(if $plus == "+" or .blocked > 0 then "+\(.blocked)" else "" end) +
				(if .truncated > 0 then ", \(.truncated) truncated" else "" end) +
				(if .redundant > 0 and .equivalence != "rvf" then ", \(.redundant) redundant" else "" end) +
				('"$papers_verdict"' | if . == "ok" then "" else ", \(.)" end)' "$work/result"
			;;
		*)
			jq -r '.results[0] | if .verdict == "finding" then .findings[0].kind else '"$papers_verdict"' end' "$work/result"
			;;
		esac
	done | paste -sd ' '
}
