#!/bin/bash
# The hunt: what it finds is real, is reported once, can be replayed, and comes again with the same seed; what is explored afterwards is what it would be without.
. "$(dirname "$0")/lib.bash"
kernels=$TOP/bench/hunt

# of JQ: of the result in r.json.
of() {
	jq -r "$1" r.json
}

# is JQ VALUE
is() {
	[ "$(of "$1")" = "$2" ] || fail "$last: $1 is '$(of "$1")', not '$2'"
}

run 2 "$EVERETT" check --hunt -1 "$kernels/reorder.c"
has err "option '--hunt' needs a number of seconds, not '-1'"
run 2 "$EVERETT" check --hunt soon "$kernels/reorder.c"
run 2 "$EVERETT" check --hunters pos,dogs --hunt 1 "$kernels/reorder.c"
has err "unknown hunter 'dogs' (hunters: pos, pct, walk, cycles)"

# A few executions come before the search, which counts and explores what it would without them; --hunt 0 says that there are to be none, --hunt SECONDS that there are more.
run 0 "$EVERETT" check -m sc --json r.json "$TOP/examples/sb.c"
is '.results[0] | "\(.stats.hunted) \(.executions)"' '8 3'
run 0 "$EVERETT" check -m sc -j 2 --json r.json "$TOP/examples/sb.c"
is '.results[0] | "\(.stats.hunted) \(.executions)"' '8 3'
run 1 "$EVERETT" check -m sc --hunt 0 --json r.json "$kernels/reorder.c"
is '.results[0].stats.hunted' null
run 0 "$EVERETT" check -m sc --hunt 0.01 --json r.json "$TOP/examples/sb.c"
[ "$(of '.results[0].stats.hunted')" -gt 100 ] || fail "$(of '.results[0].stats.hunted') random executions"
is '.results[0].executions' 3
# What these find ends the check, by one process and by several, and is counted; whoever goes on later, or with -k, begins with the search.
for jobs in 1 2; do
	run 1 "$EVERETT" check -m sc -j $jobs --json r.json "$kernels/account.c"
	has out 'random execution 1 (pos), sc$'
	has err 'FINDING assertion at .*account.c:31 after 1 execution (complete: no; '
	is '.results[0] | "\(.executions) \(.stats.hunted) \(.findings[0] | .execution, .drawn)"' '1 1 1
1 1 pos'
	run 1 "$EVERETT" replay r.json
done
"$EVERETT" cc -o account "$kernels/account.c"
"$EVERETT" cc -o lost_signal "$kernels/lost_signal.c"
run 1 "$EVERETT" run -k -m sc --hunt 0 --json r.json lost_signal
of '.results[0] | .executions, .blocked, .complete, .verdict, (.findings | length)' >without
run 1 "$EVERETT" run -k -m sc --json r.json lost_signal
of '.results[0] | .executions, .blocked, .complete, .verdict, (.findings | length)' >with
cmp -s with without || fail "lost_signal -k: $(diff without with)"
run 1 "$EVERETT" check -m sc --checkpoint c.json "$kernels/account.c"
run 1 "$EVERETT" resume --json r.json c.json
is '.results[0].stats.hunted' null
run 1 "$EVERETT" run -m sc --hunters walk --json r.json account
is '.results[0].findings[0].drawn' walk

# One that is not small has one by itself. The finding is that of a random execution, it is shown by the simplest one, and its schedule shows it.
"$EVERETT" cc -o needle "$kernels/needle.c"
n=0
for seed in 1 2 1; do
	run 1 "$EVERETT" run -m sc --seed $seed --json r.json needle
	has out 'random execution [0-9]* ([a-z]*), sc$' 'the simplest execution that shows it: 1 preemption, no access out of order'
	is '.results[0].findings | length' 1
	is '.results[0].findings[0].simplest.preemptions' 1
	of '.results[0] | "\(.executions) \(.stats.hunted) \(.findings[0] | .execution, .drawn, .schedule)"' >"seed$seed.$((++n))"
	run 1 "$EVERETT" replay --trust-report r.json
	has out 'assertion: '
