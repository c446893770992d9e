#!/bin/bash
# --check -k: the findings of an engine are those of brute force, or it is an internal error.
. "$(dirname "$0")/lib.bash"

# Its engine finds what RF says, brute force what NONE says; both words are finding kinds.
fake_checker engine <<'EOF'
echo "$words" >>asked
case $words in
*engine=none*) engine=none found=$NONE complete=${NONE_COMPLETE:-1} executions=6 ;;
*) engine=rf found=$RF complete=${RF_COMPLETE:-1} executions=3 ;;
esac
say hello sc $engine
for kind in $found; do
	finding "$kind"
done
say done "$complete" "" $executions 0 0 0 24 0.5 3100
EOF
export NONE RF NONE_COMPLETE RF_COMPLETE

# The same findings: nothing is said, unless somebody asks.
NONE='assertion abort' RF='abort assertion'
run 1 "$EVERETT" run -k --check ./engine
hasnot err 'self-check'
run 1 "$EVERETT" run -k --check -v ./engine
has err 'everett: sc: the findings were compared with those of all 6 interleavings$'
has asked 'engine=none .*keep-going=1 max-executions=2000$' 'engine=none .*simplify=0'
hasnot asked 'engine=none.*check=1'

# A finding is lost, or there is one too many.
RF=abort
run 4 "$EVERETT" run -k --check ./engine
has err '^everett: sc/rf: error: self-check: the findings of sc/rf are not those of sc/none; not found: assertion at sb.c:17 '
RF='abort assertion nondeterminism'
run 4 "$EVERETT" run -k --check ./engine
has err '; found only here: nondeterminism at sb.c:17 '
NONE='' RF=assertion
run 4 "$EVERETT" run -k --check ./engine
NONE=assertion RF=''
run 4 "$EVERETT" run -k --check ./engine
has err '; not found: assertion at sb.c:17'

# Races have two places, and the engine may name the other one.
NONE=race RF=''
run 0 "$EVERETT" run -k --check ./engine
# Who is not deterministic may do anything.
NONE=nondeterminism RF=assertion
run 1 "$EVERETT" run -k --check ./engine

# Nothing is compared if one of the two has not seen everything, or without -k or --check, or if there is nothing to compare with.
NONE=assertion RF=''
NONE_COMPLETE=0 run 0 "$EVERETT" run -k --check -v ./engine
has err 'everett: sc: the findings were not compared: there are more than 2000 interleavings$'
RF_COMPLETE=0 run 3 "$EVERETT" run -k --check ./engine
: >asked
run 0 "$EVERETT" run --check ./engine
run 0 "$EVERETT" run -k ./engine
run 1 "$EVERETT" run -k --check -e none ./engine
hasnot asked max-executions

# A real program, whose findings are found.
cat >both.c <<'END'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x;
static void *writes(void *argument) { atomic_store(&x, 1); return argument; }
int main(void)
{
	pthread_t t;
	pthread_create(&t, 0, writes, 0);
	int r = atomic_load(&x);
	assert(r == 0);
	assert(r == 1);
	return pthread_join(t, 0);
}
END
run 1 "$EVERETT" check -k --check -v -m all both.c
for model in sc tso pso ra; do
	has err "everett: $model: the findings were compared with those of all [0-9]* interleavings\$"
done
finish
