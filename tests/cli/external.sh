#!/bin/bash
# Functions that nobody instrumented: refused by name, place and option; called as they are if the option says so.
. "$(dirname "$0")/lib.bash"

cat >foreign.c <<'END'
static int table[3] = { 10, 20, 30 };
int foreign_look(int i) { return table[i % 3]; }
int foreign_length(const char *s) { int n = 0; while (s[n]) n++; return n; }
END
cat >main.c <<'END'
#include <assert.h>
#include <pthread.h>
int foreign_look(int);
int foreign_length(const char *);
static int x, y;
static int (*volatile by_pointer)(int) = foreign_look;
static void *work(void *p)
{
	x = foreign_look(1);
	y = by_pointer(2);
	return p;
}
int main(int argc, char **argv)
{
	pthread_t t;
	pthread_create(&t, 0, work, 0);
	int a = y, b = x;
	pthread_join(t, 0);
	assert(x + y == 50);
	assert(argc < 2 || foreign_length(argv[1]) != 4);
	(void)(a && !b);
	return 0;
}
END
refused() # LINE NAME
{
	has err "error: main.c:$1: the function '$2' is not supported (--allow-external=$2 calls it uninstrumented)$"
	one_line
}
noted() # NAMES
{
	has err "^everett: note: $1 called uninstrumented (--allow-external): the result holds only if "
}

cc -c -fPIC foreign.c -o foreign.o
cc -shared foreign.o -o libforeign.so
ar rc libstatic.a foreign.o
rpath="-Wl,-rpath,$PWD"

# A shared library, an archive, an object: the same.
# y is written after x and read before it: three of four outcomes.
for with in "-L. -lforeign $rpath" "-L. -lstatic" foreign.o; do
	run 2 "$EVERETT" check main.c $with
	refused 9 foreign_look
	run 0 "$EVERETT" check main.c $with --allow-external=foreign_look
	noted "'foreign_look'"
	has err 'sc/rf: ok, 3 executions, complete'
	run 2 "$EVERETT" check main.c $with --allow-external=foreign_look -- four
	refused 20 foreign_length
	run 1 "$EVERETT" check main.c $with --allow-external=foreign_look,foreign_length --json r.json -- four
	has err 'FINDING assertion at main.c:20'
	noted "'foreign_look', 'foreign_length'"
	jq -e '.results[0].notes | any(contains("foreign_length"))' r.json >/dev/null || fail "no note in the JSON"
	run 1 "$EVERETT" replay --trust-report r.json
	has out 'main.c:20'
	run 1 "$EVERETT" check main.c $with --allow-external foreign_look --allow-external=foreign_length -- four
done

# Every way to run a program, engine and model. What was allowed and not called is not worth a note.
for pair in sc/none sc/traces sc/rf tso/traces tso/rf pso/none pso/rf ra/rf; do
	run 0 "$EVERETT" check -m "${pair%/*}" -e "${pair#*/}" --no-races --check main.c foreign.o --allow-external=foreign_look,unknown
	noted "'foreign_look'"
done
run 0 "$EVERETT" robust main.c foreign.o --allow-external=foreign_look
noted "'foreign_look'"
run 0 "$EVERETT" predict --runs 5 --trials 2 -m tso main.c foreign.o --allow-external=foreign_look
noted "'foreign_look'"
run 0 "$EVERETT" cc main.c -L. -lforeign "$rpath" -o prog
run 2 "$EVERETT" run ./prog; refused 9 foreign_look
run 0 "$EVERETT" run --allow-external=foreign_look ./prog; noted "'foreign_look'"
EVERETT_OPTIONS=--allow-external=foreign_look run 0 ./prog; noted "'foreign_look'"
run 1 "$EVERETT" run --allow-external=foreign_look,foreign_length --json r.json ./prog -- four
run 1 "$EVERETT" replay --trust-report r.json; has out 'main.c:20'
run 0 "$EVERETT" check main.c foreign.o -q --allow-external=foreign_look; hasnot err note

# Through a pointer alone: the function is in the executable itself, and still nobody sees what it does.
cat >pointer.c <<'END'
int foreign_look(int);
static int (*volatile by_pointer)(int) = foreign_look;
int main(void) { return by_pointer(0) - 10; }
END
for with in "-L. -lforeign $rpath" foreign.o; do
	run 2 "$EVERETT" check pointer.c $with
	has err "error: pointer.c:3: the function 'foreign_look' is not supported (--allow-external=foreign_look"
	run 0 "$EVERETT" check pointer.c $with --fail-on-exit --allow-external=foreign_look
	noted "'foreign_look'"
done

# A function of the C library that is not supported is one like others; some are beyond being allowed.
printf '#include <stdlib.h>\nint main(void) { return (int)a64l("zz") - 4095; }\n' >libc.c
run 2 "$EVERETT" check libc.c; has err "libc.c:2: the function 'a64l' is not supported (--allow-external=a64l"
run 0 "$EVERETT" check --fail-on-exit --allow-external=a64l libc.c
printf '#include <unistd.h>\nint main(void)\n{\n\treturn fork() == 0;\n}\n' >fork.c
run 2 "$EVERETT" check fork.c; one_line; has err "fork.c:4: the function 'fork' is not supported: it starts another process$"
run 2 "$EVERETT" check --allow-external=fork fork.c; one_line; has err "'fork' cannot be allowed: it starts another process$"

# Threads are not to be left to the C library, which knows of none: neither by those functions that are modelled nor by others.
threads="it manages threads, and Everett implements the program's threads itself"
for name in pthread_create pthread_mutex_lock pthread_kill pthread_tryjoin_np pthread_mutex_getprioceiling thrd_create mtx_lock cnd_wait \
	tss_get call_once sem_wait __pthread_mutex_lock _ZNSt6thread4joinEv; do
	run 2 "$EVERETT" check "--allow-external=foreign_look,$name" main.c foreign.o; one_line
	has err "'$name' cannot be allowed: $threads\$"
done
for name in vfork _Fork clone aio_read; do
	run 2 "$EVERETT" check "--allow-external=$name" fork.c; one_line; has err "'$name' cannot be allowed: it starts a"
done
cat >ceiling.c <<'END'
#define _GNU_SOURCE
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int main(void)
{
	int ceiling;
	return pthread_mutex_getprioceiling(&m, &ceiling);
}
END
run 2 "$EVERETT" check ceiling.c; one_line; has err "ceiling.c:7: the function 'pthread_mutex_getprioceiling' is not supported: $threads\$"

# What is no list of names.
for list in '' , f, ,f 'f g' 'f,,g'; do
	run 2 "$EVERETT" check "--allow-external=$list" main.c; one_line; has err "option '--allow-external' cannot be '$list'"
done
run 2 "$EVERETT" report --allow-external=f r.json; one_line
finish
