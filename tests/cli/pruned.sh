#!/bin/bash
# Engine traces keeps a bounded number of sequences to explore, and finds the same without those that it has forgotten. With --restless it forgets them after each
# execution.
. "$(dirname "$0")/lib.bash"

for words in "sigma 5" "readers 7" "lastzero 5" "casrot 4" "fib_bench 3" "circular_buffer 3" "szymanski 1"; do
	read -r name n <<<"$words"
	"$EVERETT" cc -g "-DN=$n" -o program "$TOP/bench/papers/$name.c" 2>err || fail "$name: $(cat err)"
	for model in sc tso pso; do
		for more in "" --restless; do
			"$EVERETT" run -q -k --hunt 0 -m $model -e traces $more --max-executions 20000 --json "r$more.json" \
				--classes "classes$more" ./program >out 2>err || [ $? -le 3 ] || fail "$name $model $more: $(cat err)"
		done
		jq -e '.results[0].complete' r.json >/dev/null || continue
		[ "$(jq '.results[0] | [.executions, .blocked, .redundant]' r.json)" = "$(jq '.results[0] |
			[.executions, .blocked, .redundant]' r--restless.json)" ] || fail "$name $model: other counts"
		cmp -s <(grep -o ' trace=[0-9a-f]*' classes | sort) <(grep -o ' trace=[0-9a-f]*' classes--restless | sort) ||
			fail "$name $model: other classes"
	done
done

# The peak of memory does not follow the number of executions.
"$EVERETT" cc -g -o program "$TOP/bench/counter.c" 2>err || fail "counter: $(cat err)"
for n in 50000 100000; do
	"$EVERETT" run -q -m tso -e traces --hunt 0 --max-executions $n --json r.json ./program >out 2>err
	peak[n]=$(jq '.results[0].peak_kib' r.json)
done
[ $((peak[100000] * 10)) -lt $((peak[50000] * 12)) ] || fail "counter: ${peak[50000]} KiB, and ${peak[100000]} KiB after twice as many executions"
finish
