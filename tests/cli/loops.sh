#!/bin/bash
# Loops that nothing bounds: the search cannot end, and says so early, with the loop and what helps.
. "$(dirname "$0")/lib.bash"

cat >poll.c <<'EOF'
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int done;
static void *work(void *p)
{
	for (int d = 0; !d;) {
		pthread_mutex_lock(&m);
		d = done;
		pthread_mutex_unlock(&m);
	}
	return p;
}
int main(void)
{
	pthread_t t;
	pthread_create(&t, NULL, work, NULL);
	pthread_mutex_lock(&m);
	done = 1;
	pthread_mutex_unlock(&m);
	pthread_join(t, NULL);
	return !done;
}
EOF
# A round that finds nothing is a wait.
for pair in sc/rf sc/traces tso/traces tso/rf pso/traces pso/rf ra/rf; do
	run 0 "$EVERETT" check -m "${pair%/*}" -e "${pair#*/}" poll.c
	has err "$pair: ok, 1 execution, complete"
done

# One that is counted is not.
sed 's/d = done;/d = done, polls++;/; s/^static int done;/static int done, polls;/; s/return !done;/return !done || polls < 1;/' poll.c >counted.c
note="^everett: note: the loop at counted.c:6 ran 1024 iterations in one execution.*--unroll"
for pair in sc/rf sc/traces tso/rf ra/rf; do
	run 3 "$EVERETT" check -m "${pair%/*}" -e "${pair#*/}" --max-executions 1100 --json counted.json counted.c
	has err "$note" "incomplete, 1100 executions"
	[ "$(grep -c "^everett: note: the loop" err)" = 1 ] || fail "$pair: $(cat err)"
	jq -e '.results[0].notes[0] | contains("counted.c:6")' counted.json >jq.out || fail "$pair: notes of the JSON result"
done
run 3 "$EVERETT" check -q --max-executions 1100 counted.c
one_line

run 0 "$EVERETT" check --unroll 5 counted.c
hasnot err "the loop at"

# A loop without events that ends is nobody's concern.
cat >private.c <<'EOF'
static int table[5000];
int main(void)
{
	for (int i = 0; i < 5000; i++)
		table[i] = i;
	return table[0];
}
EOF
run 0 "$EVERETT" check private.c
hasnot err 'loop'

# One that does not end is a finding.
cat >endless.c <<'EOF'
static unsigned steps(unsigned k)
{
	unsigned n = 0;
	while (k != 1) {
		k = k % 2 ? 3 * k + 3 : k / 2;
		n++;
	}
	return n;
}
int main(void)
{
	return (int)steps(7);
}
EOF
run 1 "$EVERETT" check --execution-timeout 0.5 endless.c
has out "endless.c:4:[0-9]*: no-progress: a loop ran for 0.5 seconds without a visible event"
finish
