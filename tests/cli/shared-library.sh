#!/bin/bash
# Instrumented code in a shared library: its variables, thread-local ones too, are the program's, and counts are the same.
. "$(dirname "$0")/lib.bash"
cat >lib.c <<'END'
int shared_x;
static int hidden;
_Thread_local int tls = 3;
int table[4];
__attribute__((constructor)) static void start(void) { hidden = 40; }
int bump(void) { shared_x = shared_x + 1; return ++tls + hidden; }
void over(int i) { table[i] = 1; }
END
cat >main.c <<'END'
#include <assert.h>
#include <pthread.h>
extern int shared_x;
extern _Thread_local int tls;
int bump(void);
void over(int);
static void *work(void *p)
{
	assert(bump() == 44 && tls == 4);
	return p;
}
int main(int argc, char **argv)
{
	pthread_t a, b;
	(void)argv;
	pthread_create(&a, 0, work, 0);
	pthread_create(&b, 0, work, 0);
	pthread_join(a, 0);
	pthread_join(b, 0);
	assert(tls == 3);
	if (argc > 1)
		over(4);
	if (argc > 2)
		assert(shared_x == 2);
	return 0;
}
END
run 0 "$EVERETT" cc -shared -fPIC lib.c -o libl.so
run 0 "$EVERETT" cc main.c -L. -ll "-Wl,-rpath,$PWD" -o prog
# A read and a write in each thread: 4!/(2!2!) = 6.
for check in '' --check; do
	run 0 "$EVERETT" run -e none $check ./prog
	has err 'sc/none: ok, 6 executions, complete'
done
run 1 "$EVERETT" run -e none --json r.json ./prog -- x
has err 'FINDING out-of-bounds at lib.c:7'
jq -e '.results[0].findings[0].message | contains("table")' r.json >/dev/null || fail "the variable has no name"
sed -i 's/		over(4);/		over(3);/' main.c
run 0 "$EVERETT" cc main.c -L. -ll "-Wl,-rpath,$PWD" -o prog
run 1 "$EVERETT" run -e none --json r.json ./prog -- x y
has err 'FINDING assertion at main.c:24'
run 1 "$EVERETT" replay --trust-report r.json
has out 'shared_x'
finish
