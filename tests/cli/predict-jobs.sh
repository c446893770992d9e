#!/bin/bash
# everett predict with several workers: what is said is what one worker says, schedules included.
# set: slow
. "$(dirname "$0")/lib.bash"

# same ARGUMENT...: for 1, 2 and 5 workers.
same() {
	local jobs
	for jobs in 1 2 5; do
		"$EVERETT" predict -q -w -j $jobs --json r.json "$@" >out 2>err </dev/null
		echo $? >said$jobs
		jq -S '.results | del(.[].seconds, .[].peak_kib, .[].next)' r.json >>said$jobs
		[ $jobs = 1 ] || cmp -s said1 said$jobs || fail "predict -j $jobs $*: not what one worker says: $(diff said1 said$jobs | head -n 5)"
	done
}

cat >late.c <<'END'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#define SET(v) atomic_store_explicit(&v, 1, memory_order_relaxed)
#define GET(v) atomic_load_explicit(&v, memory_order_relaxed)
static atomic_int x, y, v, w, k, l, p, q, z;
/* That p, q and z are shared is seen only where SC is broken, and then kept: random executions hardly ever come there, but some trials do. */
static void *left(void *unused)
{
	SET(x);
	int a = GET(y);
	SET(v);
	int b = GET(w);
	SET(k);
	int c = GET(l);
	if (!a && b) {
		SET(p);
		if (GET(q))
			atomic_fetch_add_explicit(&z, 1, memory_order_relaxed);
	}
	return unused;
}
static void *right(void *unused)
{
	SET(y);
	int a = GET(x);
	SET(w);
	int b = GET(v);
	SET(l);
	int c = GET(k);
	if (!a && b) {
		SET(q);
		if (GET(p))
			assert(atomic_fetch_add_explicit(&z, 1, memory_order_relaxed) < 1);
	}
	return unused;
}
int main(void)
{
	pthread_t t[2];
	pthread_create(&t[0], NULL, left, NULL);
	pthread_create(&t[1], NULL, right, NULL);
	pthread_join(t[0], NULL);
	pthread_join(t[1], NULL);
	return 0;
}
END
for model in tso pso pslo; do
	for seed in 1 2; do
		same -m $model --trials 30 --seed $seed late.c
	done
done
# That trials do teach something here is shown by the mutant trials-lessons-forgotten.

[ $failures = 0 ] || finish
for program in dekker ms2; do
	same -m tso,pso,pslo --trials 2 "$TOP/bench/papers/predict/$program.c"
done
# Random programs with few runs: some things become known late.
"$BUILD/randprog" --features=rwuc 1 6 >random.c
for i in 0 1 2 3 4 5; do
	same -m pslo --runs 1 --trials 2 random.c -- $i
done
"$BUILD/randprog" --flavour=fault 1 3 >random.c
for i in 0 1 2; do
	same -m pso --runs 1 --trials 2 --decide random.c -- $i
done

# A time limit stops all workers, and what they have found is not lost.
run 1 "$EVERETT" predict -q -j 2 -m pso --trials 1000000 --timeout 2 --json r.json late.c
jq -e '.results[0].stopped == "time limit"' r.json >/dev/null || fail "$last: $(jq -c '.results[0].stopped' r.json)"
finish
