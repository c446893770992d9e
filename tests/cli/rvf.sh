#!/bin/bash
# What engine rvf does not know, it says; and none of its heuristics changes what it finds.
. "$(dirname "$0")/lib.bash"

cat >mixed.c <<'END'
#include <pthread.h>
static union {
	unsigned long whole;
	unsigned half[2];
} u;
static void *writes(void *argument)
{
	u.whole = 1;
	return argument;
}
int main(void)
{
	pthread_t t;
	pthread_create(&t, NULL, writes, NULL);
	unsigned half = u.half[0];
	pthread_join(t, NULL);
	return half > 1;
}
END
"$EVERETT" check -e rvf mixed.c >out 2>err && fail "different sizes are not refused"
last='-e rvf mixed.c'
has err '^everett: .*: error: mixed.c:8 and mixed.c:15 access the same memory in different sizes, which engine rvf does not support'
one_line
run 2 "$EVERETT" check -e rvf --races mixed.c
has err "error: whether there are data races is not decided by equivalence 'rvf'"
run 2 "$EVERETT" check -m tso -e rvf mixed.c
has err "equivalence 'rvf' is not available under model 'tso'"
run 2 "$EVERETT" check -e rvf --rvf-no=guide,magic mixed.c
has err "error: rvf has no heuristic 'magic': there are closure, guide, greedy and signals"

# The free comes first in one order of the events, and nothing that is read tells it.
freed=$TOP/tests/findings/rvf_use_after_free.c
"$EVERETT" check -k -e rvf -I"$TOP/tests/programs" "$freed" >out 2>err && fail "freed memory is used, and that is all right"
last="-k -e rvf $freed"
has out 'use-after-free: write of 4 bytes'
has err 'engine rvf cannot go on from there: use -e rf (1 findings before it)'

for no in closure guide greedy signals closure,guide,greedy,signals; do
	run 1 "$EVERETT" check -e rvf --rvf-no=$no -I"$TOP/tests/programs" "$freed"
	run 0 "$EVERETT" check -e rvf --rvf-no=$no "$TOP/tests/programs/rf_decision_rmw.c"
	has err 'sc/rvf: ok, 259 executions, complete'
done
finish
