# What tests/orders/run.sh and tests/real/weaken.sh share: which orders are weaker, how a weakened program is checked, and how a line is compared and printed.
# $everett is the driver, $model the memory model, $scratch a folder for what is in between, $markdown whether the table is Markdown.

# sites FILE: "NAME OPERATION ORDER" for each site. The second order of a compare-exchange is that of a load.
sites() {
	grep -oE '\b(LOAD|STORE|ADD|EXCHANGE|FENCE|CAS)\([a-z_0-9]+, [a-z_]+(, [a-z_0-9]+, [a-z_]+)?' "$1" | tr '(,' '  ' |
		while read -r operation site order second second_order; do
			echo "$site $operation $order"
			[ $operation != CAS ] || echo "$second LOAD $second_order"
		done
}

# weaker_orders OPERATION ORDER: all that are weaker, one in a line.
weaker_orders() {
	case $1.$2 in
	LOAD.seq_cst) printf '%s\n' acquire relaxed ;;
	STORE.seq_cst) printf '%s\n' release relaxed ;;
	*.seq_cst) printf '%s\n' acq_rel acquire release relaxed ;;
	*.acq_rel) printf '%s\n' acquire release relaxed ;;
	*.acquire | *.release) echo relaxed ;;
	esac
}

# read_expected MAP FILE: such a file as tests/orders/expected, as PROGRAM SITE WEAKER to VERDICT|quick or nothing|WHY.
read_expected() {
	local -n map=$1
	local program site weaker order verdict why mark
	while IFS='|' read -r program site weaker verdict why; do
		read -r program <<<"$program"
		[[ -n $program && $program != \#* ]] || continue
		read -r site <<<"$site" && read -r weaker <<<"$weaker" && read -r verdict <<<"$verdict"
		read -r why <<<"$why"
		mark=
		[[ $program != *'*' ]] || mark=quick
		for order in $weaker; do
			map["${program%\*} $site $order"]="$verdict|$mark|$why"
		done
	done <"$2"
}

# expectation PROGRAM SITE WEAKER: of the map `expected`.
expectation() {
	local key="$1 $2 $3"
	[ -n "${expected[$key]:-}" ] || key="$1 $2 any"
	echo "${expected[$key]:-}"
}

# mark_seen PROGRAM SITE WEAKER: the line of `expected` for it has a use.
mark_seen() {
	seen["$1 $2 $3"]=1
	[ -n "${expected["$1 $2 $3"]:-}" ] || seen["$1 $2 any"]=1
}

# unused_expectations: those that nothing has, each a failure.
unused_expectations() {
	local key
	for key in "${!expected[@]}"; do
		[ -n "${seen[$key]:-}" ] || fail "$key: is expected, but there is no such thing"
	done
}

verdict='if .verdict == "finding" then .findings[0].kind elif .verdict != "ok" or (.complete | not) then .verdict else "ok" end'

# explore COMMAND WORD...: `everett check` or `everett run` under the model; prints "VERDICT EXECUTIONS".
explore() {
	rm -f "$scratch/result"
	timeout -s KILL 300 "$everett" "$1" -q --hunt 0 -m "$model" -e rf --timeout 200 --json "$scratch/result" "${@:2}" >"$scratch/out" 2>&1
	if [ $? -le 1 ] && [ -s "$scratch/result" ]; then
		jq -r ".results[0] | \"\($verdict) \(.executions + .blocked)\"" "$scratch/result"
	else
		tail -n 3 "$scratch/out" | sed 's/^/    /' >&2
		echo "failure 0"
	fi
}

# as_expected RESULT VERDICT: a verdict is a kind, `finding` for any, or several with "or".
as_expected() {
	case $2 in
	any) [ "$1" != failure ] ;;
	finding) [[ $1 != ok && $1 != failure && $1 != incomplete ]] ;;
	*) [[ " or $2 or " == *" or $1 or "* ]] ;;
	esac
}

# What is weaker allows more: whether a stronger order than this one has a finding, and this one has none. $broken: the orders of $broken_site so far that have one.
broken= broken_site=
loses_finding() {
	local stronger
	[ "$broken_site" = "$1 $2" ] || broken=
	broken_site="$1 $2"
	case $3 in
	acquire | release) stronger=acq_rel ;;
	relaxed) stronger='acq_rel|acquire|release' ;;
	*) stronger=none ;;
	esac
	if [ "$4" != ok ]; then
		broken+=" $3"
		return 1
	fi
	grep -qwE "$stronger" <<<"$broken"
}

# compare LINE RESULT EXECUTIONS: LINE is "PROGRAM SITE ORDER WEAKER"; what must come out is in `expected`, a map.
compare() {
	local program site order weaker verdict mark why
	read -r program site order weaker <<<"$1"
	IFS='|' read -r verdict mark why <<<"$(expectation "$program" "$site" "$weaker")"
	if loses_finding "$program" "$site" "$weaker" "$2"; then
		fail "$1: ok, although there is a finding with a stronger order"
		return
	fi
	if [ "$model" != rc11 ]; then
		verdict=any
	elif [ -z "$verdict" ]; then
		fail "$1: $2, and no line of the expectations says what must come out"
		return
	fi
	if ! as_expected "$2" "$verdict"; then
		fail "$1: $2 instead of $verdict"
		return
	fi
	passed=$((passed + 1))
	print_line "$1" "$2" "$3" "$why"
}

fail() {
	echo "FAIL $*"
	failed=$((failed + 1))
}

print_header() {
	echo "| program | site | order | weaker | verdict | executions | why |"
	echo "|---|---|---|---|---|--:|---|"
}

# print_line "PROGRAM SITE ORDER WEAKER" RESULT EXECUTIONS WHY
print_line() {
	local program site order weaker
	read -r program site order weaker <<<"$1"
	if [ -n "$markdown" ]; then
		[ "$site" != - ] || site= order= weaker=
		echo "| ${program} | ${site:+\`$site\`} | $order | $weaker | $2 | $3 | $4 |"
	else
		printf 'ok   %-14s %-24s %-8s %-8s %-16s %7s\n' "$program" "$site" "$order" "$weaker" "$2" "$3"
	fi
}
