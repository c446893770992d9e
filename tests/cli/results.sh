# docs/results.md has every row of bench/papers/figures, with the paper's numbers and those that bench/papers/table expects of us; and what is
# said there to take less than a tenth of a second still comes out.
# set: slow
. "$TOP/tests/cli/lib.bash"
here=$PWD
work=$here/work
mkdir "$work"
everett=$EVERETT page=$TOP/docs/results.md
cd "$TOP/bench/papers" || exit 1
. ./lib.bash

# Rows as: row, tool, its value, its seconds, program, model/engine; by tabs.
rows_of_figures() {
	awk -F' *[|] *' '/^[^#@*]/ {
		if ($2 == "") {
			print $1 "\t\t\t\t\t"
			next
		}
		n = split($4, columns, " ")
		for (i = 1; i <= n; i++) {
			at = index(columns[i], "=")
			value[substr(columns[i], 1, at - 1)] = substr(columns[i], at + 1)
		}
		m = split($3, pairs, " ")
		for (i = 1; i <= m; i++) {
			split(pairs[i], pair, "=")
			split(value[pair[2]] "@", parts, "@")
			print $1 "\t" pair[2] "\t" parts[1] "\t" parts[2] "\t" $2 "\t" pair[1]
		}
	}' figures
}

# The same, and behind it: our value, CPU seconds, mark with its notes. Only tables that begin with "row" are of rows.
rows_of_page() {
	sed 's/\\\*/*/g; s/`//g' "$page" | awk -F' *[|] *' '
		/^\|/ && $2 == "row" { inside = 1; next }
		!/^\|/ { inside = 0 }
		inside && !/^\|---/ { print $2 "\t" $3 "\t" $4 "\t" $5 "\t" $6 "\t" $7 "\t" $8 "\t" $9 "\t" $12 }'
}

rows_of_figures >"$here/figures"
rows_of_page >"$here/page"
[ "$(wc -l <"$here/figures")" -gt 250 ] || fail "only $(wc -l <"$here/figures") rows in bench/papers/figures"
diff "$here/figures" <(cut -f 1-6 "$here/page") || fail "docs/results.md has not the rows of bench/papers/figures"

# expected_of PROGRAM-AND-OPTIONS PAIR: by the first line of table.
declare -A expectations=()
while read -r line; do
	[[ -n $line && $line != \#* ]] || continue
	read_fields "$line" program options pair words
	line="$program${options:+ $options} $pair"
	[ -n "${expectations[$line]:-}" ] || expectations[$line]=$words
done <table

# same_as_expected EXPECTED OURS: cycles and findings are told in other words on the page.
same_as_expected() {
	case $1 in
	cycles:*) [[ $1 == "cycles:$2/"* || ${1#cycles:*/} == "$2" || ${1#cycles:*/} == "${2%/*}" ]] ;;
	[0-9]*) [ "$1" = "$2" ] || [ "$2" = ok ] ;;
	ok) [ "$2" = ok ] ;;
	*) [[ $2 =~ ^[0-9]*\*$ ]] ;;
	esac
}

# A mark that says "the same" has a reason to. Blocked executions may be counted or not; how likely a cycle is need not be the same.
right_mark() {
	local theirs=$1 ours=$2 mark=$3
	[[ ! $theirs =~ ^[0-9]+/[0-9]+ ]] || { theirs=${BASH_REMATCH[0]} && [[ $ours =~ ^[0-9]+/[0-9]+ ]] && ours=${BASH_REMATCH[0]}; }
	if [ "$theirs" = "$ours" ] || [[ $ours =~ ^([0-9]+)\+([0-9]+)$ && $theirs =~ ^(${BASH_REMATCH[1]}|$((BASH_REMATCH[1] + BASH_REMATCH[2])))$ ]]; then
		[[ $mark =~ ^=( \([0-9]+\))*$ ]]
	else
		[[ $mark =~ ^~( \([0-9]+\))+$ ]]
	fi
}

# found_again PROGRAM-AND-OPTIONS PAIR OURS: explored anew.
found_again() {
	local program options again
	read -r program options <<<"$1"
	explore "$program" "$options" "$2" --timeout 7200
	case $3 in
	ok | '*' | *'*') again=$(jq -r '.results[0] | if .verdict == "finding" then "\(.executions)*" else '"$papers_verdict"' end' "$work/result") ;;
	*) again=$(describe "${expectations["$1 $2"]}") ;;
	esac
	[ "$again" = "$3" ] || [[ $3 == '*' && $again == *'*' ]] || fail "$1 $2: $again, not $3 as docs/results.md says"
}

again=0
while IFS= read -r line; do
	IFS=$'\x1f' read -r row tool value seconds how pair ours cpu mark <<<"${line//$'\t'/$'\x1f'}"
	if [ -z "$how" ]; then
		[[ $ours == 'not here' && $mark =~ ^\([0-9]+\)$ ]] || fail "$row: '$ours' '$mark'"
		continue
	fi
	same_as_expected "${expectations["$how $pair"]:-}" "$ours" || fail "$row, $how $pair: $ours, but table has ${expectations["$how $pair"]:-none}"
	right_mark "$value" "$ours" "$mark" || fail "$row, $how $pair: $value, $ours: marked '$mark'"
	awk "BEGIN { exit !(${cpu:-1} < 0.1) }" || continue
	found_again "$how" "$pair" "$ours"
	again=$((again + 1))
done < <(sort -t$'\t' -k5,5 -s "$here/page")
[ $again -gt 150 ] || fail "only $again of docs/results.md were run again"
for number in $(cut -f 9 "$here/page" | grep -o "[0-9]*" | sort -nu); do
	grep -q "^$number\. ." "$page" || fail "docs/results.md has no note $number"
done
rm -rf "$work"
cd "$here" || exit 1
finish
