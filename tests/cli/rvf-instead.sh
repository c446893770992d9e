#!/bin/bash
# Engine rvf gives way to rf where values save nothing and its questions cost much; where they save something, it does not.
. "$(dirname "$0")/lib.bash"

# Two threads write what they are into a sequence, N times each: all sequences differ, and one is wrong.
cat >sequence.c <<'END'
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static unsigned long sequence = 1;
static void *run(void *one)
{
	for (int i = 0; i < N; i++) {
		pthread_mutex_lock(&mutex);
		sequence = sequence * 2 + (one != 0);
		pthread_mutex_unlock(&mutex);
	}
	return 0;
}
int main(void)
{
	pthread_t t;
	pthread_create(&t, 0, run, &t);
	run(0);
	pthread_join(t, 0);
	assert(sequence != WRONG);
	return 0;
}
END
note="rvf saves almost nothing here: executions were explored and counted by equivalence 'rf'"

run 0 "$EVERETT" check -m sc -e rvf --hunt 0 --json instead.json -DN=7 -DWRONG=0 sequence.c
has err "note: $note"
has err 'sc/rvf: ok, 3432 executions, complete'
[ "$(jq '.results[0].stats.values > 1000000' instead.json)" = true ] || fail "the statistics do not say what rvf has tried in vain"
# The same number, without giving way.
run 0 "$EVERETT" check -m sc -e rvf --hunt 0 --rvf-no=instead -DN=7 -DWRONG=0 sequence.c
hasnot err "$note"
has err 'sc/rvf: ok, 3432 executions, complete'
# A sequence that rf explores late: nothing is lost on the way. 1 1010101 0101010
run 1 "$EVERETT" check -k -m sc -e rvf --hunt 0 -DN=7 -DWRONG=0x6aaa sequence.c
has err "note: $note"
has err 'sc/rvf: FINDING assertion at sequence.c:20 .*complete: yes'
# Small searches do not give way, nor do those that check themselves.
run 0 "$EVERETT" check -m sc -e rvf --hunt 0 -DN=4 -DWRONG=0 sequence.c
hasnot err "$note"
has err 'sc/rvf: ok, 70 executions, complete'

# Questions cost much here, too, but values save most executions: the search by sources is left again.
run 0 "$EVERETT" check -m sc -e rvf --hunt 0 -DN=2 "$TOP/bench/papers/scull_loop.c"
hasnot err "$note"
has err 'sc/rvf: ok, 9861 executions, complete'
finish
