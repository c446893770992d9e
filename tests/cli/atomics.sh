#!/bin/bash
# What reports say of atomic objects that have a lock, and of compare-exchanges that fail for no reason.
. "$(dirname "$0")/lib.bash"

cat >large.c <<'EOF'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
struct three {
	long a, b, c;
};
static _Atomic struct three x;
static void *work(void *argument)
{
	struct three expected = { 0, 0, 0 }, new = { 1, 2, 3 };
	assert(atomic_compare_exchange_weak(&x, &expected, new));
	return argument;
}
int main(void)
{
	pthread_t one, two;
	pthread_create(&one, NULL, work, NULL);
	pthread_create(&two, NULL, work, NULL);
	pthread_join(one, NULL);
	pthread_join(two, NULL);
	return 0;
}
EOF
run 1 "$EVERETT" check -Wno-atomic-alignment large.c
has out 'lock lock of x' 'unlock lock of x' 'rmw seq_cst x.b'
grep -q note: err && fail "a note"
# Under RA the lock orders more than the program says; and nobody tells whether a call is of the weak kind.
run 1 "$EVERETT" check -m ra --spurious-cas -Wno-atomic-alignment large.c
has err 'note: atomic objects of more than 16 bytes are accessed under a lock: C11 allows more than was explored'
has err 'note: a compare-exchange that is a library call is treated as strong: it never failed spuriously'

cat >weak.c <<'EOF'
#include <assert.h>
#include <stdatomic.h>
int main(void)
{
	atomic_int x = 0;
	int zero = 0;
	assert(atomic_compare_exchange_weak(&x, &zero, 1));
	return 0;
}
EOF
run 0 "$EVERETT" check weak.c
has err 'ok, 1 execution, complete ('
run 1 "$EVERETT" check --spurious-cas --json r.json weak.c
has out 'choose 1$' 'replay: everett'
grep -q note: err && fail "a note"
run 1 "$EVERETT" replay r.json
has out 'choose 1$'
finish
