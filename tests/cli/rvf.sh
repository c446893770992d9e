#!/bin/bash
# What engine rvf does not know, it says; and none of its heuristics changes what it finds.
. "$(dirname "$0")/lib.bash"

cat >mixed.c <<'END'
#include <pthread.h>
#include <string.h>
static union {
	pthread_mutex_t mutex;
	unsigned long word;
} u;
static void *locks(void *argument)
{
	pthread_mutex_lock(&u.mutex);
	pthread_mutex_unlock(&u.mutex);
	return argument;
}
int main(void)
{
	pthread_t t;
	memset(&u, 0, sizeof(u));
	pthread_mutex_init(&u.mutex, NULL);
	pthread_create(&t, NULL, locks, NULL);
	locks(NULL);
#ifdef WORD
	unsigned long word = u.word;
#else
	unsigned long word = 0;
#endif
	pthread_join(t, NULL);
	return word > 1;
}
END
# A mutex may be cleared with all that is around it; its bytes mean nothing to rvf.
run 0 "$EVERETT" check -e rvf mixed.c
has err 'sc/rvf: ok, 2 executions, complete'
"$EVERETT" check -e rvf --hunt 0 -DWORD mixed.c >out 2>err && fail "the bytes of a mutex are not refused"
last='-e rvf --hunt 0 -DWORD mixed.c'
has err '^everett: .*: error: mixed.c:17 and mixed.c:21 access the same memory in different sizes, which engine rvf does not support'
one_line
run 2 "$EVERETT" check -e rvf --races mixed.c
has err "error: equivalence 'rvf' cannot detect data races"
run 2 "$EVERETT" check -m tso -e rvf mixed.c
has err "equivalence 'rvf' is not available under model 'tso'"
run 2 "$EVERETT" check -e rvf --rvf-no=guide,magic mixed.c
has err "error: unknown heuristic 'magic' (heuristics of rvf: closure, guide, greedy, signals, instead)"

# The search goes on after a use of freed memory.
freed=$TOP/tests/findings/rvf_use_after_free.c
run 1 "$EVERETT" check -k -e rvf -I"$TOP/tests/programs" "$freed"
has out 'use-after-free: write of 4 bytes'
has err 'FINDING use-after-free at .*complete: yes'

for no in closure guide greedy signals closure,guide,greedy,signals; do
	run 1 "$EVERETT" check -e rvf --rvf-no=$no -I"$TOP/tests/programs" "$freed"
	run 0 "$EVERETT" check -e rvf --rvf-no=$no "$TOP/tests/programs/rf_decision_rmw.c"
	has err 'sc/rvf: ok, 259 executions, complete'
done
finish
