#!/bin/bash
# --preemptions N: exactly the classes that need no more, by brute force; what is said of them; where it cannot be asked for. PROGRAMS: how many are judged.
. "$(dirname "$0")/lib.bash"

run 2 "$EVERETT" check --preemptions -1 "$TOP/examples/sb.c"

# The lost update needs one preemption. Without it all is fine, and the verdict says within what.
run 0 "$EVERETT" check -m sc --preemptions 0 --json r.json "$TOP/examples/counter.c"
has err '^everett: sc/rf: ok, 2 executions, complete within 0 preemptions ('
[ "$(jq '.results[0].preemptions' r.json)" = 0 ] || fail "preemptions: $(jq '.results[0].preemptions' r.json)"
run 1 "$EVERETT" check -m sc --preemptions 1 --json r.json "$TOP/examples/counter.c"
run 1 "$EVERETT" replay r.json
run 0 "$EVERETT" check -m sc -j 2 --preemptions 1 "$TOP/examples/reducing.c"
has err 'one worker was used' 'complete within 1 preemption '
run 0 "$EVERETT" check -q -k -m sc --check --preemptions 2 "$TOP/examples/reducing.c"

cat >interpreter.c <<'EOP'
/* Each argument is a thread: triples of what it does (read, write, add, lock, unlock), in which memory order, and to which variable. */
#include <pthread.h>
#include <stdatomic.h>
static atomic_int variables[2];
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static void *thread(void *argument)
{
	for (const char *p = argument; *p; p += 3) {
		atomic_int *v = &variables[(p[2] - '0') % 2];
		switch (p[0] << 8 | p[1]) {
		case 'R' << 8 | 'r':
			(void)atomic_load_explicit(v, memory_order_relaxed);
			break;
		case 'R' << 8 | 'a':
			(void)atomic_load_explicit(v, memory_order_acquire);
			break;
		case 'R' << 8 | 's':
			(void)atomic_load(v);
			break;
		case 'W' << 8 | 'r':
			atomic_store_explicit(v, 1, memory_order_relaxed);
			break;
		case 'W' << 8 | 'a':
			atomic_store_explicit(v, 1, memory_order_release);
			break;
		case 'W' << 8 | 's':
			atomic_store(v, 1);
			break;
		case 'A' << 8 | 'r':
			atomic_fetch_add_explicit(v, 1, memory_order_relaxed);
			break;
		case 'A' << 8 | 'a':
			atomic_fetch_add_explicit(v, 1, memory_order_acq_rel);
			break;
		case 'A' << 8 | 's':
			atomic_fetch_add(v, 1);
			break;
		case 'L' << 8 | 's':
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
for model in ${MODELS:-sc tso pso ra rc11}; do
	run 0 python3 "$TOP/tests/preemptions.py" "$PWD/interpreter" "$EVERETT" "${PROGRAMS:-10}" $model
	has out ' 0 wrong$'
done
finish
