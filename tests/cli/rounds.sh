#!/bin/bash
# Rounds of growing bound, where the limits will not be enough: what is finished, what is found, and that a search that completes knows nothing of them.
. "$(dirname "$0")/lib.bash"
big=("$TOP/examples/reducing.c" -DTHREADS=4 -DROUNDS=4)
is()
{
	local got
	got=$(jq -c "$1" r.json)
	[ "$got" = "$2" ] || fail "$last: $1 is $got, not $2"
}

# The statement of an incomplete search: a round more or less depends on the machine, but the number of classes of a round does not.
finishes()
{
	local n classes seconds
	for seconds in 3 10 40; do
		run 3 "$EVERETT" check -q --timeout $seconds --json r.json "$@" "${big[@]}"
		n=$(jq '.results[0].finished_preemptions' r.json)
		[ "$n" != null ] && break
	done
	has err "; every execution with at most $n preemptions\\?\\( or access\\(es\\)\\? out of order\\)\\?: ok ("
	if [ "$n" -le 2 ]; then
		run 0 "$EVERETT" check -q --preemptions "$n" --json b.json "$@" "${big[@]}"
		classes=$(jq '.results[0].executions' b.json)
		is '.results[0].finished_executions' "$classes"
	fi
	is 'any(.results[0].next[]; .command // "" | test("--preemptions [0-9]+ "))' true
	run 0 "$EVERETT" report r.json
	has err '; every execution with at most '
}
finishes -m sc
finishes -m sc -j 2
finishes -m tso
finishes -m ra

# Not if nobody sets a limit, wants none, has a bound of his own, or if the search completes: then all counts are those of any other search.
run 3 "$EVERETT" check -q -m sc --no-rounds --timeout 1.5 --json r.json "${big[@]}"
is '.results[0].finished_preemptions' null
hasnot err 'every execution with at most'
run 0 "$EVERETT" check -q -m sc --timeout 100 --json r.json -DTHREADS=4 "$TOP/examples/reducing.c"
is '.results[0] | [.executions, .finished_preemptions]' '[2520,null]'

# A finding in a round: by its number among those of the round, with a schedule that replays. No random execution looks for it here, and the search is long in coming to it.
cat >late.c <<'E2'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int noise, a, b;
static void *work(void *unused)
{
	for (int i = 0; i < 9; i++)
		atomic_fetch_add(&noise, 1);
	return unused;
}
static void *bug(void *unused)
{
	atomic_store(&a, 1);
	atomic_store(&b, 1);
	atomic_store(&a, 0);
	return unused;
}
int main(void)
{
	pthread_t t[4];
	pthread_create(&t[3], 0, bug, 0);
	for (int i = 0; i < 3; i++)
		pthread_create(&t[i], 0, work, 0);
	int first = atomic_load(&b);
	assert(!(first && atomic_load(&a)));
	for (int i = 0; i < 4; i++)
		pthread_join(t[i], 0);
	return 0;
}
E2
for seconds in 6 20 80 200; do
	"$EVERETT" check -m sc --hunt 0 --timeout $seconds --json r.json late.c >out 2>err
	[ "$(jq '.results[0].findings | length' r.json)" = 1 ] && break
done
is '.results[0].findings | length' 1
jq -r '.results[0].findings[0].drawn // "none"' r.json >drawn
cp out first
run 1 "$EVERETT" replay r.json
has err 'FINDING assertion at late.c:25'
if ! grep -qx none drawn; then
	has drawn '^at most [0-9] preemptions\?$'
	grep -q 'execution [0-9]* of those with at most [0-9] preemptions\?, sc$' first || fail "the headline: $(head -n 3 first)"
fi
finish
