#!/bin/bash
# revisit explores what rf explores, class by class, each once, where it does not refuse: the programs of bench/papers. So do several workers.
. "$(dirname "$0")/lib.bash"
. "$TOP/tests/cli/rf-programs.bash"

says='.results[] | "\(.model): \(.executions + .truncated) executions, \(.blocked) blocked, \(.redundant) redundant, " +
	"classes \(.class_digests.rf), complete \(.complete), found: " +
	"\(.findings | map("\(.kind) at \(.file):\(.line)") | unique | join(", "))"'
compared=0
while IFS='|' read -r program words; do
	defines=() options=()
	for word in $words; do
		if [[ $word == -D* ]]; then defines+=("$word"); else options+=("$word"); fi
	done
	rm -f checker rf revisit
	"$EVERETT" check -q -m sc -e none --max-executions 1 --keep checker "${defines[@]}" "$TOP/bench/papers/$program.c" >out 2>err
	[ -x checker ] || fail "$program does not compile: $(tail -n 3 err)"
	for model in sc tso pso ra rc11; do
		"$EVERETT" run -k -q -m $model -e revisit --json revisit --classes classes "${options[@]}" ./checker >out 2>err </dev/null
		status=$?
		if grep -q "which equivalence 'revisit' does not cover" err; then
			[ $status = 4 ] || fail "$program $words: $model: refused with status $status"
			continue
		fi
		[ $status -lt 4 ] || fail "$program $words: $model: $(tail -n 3 err)"
		"$EVERETT" run -k -q -m $model -e rf --json rf --classes classes "${options[@]}" ./checker >out 2>err </dev/null
		[ "$(jq -r "$says" revisit)" = "$(jq -r "$says" rf)" ] ||
			fail "$program $words: rf: $(jq -r "$says" rf); revisit: $(jq -r "$says" revisit)"
		compared=$((compared + 1))
	done
done <<<"$programs"

# What is divided among workers is counted once, where threads wait, too; nobody says when they give branches away.
cat >wait.c <<'END'
#include <pthread.h>
#include <stdatomic.h>
static atomic_int lock;
static int count;
static void *run(void *argument)
{
	do
		while (atomic_load(&lock))
			;
	while (atomic_exchange(&lock, 1));
	count++;
	atomic_store(&lock, 0);
	return argument;
}
int main(void)
{
	pthread_t t[4];
	for (int i = 0; i < 4; i++)
		pthread_create(&t[i], NULL, run, NULL);
	for (int i = 0; i < 4; i++)
		pthread_join(t[i], NULL);
	return count != 4;
}
END
while read -r file executions defines; do
	for jobs in 1 2 2 2; do
		"$EVERETT" check -q -m sc -e rf -j $jobs --json result $defines "$file" >out 2>err
		[ "$(jq '.results[0].executions' result)" = "$executions" ] ||
			fail "$file: $(jq '.results[0].executions' result) executions by $jobs workers, not $executions"
	done
done <<END
wait.c 576
$TOP/bench/papers/fib_bench.c 19605 -DN=4
END
[ $compared -ge 100 ] || fail "only $compared were compared"
finish