done
cmp -s seed1.1 seed1.3 || fail "the same seed has found $(cat seed1.1 seed1.3)"
cmp -s seed1.1 seed2.2 && fail "another seed has found the same: $(cat seed1.1)"
run 1 "$EVERETT" run -m sc --no-simplify --json r.json needle
is '.results[0].findings[0].drawn' pos
run 1 "$EVERETT" replay --trust-report r.json
# What the search has found before is not reported once more.
"$EVERETT" cc -o wrong_lock "$kernels/wrong_lock.c"
run 1 "$EVERETT" run -q -k -m sc --max-executions 40000 --json r.json wrong_lock
is '.results[0] | "\(.stats.hunted > 0) \(.executions) \(.findings | length)"' 'true 40000 1'
# Not after a limit that comes before, and not where executions are not the question.
"$EVERETT" cc -o twostage "$kernels/twostage.c"
run 3 "$EVERETT" run -m sc --max-executions 10 --json r.json twostage
is '.results[0].stats.hunted < 100' true
run 2 "$EVERETT" robust --hunt 1 "$kernels/needle.c"

# Every kernel, by each way to draw executions that there is for its model, and by workers.
while read -r name model kind options; do
	[[ $name != \#* && $name != safestack && $name != twostage ]] || continue
	"$EVERETT" cc $options -o kernel "$kernels/$name.c"
	case $model in
	tso | pso) all='pos pct walk cycles' ;;
	*) all='pos pct walk' ;;
	esac
	for hunters in $all; do
		run 1 "$EVERETT" run -q -m "$model" --hunt 5 --hunters "$hunters" --no-simplify --json r.json kernel
		is '.results[0].executions' 0
		is '.results[0].findings[0].kind' "$kind"
		# What is drawn first is for cycles to be predicted from.
		[ "$hunters" = cycles ] || is '.results[0].findings[0].drawn' "$hunters"
	done
done <"$kernels/table"
run 1 "$EVERETT" run -q -m sc -j 2 --hunt 5 --json r.json needle
is '.results[0].findings | length' 1
run 1 "$EVERETT" run -q -m sc,tso,ra --hunt 1 --json r.json needle
is '[.results[].findings | length] | join(" ")' '1 1 1'

# The judge: what everything that there is has shown. No hunt finds more; here it also finds no less. Each of its executions satisfies the model's axioms (--check).
# Two cells are left out: under ra, a barrier that is destroyed is named as a race by the search, and also as a misuse by an execution in which main is late.
tried=0 drawn=0 first=0 files=0
judge() { # OPTIONS...: what was found and counted, in the file found.NAME, where NAME comes first
	"$EVERETT" run -q -m "${pair%/*}" -e "${pair#*/}" --check --json r.json "${@:2}" judged >out 2>err
	of '.results[] | "\(.verdict) \(.executions) \(.blocked) \(.truncated)", (.findings[] | "\(.kind) \(.file):\(.line)")' | sort >"found.$1"
}
for file in "$TOP"/tests/findings/*.c; do
	((++files % ${HUNTED:-11} == 3 % ${HUNTED:-11})) || continue
	grep -q '^// refused:\|^// everett:.*--\|^// part-of:\|_destroy_awaited' "$file" && continue
	pairs=$(sed -n 's|^// executions: *||p' "$file" | grep -o '[a-z0-9]*/\(rf\|traces\)')
	(cd "${file%/*}" && "$EVERETT" check -q -k --hunt 0 --keep "$OLDPWD/judged" --max-executions 1 $(sed -n 's|^// everett: *||p' "$file") "$file") >/dev/null 2>&1
	[ -x judged ] || continue
	for pair in $pairs; do
		judge 0 -k --hunt 0
		judge long -k --hunt 0.02
		cmp -s found.0 found.long || fail "$file $pair: $(diff found.0 found.long)"
		tried=$((tried + 1)) drawn=$((drawn + $(of '[.results[0].findings[] | select(.drawn)] | length')))
		# By itself, before the search: by this process, and by one of its own.
		judge first -k
		cmp -s found.0 found.first || fail "$file $pair, first: $(diff found.0 found.first)"
		for jobs in 1 2; do
			judge one -j $jobs
			[ -z "$(comm -13 <(grep : found.0) <(grep : found.one))" ] || fail "$file $pair -j $jobs: $(diff found.0 found.one)"
			[ "$(of '.results[0].verdict')" = "$(sed -n 's/ [0-9].*//p' found.0)" ] || fail "$file $pair -j $jobs: $(cat found.one)"
			first=$((first + $(of '[.results[0].findings[] | select(.drawn)] | length')))
		done
	done
	rm -f judged
done
[ $tried -gt 12 ] && [ $drawn -gt 8 ] && [ $first -gt 16 ] || fail "only $drawn and $first findings of $tried searches were judged"
finish
