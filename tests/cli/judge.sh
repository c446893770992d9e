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

# Flavours have what they are named for, and nobody else does.
for word in 'AT(' 'free(' 'while (' 'sem_' 'pthread_cond' '_atomic_begin' 'volatile'; do
	hasnot three.c "$word"
done
for flavour in 'mixed AT(uint' 'free free(h' 'fault abort()' 'await while (.* [!=]= ' 'sync pthread_cond_wait(' 'section _atomic_begin()' 'race volatile' 'c11 __ATOMIC_CONSUME'; do
	run 0 "$BUILD/randprog" --flavour="${flavour%% *}" 17 20
	cp out flavoured.c
	has flavoured.c "${flavour#* }"
	run 0 "$EVERETT" cc -w flavoured.c -o flavoured -pthread
done
run 2 "$BUILD/randprog" --flavour=bitter 1
run 2 "$BUILD/judge" --flavour=bitter

# A quarter of a minute on two cores.
run 0 "$BUILD/judge" --seed=1 --count=60 --batch=60 --everett="$EVERETT"
has out '^judge: [1-9][0-9]* programs agree, [0-9]* thrown away, 0 mismatches'

# The machine does what the compiled programs do: as many executions of each.
run 0 "$BUILD/judge" --engine=rf --model=sc,ra --seed=1 --count=60 --batch=60 --everett="$EVERETT"
sed 's/ interpreted;.*//' out >compiled
run 0 "$BUILD/judge" --machine --engine=rf --model=sc,ra --seed=1 --count=60 --everett="$EVERETT"
sed 's/ interpreted;.*//' out >carried
run 0 cmp compiled carried
run 2 "$BUILD/judge" --machine
run 2 "$BUILD/judge" --machine --engine=rf --flavour=fault
run 0 "$BUILD/judge" --machine --flavour=c11 --definition --classes --engine=rf --seed=5000 --count=300 --everett="$EVERETT"
has out '^judge: [1-9][0-9]* programs agree, [0-9]* thrown away, 0 mismatches'

# Searches that are divided among two workers, which give branches away all the time.
run 0 "$BUILD/judge" --machine --divided --engine=rf --seed=1 --count=100 --everett="$EVERETT"
has out '^judge: 100 programs agree, 0 thrown away, 0 mismatches'
run 0 "$BUILD/judge" --divided --engine=rf --flavour=mixed --features=rwuc --seed=1 --count=40 --batch=40 --everett="$EVERETT"
has out '^judge: 40 programs agree, 0 thrown away, 0 mismatches'

# A few seconds for a flavour.
for what in 'mixed --count=40' 'await --count=15'; do
	run 0 "$BUILD/judge" --flavour=$what --seed=1 --batch=60 --everett="$EVERETT"
	has out '^judge: [1-9][0-9]* programs agree, [0-9]* thrown away, 0 mismatches'
done

# Brute force with bounded loops finds what the interpreter of loops does.
run 0 "$BUILD/judge" --flavour=await --unroll=7 --seed=1000 --count=12 --batch=12 --limit=5000 --everett="$EVERETT"
has out '^judge: [1-9][0-9]* programs agree, [0-9]* thrown away, 0 mismatches'
run 2 "$BUILD/judge" --unroll=7

# What threads wait for has the meaning that it should have, and engines agree on it.
run 0 "$BUILD/judge" --flavour=sync --seed=1 --count=30 --batch=30 --everett="$EVERETT"
has out '^judge: [1-9][0-9]* programs agree, [0-9]* thrown away, 0 mismatches'
run 0 "$BUILD/judge" --flavour=sync --engine=rf,rvf,traces --seed=1000 --count=30 --batch=30 --everett="$EVERETT"
has out '^judge: [1-9][0-9]* programs agree, [0-9]* thrown away, 0 mismatches'

# So have atomic sections.
run 0 "$BUILD/judge" --flavour=section --seed=1 --count=10 --batch=10 --everett="$EVERETT"
has out '^judge: [1-9][0-9]* programs agree, [0-9]* thrown away, 0 mismatches'
run 0 "$BUILD/judge" --flavour=section --engine=rf,rvf,traces --seed=1000 --count=20 --batch=20 --everett="$EVERETT"
has out '^judge: [1-9][0-9]* programs agree, [0-9]* thrown away, 0 mismatches'

# Programs that fault, or go wrong with freed memory: all that they do, and, of users' runs without -k, whether they do.
for what in 'free --verdicts --seed=1 --count=20' 'free --seed=1000 --count=20' 'fault --seed=1 --count=40'; do
	run 0 "$BUILD/judge" --engine=rf,rvf,traces --flavour=$what --everett="$EVERETT"
	has out '^judge: [1-9][0-9]* programs agree, [0-9]* thrown away, 0 mismatches'
done

# Data races: those of each execution are those of the definition, all engines find the same, and so does the interpreter.
run 0 "$BUILD/judge" --flavour=race --seed=1 --count=30 --batch=30 --everett="$EVERETT"
has out '^judge: [1-9][0-9]* programs agree, [0-9]* thrown away, 0 mismatches' ', [1-9][0-9]* interpreted;'

# Orders of C11: the definition of RC11 is that of SC and RA, too, and nothing that TSO and PSO do is forbidden.
run 0 "$BUILD/judge" --flavour=c11 --classes --seed=1 --count=25 --batch=25 --everett="$EVERETT"
has out '^judge: [1-9][0-9]* programs agree, [0-9]* thrown away, 0 mismatches' ', [1-9][0-9]* interpreted;'
run 0 "$BUILD/judge" --flavour=c11 --classes --engine=rf --model=sc,ra --seed=1000 --count=60 --batch=60 --everett="$EVERETT"
has out '^judge: [1-9][0-9]* programs agree, [0-9]* thrown away, 0 mismatches' ', [1-9][0-9]* interpreted;'
# RC11 itself: brute force against the definition, rf against brute force, and where all orders are alike, against SC and RA.
run 0 "$BUILD/judge" --flavour=c11 --classes --model=rc11 --seed=2000 --count=60 --batch=60 --everett="$EVERETT"
has out '^judge: [1-9][0-9]* programs agree, [0-9]* thrown away, 0 mismatches' '^judge: [1-9][0-9]* programs have the same classes'
run 0 "$BUILD/judge" --flavour=c11 --define-only --seed=1 --count=200
has out '^judge: 200 programs, [0-9] of them too large and [1-9][0-9]* racy, [1-9][0-9]* may wait for ever; '
run 2 "$BUILD/judge" --define-only
run 2 "$BUILD/judge" --flavour=race --classes
run 2 "$BUILD/judge" --flavour=race --release-sequences=c11

# Four of the mutants; `make judge-mutants` tries them all. Each is still a change of what there is.
run 0 env EXPRESSIONS=1 "$TOP/tests/judge/mutants.sh"
run 0 env SECONDS_ALLOWED= PROGRAMS=20000 "$TOP/tests/judge/mutants.sh" fence-does-not-drain ra-no-from-reads sync-once-is-twice race-four-at-once
has out '^4 of 4 mutants noticed$'
finish
