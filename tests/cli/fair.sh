#!/bin/bash
# A loop whose rounds are counted, and the count used, is no wait: it has endless executions. But the others get their turn: a program that ends
# on every machine has executions that end, and a note names the loop.
. "$(dirname "$0")/lib.bash"

cat >counts.c <<'END_OF_FILE'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int ready;
static long rounds;
static void *counts(void *p)
{
	long n = 0;
	while (!atomic_load(&ready))
		n++;
	rounds = n;
	return p;
}
static void *tells(void *p)
{
	atomic_store(&ready, 1);
	return p;
}
int main(void)
{
	pthread_t a, b;
	pthread_create(&a, NULL, counts, NULL);
	pthread_create(&b, NULL, tells, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	assert(rounds >= 0);
}
END_OF_FILE
for pair in sc/rf sc/traces sc/none sc/rvf tso/rf tso/traces pso/rf ra/rf ra/none; do
	run 3 "$EVERETT" check -m "${pair%/*}" -e "${pair#*/}" --max-executions 20 counts.c
	grep -q "$pair: incomplete, 20 executions" err || fail "$pair: not 20 executions: $(tail -n 1 err)"
done
run 0 "$EVERETT" check --unroll 5 counts.c
grep -q 'ok, 5 executions, 1 truncated, complete within bound 5' err || fail "five rounds are not five executions: $(tail -n 1 err)"
finish
