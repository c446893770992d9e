#!/bin/bash
# set: slow
# Random programs under all models and engines, compared: make fuzz with few programs. The judge itself is tried, too.
. "$(dirname "$0")/lib.bash"

# Deterministic, and the same program whatever it is printed with.
run 0 "$BUILD/randprog" 17 3
cp out three.c
run 0 "$BUILD/randprog" 17 3
cp out out3
run 0 cmp out3 three.c
run 0 "$BUILD/randprog" 18
sed -n '/^#line 1 "p18.c"/,/^#line/p' out | sed '$d' >alone
sed -n '/^#line 1 "p18.c"/,/^#line/p' three.c | sed '$d' >among
run 0 cmp alone among
run 2 "$BUILD/randprog" --features=? 1
run 2 "$BUILD/judge" --nonsense

# At most half a minute on two cores.
run 0 "$BUILD/judge" --seed=1 --count=300 --batch=150 --seconds=50 --everett="$EVERETT"
has out '^judge: [1-9][0-9]* programs agree, [0-9]* thrown away, 0 mismatches'

# Two of the mutants; `make judge-mutants` tries them all.
run 0 env SECONDS_ALLOWED=600 "$TOP/tests/judge/mutants.sh" fence-does-not-drain ra-no-from-reads
has out '^2 of 2 mutants noticed$'
finish
