#!/bin/bash
# --preemptions N: exactly the classes that need no more, by brute force; what is said of them; where it cannot be asked for. PROGRAMS: how many are judged.
. "$(dirname "$0")/lib.bash"

run 2 "$EVERETT" check --preemptions -1 "$TOP/examples/sb.c"
run 2 "$EVERETT" check -m tso --preemptions 1 "$TOP/examples/sb.c"
has err "preemptions can be bounded under sequential consistency only (-m sc), not under model 'tso'"

# The lost update needs one preemption. Without it all is fine, and the verdict says within what.
run 0 "$EVERETT" check -m sc --preemptions 0 --json r.json "$TOP/examples/counter.c"
has err '^everett: sc/rf: ok, 2 executions, complete within 0 preemptions ('
[ "$(jq '.results[0].preemptions' r.json)" = 0 ] || fail "preemptions: $(jq '.results[0].preemptions' r.json)"
run 1 "$EVERETT" check -m sc --preemptions 1 --json r.json "$TOP/examples/counter.c"
run 1 "$EVERETT" replay r.json
run 0 "$EVERETT" check -m sc -j 2 --preemptions 1 "$TOP/examples/reducing.c"
has err 'one worker was used' 'complete within 1 preemptions'
run 0 "$EVERETT" check -q -k -m sc --check --preemptions 2 "$TOP/examples/reducing.c"

cat >interpreter.c <<'EOP'
/* Each argument is a thread: pairs of what it does (read, write, add, lock, unlock) and to which variable. */
#include <pthread.h>
#include <stdatomic.h>
static atomic_int variables[2];
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static void *thread(void *argument)
{
	for (const char *p = argument; *p; p += 2) {
		switch (*p) {
		case 'R':
			(void)atomic_load(&variables[p[1] - '0']);
			break;
		case 'W':
			atomic_store(&variables[p[1] - '0'], 1);
			break;
		case 'A':
			atomic_fetch_add(&variables[p[1] - '0'], 1);
			break;
		case 'L':
			pthread_mutex_lock(&mutex);
			break;
		default:
			pthread_mutex_unlock(&mutex);
		}
	}
	return NULL;
}
int main(int argc, char **argv)
{
	pthread_t threads[8];
	for (int i = 1; i < argc; i++)
		pthread_create(&threads[i], NULL, thread, argv[i]);
	for (int i = 1; i < argc; i++)
		pthread_join(threads[i], NULL);
}
EOP
"$EVERETT" cc -o interpreter interpreter.c
run 0 python3 "$TOP/tests/preemptions.py" "$PWD/interpreter" "$EVERETT" "${PROGRAMS:-40}"
has out ' 0 wrong$'
finish
