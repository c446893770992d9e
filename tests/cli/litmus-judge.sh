#!/bin/bash
# The judge of litmus tests notices what is wrong with them.
. "$(dirname "$0")/lib.bash"
judge=$TOP/tools/litmus/judge.sh

cat >good.litmus <<'EOF'
# Comments and empty lines are no tests.

SB : x=1; a=y || y=1; b=x : a=0 b=0 : tso pso ra rc11
LB : a=x; y=1 || b=y; x=1 : a=1 b=1 : -
EOF
run 0 "$judge" good.litmus
has out '^ok SB sc$' '^ok SB ra$' '^ok SB rc11$' '^ok LB pso$' '^ok LB parts$'
run 0 "$judge" --brief --check good.litmus
has out '^11 good, 0 bad$'

# A verdict that is too strong, one that is too weak, a condition that cannot hold, one that says too much.
cat >bad.litmus <<'EOF'
SB : x=1; a=y || y=1; b=x : a=0 b=0 : pso ra rc11
MP : x=1; y=1 || a=y; b=x : a=1 b=0 : tso pso rc11
CO : x=1 || a=x; b=x : a=1 b=2 : -
MP+rel : x=1; y.rel=1 || a=y.acq; b=x : a=1 b=0 y=1 : -
MP+rlx : x.rlx=1; y.rlx=1 || a=y.rlx; b=x.rlx : a=1 b=0 : pso
MP+cas : x.rlx=1; c=cas.rel(y,0,1) || a=y.acq; b=x.rlx : a=1 b=0 : rc11
EOF
run 1 "$judge" bad.litmus
has out '^FAIL SB tso$' '^FAIL MP tso$' '^FAIL CO parts$' '^FAIL MP+rel parts$' '^FAIL MP+rlx rc11$' '^FAIL MP+cas rc11$'
[ "$(grep -c ^FAIL out)" = 6 ] || fail "not these six alone: $(grep ^FAIL out)"

# Verdicts for rc11 by its definition, whatever was there.
"$BUILD/litmus-define" <bad.litmus >defined
has defined '^SB : .* : pso ra rc11$' '^MP : .* : tso pso rc11$' '^CO : .* : -$' '^MP+rlx : .* : pso rc11$' '^MP+cas : .* : -$'
run 2 "$BUILD/litmus-define" --nonsense
# In C11 a later store of the same thread continues a release sequence.
echo 'RS : x.rlx=1; y.rel=1; y.rlx=2 || a=y.acq; b=x.rlx : a=2 b=0 : -' >sequence
"$BUILD/litmus-define" <sequence >defined
has defined ' : rc11$'
"$BUILD/litmus-define" --c11-sequences <sequence >defined
has defined ' : -$'

# What is not of the language.
while IFS= read -r line; do
	echo "$line" >wrong.litmus
	run 1 "$judge" wrong.litmus
	has out '^FAIL .*wrong.litmus'
done <<'EOF'
T : x=1; a=y : a=0
T : x=1; a=q : a=0 : sc
T : x.strong=1; a=x : a=1 : sc
T : x=1; a=y : b=0 : sc
T : x=1; a=y : a=0 : arm
T : a=x; a=y : a=0 : sc
T : a=swap(x,1) : a=0 : sc
T : lock x : x=0 : sc
EOF
printf 'T : x=1 : x=1 : sc tso pso ra rc11\nT : x=1 : x=1 : sc tso pso ra rc11\n' >twice.litmus
run 1 "$judge" twice.litmus
has out "two tests 'T'"
: >empty.litmus
run 1 "$judge" empty.litmus
run 2 "$judge" --no-such-option good.litmus

run 0 "$judge" --ask 'x=1; a=y || y=1; b=x : a=0 b=0'
has out '^sc: forbidden, tso: allowed, pso: allowed, ra: allowed, rc11: allowed$'
finish
