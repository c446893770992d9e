# Tests whose first lines say what must come out. Sourced by run.sh; tests/README.md describes the words.

# is_part FILE: FILE belongs to another test, which names it; so it is not a test of its own.
is_part() {
	local owner
	owner=$(sed -nE '1,20s,^// part-of: *(.*)$,\1,p' "$1")
	# A part whose owner does not name it would be compiled by nobody: then it is listed as a test, and fails as one.
	[ -n "$owner" ] && grep -qE "^// everett:.*$(basename "$1")" "$(dirname "$1")/$owner" 2>/dev/null
}

# parse_contract FILE: fills options, pairs, count[WORD PAIR], clauses, outputs, refused, incomplete; complains on
# standard output.
parse_contract() {
	local line word rest item
	options=() pairs=() clauses=() outputs=() refused= incomplete=' '
	declare -gA count=()
	while IFS= read -r line; do
		[[ $line == //* ]] || break
		[[ $line =~ ^//[[:space:]]*([A-Za-z-]+):[[:space:]]*(.*)$ ]] || continue
		word=${BASH_REMATCH[1]} rest=${BASH_REMATCH[2]}
		case $word in
		everett) read -ra options <<<"$rest" ;;
		executions | blocked | truncated | redundant | traces | rf | rvf | outcomes)
			for item in $rest; do
				if [[ ! $item =~ ^([a-z]+/[a-z]+):([0-9]+)$ ]]; then
					echo "$word: '$item' is not MODEL/ENGINE:COUNT"
					continue
				fi
				[ -z "${count[$word ${BASH_REMATCH[1]}]:-}" ] || echo "$word: ${BASH_REMATCH[1]} twice"
				count[$word ${BASH_REMATCH[1]}]=${BASH_REMATCH[2]}
				[ "$word" != executions ] || pairs+=("${BASH_REMATCH[1]}")
			done
			;;
		finding)
			while IFS= read -r item; do
				clauses+=("$item")
			done < <(tr ';' '\n' <<<"$rest" | sed 's/^ *//; s/ *$//')
			;;
		output) outputs+=("$rest") ;;
		refused) refused=$rest ;;
		incomplete) incomplete+="$rest " ;;
		set) [[ $rest =~ ^(slow|long)$ ]] || echo "set: '$rest' is neither slow nor long" ;;
		part-of) echo "part-of: '$rest' does not name this file in its 'everett:' line" ;;
		*) echo "unknown contract word '$word:'" ;;
		esac
	done <"$1"
	if [ -n "$refused" ]; then
		[ ${#pairs[@]} = 0 ] && [ ${#clauses[@]} = 0 ] || echo "'refused:' excludes 'executions:' and 'finding:'"
		return
	fi
	[ ${#pairs[@]} -gt 0 ] || echo "no 'executions:' line: nothing would be tested"
	[ ${#clauses[@]} -gt 0 ] || echo "no 'finding:' line"
	for item in "${!count[@]}"; do
		[ -n "${count[executions ${item#* }]:-}" ] || echo "${item% *}: ${item#* } is not in 'executions:'"
	done
	for item in $incomplete; do
		[ -n "${count[executions $item]:-}" ] || echo "incomplete: $item is not in 'executions:'"
	done
	check_clauses
}

# Each pair is covered by one clause, and each place of a clause is run; a clause without "under" holds everywhere.
check_clauses() {
	local clause place pair n
	for clause in "${clauses[@]}"; do
		[[ $clause =~ ^(none|[a-z-]+( at [^ ,]+:[0-9]+)?(, [a-z-]+( at [^ ,]+:[0-9]+)?)*)( under( [a-z]+(/[a-z]+)?)+)?$ ]] ||
			echo "finding: cannot read '$clause'"
		[[ $clause == *' under '* ]] || continue
		for place in ${clause#* under }; do
			[[ " ${pairs[*]} " == *" $place"[\ /]* ]] || echo "finding: '$place' is not in 'executions:'"
		done
	done
	for pair in "${pairs[@]}"; do
		n=0
		for clause in "${clauses[@]}"; do
			covers "$clause" "$pair" && n=$((n + 1))
		done
		[ $n = 1 ] || echo "finding: $n clauses for $pair"
	done
}

# covers CLAUSE PAIR
covers() {
	[[ $1 == *' under '* ]] || return 0
	local places=" ${1#* under } "
	[[ $places == *" $2 "* || $places == *" ${2%/*} "* ]]
}

# The findings that the contract expects of a pair, one a line.
expected_findings() {
	local clause
	for clause in "${clauses[@]}"; do
		covers "$clause" "$1" || continue
		clause=${clause%% under *}
		[ "$clause" = none ] || sed 's/, /\n/g' <<<"$clause"
	done
}

# The findings of a result, one a line as "KIND at FILE:LINE"; only the kind where the contract gives no place.
actual_findings() {
	local expected=$1 finding
	jq -r '.results[].findings[] | "\(.kind) at \(.file // "" | split("/") | last // ""):\(.line)"' "$2" |
		while IFS= read -r finding; do
			if ! grep -qxF -- "$finding" <<<"$expected" && grep -qxF -- "${finding%% at *}" <<<"$expected"; then
				finding=${finding%% at *}
			fi
			echo "$finding"
		done | sort
}

# describe_expected PAIR FINDINGS, describe_actual PAIR FINDINGS JSON STATUS: the same lines if all is well.
describe_expected() {
	local verdict=ok status=0
	[[ $incomplete == *" $1 "* ]] && verdict=incomplete status=3
	[ -n "$2" ] && verdict=finding status=1
	echo "exit status $status"
	echo "result $1, verdict $verdict$([ $verdict != ok ] || echo ', complete')"
	local word
	for word in executions blocked truncated redundant; do
		echo "$word ${count[$word $1]:-0}"
	done
	for word in $(counted_classes "$1"); do
		echo "$word ${count[$word $1]}"
	done
	[ -z "$2" ] || sort <<<"$2" | sed 's/^/finding /'
	[ ${#outputs[@]} = 0 ] || printf 'output %s\n' "${outputs[@]}"
}

# The kinds of classes that the contract counts for a pair.
counted_classes() {
	local word
	for word in traces rf rvf outcomes; do
		[ -z "${count[$word $1]:-}" ] || echo "$word"
	done
}

describe_actual() {
	local word
	echo "exit status $4"
	jq -r '.results[] | "result \(.model)/\(.equivalence), verdict \(.verdict)" +
		(if .verdict == "ok" and .complete then ", complete" else "" end),
		"executions \(.executions)", "blocked \(.blocked)", "truncated \(.truncated)", "redundant \(.redundant)"' "$3"
	for word in $(counted_classes "$1"); do
		jq -r --arg word "$word" '.results[] | "\($word) \(.classes[$word])"' "$3"
	done
	[ -z "$2" ] || sed 's/^/finding /' <<<"$2"
	[ ${#outputs[@]} = 0 ] || jq -r '.results[] | (.findings[0].output // .output // "") | rtrimstr("\n") |
		split("\n")[] | "output \(.)"' "$3"
}

# run_everett ARGUMENT...: in the folder of the test, so that file names in reports are plain.
run_everett() {
	(cd "$folder" && timeout "$LIMIT" "$EVERETT" "$@") >"$SCRATCH/out" 2>&1 </dev/null
}

# explore OPTION...: the test's program. It is compiled once; from then on what came out is run.
explore() {
	if [ -e "$SCRATCH/checker" ]; then
		run_everett run "$@" "${asked[@]}" "$SCRATCH/checker" "${after[@]}"
	else
		run_everett check --keep "$SCRATCH/checker" "$@" "${before[@]}" "$file" "${after[@]}"
	fi
}

# Of the words before the program's own, those that are not for the compiler.
find_asked() {
	local word
	asked=()
	for word in "$@"; do
		case $word in
		-[DUILlWwfgO]* | -std=* | -m?* | -pthread | *.c) ;;
		*) asked+=("$word") ;;
		esac
	done
}

# run_pair NAME PAIR OPTION...: one exploration, compared with the contract. What comes after -- is the program's.
run_pair() {
	local name=$1 pair=$2 json=$SCRATCH/result.json status expected actual
	shift 2
	rm -f "$json"
	[ -z "$(counted_classes "$pair")" ] || set -- --classes "$SCRATCH/classes" "$@"
	explore -m "${pair%/*}" -e "${pair#*/}" --json "$json" "$@"
	status=$?
	if ! jq -e . "$json" >/dev/null 2>&1; then
		fail "$name" < <(echo "no JSON result; exit status $status" && tail -n 20 "$SCRATCH/out")
		return 1
	fi
	expected=$(expected_findings "$pair")
	actual=$(actual_findings "$expected" "$json" 2>&1)
	describe_expected "$pair" "$expected" >"$SCRATCH/expected"
	describe_actual "$pair" "$actual" "$json" $status >"$SCRATCH/actual" 2>&1
	if ! diff -U 20 --label expected --label actual "$SCRATCH/expected" "$SCRATCH/actual" >"$SCRATCH/diff"; then
		fail "$name" < <(cat "$SCRATCH/diff" && tail -n 20 "$SCRATCH/out")
		return 1
	fi
	[ -n "$expected" ] || return 0
	run_everett replay --trust-report "$json"
	status=$?
	if [ $status != 1 ] || ! grep -qF -- "$(jq -r '.results[0].findings[0].kind' "$json")" "$SCRATCH/out"; then
		fail "$name" < <(echo "replay: exit status $status, or another finding" && tail -n 20 "$SCRATCH/out")
		return 1
	fi
}

# Engines that explore exactly one execution for each class of a kind: ENGINE CLASS MODELS.
exact_engines=('traces trace sc,tso,pso' 'rf rf sc,tso,pso,ra')

# explore_all MODEL ENGINE OPTION...: everything that there is, into $SCRATCH/all.ENGINE.json and .classes.
explore_all() {
	local model=$1 engine=$2 all=$SCRATCH/all.$2
	shift 2
	rm -f "$all.json" "$all.classes"
	explore -k -m "$model" -e "$engine" --json "$all.json" --classes "$all.classes" "$@"
	case $? in
	0 | 1) jq -e . "$all.json" >/dev/null 2>&1 ;;
	# Everything was explored, and no execution came to its end.
	3) jq -e 'all(.results[]; .complete and .executions == 0)' "$all.json" >/dev/null 2>&1 ;;
	*) false ;;
	esac
}

# describe_all ENGINE CLASS COUNT: COUNT is a jq expression.
describe_all() {
	local all=$SCRATCH/all.$1
	jq -r '.results[] | (.findings | map("finding \(.kind) at \(.file):\(.line)") | unique[]), "complete \(.complete)",
		"executions \('"$3"')"' "$all.json"
	sed -n "s/^\($2 [^ ]*\) .*/\1/p" "$all.classes" | sort -u
}

all_executions='.executions + .blocked + .truncated'

# classes_of_none CLASS: how many brute force has found.
classes_of_none() {
	grep "^$1 " "$SCRATCH/all.none.classes" | cut -d' ' -f2 | sort -u | wc -l
}

# agree NAME ENGINE: what was expected of it is what it did.
agree() {
	if diff -U 20 --label none --label "$2" "$SCRATCH/expected" "$SCRATCH/actual" >"$SCRATCH/diff"; then
		ok "$1"
	else
		fail "$1" <"$SCRATCH/diff"
	fi
}

# run_agreement NAME MODEL ENGINE CLASS: the engine finds what brute force finds, by one execution for each class.
run_agreement() {
	if ! explore_all "$2" "$3" --check; then
		fail "$1" < <(tail -n 20 "$SCRATCH/out")
		return
	fi
	# Of executions in which a loop waits in vain there may be several of a class.
	local count=$all_executions expected
	expected=$(classes_of_none "$4")
	if [ "$(jq '[.results[].blocked] | add' "$SCRATCH/all.none.json")" != 0 ]; then
		count="if $all_executions >= $expected then $expected else $all_executions end"
	fi
	describe_all none "$4" "$expected" >"$SCRATCH/expected"
	describe_all "$3" "$4" "$count" >"$SCRATCH/actual"
	echo 'redundant 0' >>"$SCRATCH/expected"
	jq -r '"redundant \(.results[].redundant)"' "$SCRATCH/all.$3.json" >>"$SCRATCH/actual"
	agree "$1" "$3"
}

# What rvf does not know about, and says so.
rvf_refuses='is not decided by equivalence'

# Which loops wait in vain depends on the order of writes: an execution of rvf stands for all orders.
without_progress() {
	sed -E 's/ no-progress@[^ ]*//g; s/^outcome [^ ]*/outcome/' | sort -u
}

# It has executions in which a thread is left in a loop that it would leave in another; others have none.
without_waits() {
	grep -v ' blocked$'
}

# run_rvf_agreement NAME: rvf finds what brute force finds, with no more executions than there are classes.
run_rvf_agreement() {
	local name=$1
	if ! explore_all sc rvf --check; then
		grep -qE "$rvf_refuses" "$SCRATCH/out" || fail "$name" < <(tail -n 20 "$SCRATCH/out")
		return
	fi
	describe_all none - 0 >"$SCRATCH/expected"
	describe_all rvf - 0 >"$SCRATCH/actual"
	grep '^outcome ' "$SCRATCH/all.none.classes" | without_progress | without_waits >>"$SCRATCH/expected"
	grep '^outcome ' "$SCRATCH/all.rvf.classes" | without_progress | without_waits >>"$SCRATCH/actual"
	if [ "$(jq '[.results[].blocked] | add' "$SCRATCH/all.rvf.json")" = 0 ] && [ "$(jq "[.results[] | $all_executions] | add" "$SCRATCH/all.rvf.json")" -gt "$(classes_of_none rvf)" ]; then
		echo "executions: at most $(classes_of_none rvf)" >>"$SCRATCH/expected"
		jq -r ".results[] | \"executions \($all_executions)\"" "$SCRATCH/all.rvf.json" >>"$SCRATCH/actual"
	fi
	agree "$name" rvf
}

# Did a limit end the search? If there were executions, but none came to its end, it was complete all the same.
is_limited() {
	[[ $incomplete == *" $1 "* ]] || return 1
	[ "${count[executions $1]}" != 0 ] || [ $((${count[blocked $1]:-0} + ${count[truncated $1]:-0})) = 0 ]
}

# Whatever is explored by brute force, and to its end, every engine must agree about.
run_agreements() {
	local test=$1 pair engine class models
	for pair in "${pairs[@]}"; do
		[[ $pair == */none ]] && ! is_limited "$pair" || continue
		if ! explore_all "${pair%/*}" none; then
			fail "$test $pair explores all" < <(tail -n 20 "$SCRATCH/out")
			continue
		fi
		for engine in "${exact_engines[@]}"; do
			read -r engine class models <<<"$engine"
			[[ ,$models, == *",${pair%/*},"* ]] || continue
			run_agreement "$test ${pair%/*}/$engine agrees with none" "${pair%/*}" "$engine" "$class"
		done
		[ "$pair" != sc/none ] || run_rvf_agreement "$test sc/rvf agrees with none"
	done
}

# run_contract TEST: every pair twice, as users run it and with the self-check.
run_contract() {
	local test=$1 folder=$TOP/tests/${1%/*} file=${1##*/} complaints pair i status
	complaints=$(parse_contract "$TOP/tests/$test")
	if [ -n "$complaints" ]; then
		fail "$test" <<<"$complaints"
		return
	fi
	parse_contract "$TOP/tests/$test"
	local before=("${options[@]}") after=()
	for ((i = 0; i < ${#options[@]}; i++)); do
		[ "${options[i]}" = -- ] || continue
		before=("${options[@]:0:i}") after=("${options[@]:i}")
		break
	done
	local asked
	find_asked "${before[@]}"
	rm -f "$SCRATCH/checker"
	if [ -n "$refused" ]; then
		run_everett check "${before[@]}" "$file" "${after[@]}"
		status=$?
		if [ $status = 2 ] && grep -qF -- "$refused" "$SCRATCH/out"; then
			ok "$test"
		else
			fail "$test" < <(echo "exit status $status; expected 2 and: $refused" && tail -n 20 "$SCRATCH/out")
		fi
		return
	fi
	for pair in "${pairs[@]}"; do
		run_pair "$test $pair" "$pair" && run_pair "$test $pair --check" "$pair" --check && ok "$test $pair"
	done
	run_agreements "$test"
}
