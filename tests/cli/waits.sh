#!/bin/bash
# Programs whose threads wait (bench/waits) are explored completely without --unroll, under every model and engine: the correct
# versions are verified, the broken ones have the findings that their first lines state.
# set: slow
. "$(dirname "$0")/lib.bash"
folder=$TOP/bench/waits
most=3000 # executions; a search that needs more than that does not end

# The numbers of executions, counted independently of Everett.
run 0 "$folder/count.py" --check
run 0 "$folder/count.py"
cmp out "$folder/expected" || fail "bench/waits/expected is not what count.py prints"

# verified PROGRAM N OPTIONS...: all seven pairs of model and engine say ok.
verified()
{
	local program=$1 n=$2
	shift 2
	run 0 "$EVERETT" cc "-DN=$n" "$@" -o checker "$folder/$program.c"
	run 0 "$EVERETT" run -q --max-executions $most -m sc,tso,pso,ra -e rf --json rf.json checker
	mv err summary
	run 0 "$EVERETT" run -q --max-executions $most -m sc,tso,pso -e traces --json traces.json checker
	cat err >>summary
	[ "$(grep -c '^everett: [a-z]*/[a-z]*: ok, .*, complete (' summary)" = 7 ] || fail "$program($n) $*: $(cat summary)"
}

# counted PROGRAM N: as many executions as expected, none of them blocked.
counted()
{
	local want got
	verified "$1" "$2"
	want=$(sed -n "s/^$1 $2 //p" "$folder/expected")
	got=$(jq -r '.results[] | "\(.model)/\(.equivalence) \(.executions)+\(.blocked)"' rf.json traces.json)
	[ "$(grep -c " $want+0$" <<<"$got")" = 7 ] || fail "$1($2): executions + blocked ones, not $want+0:"$'\n'"$got"
}

for program in tas ttas cas ticket mcs clh anderson barrier; do
	counted $program 2
	counted $program 3
done
counted ttas 4
counted ticket 5
counted mcs 4
counted barrier 6

for program in event flag rwlock seqlock treiber msqueue trywait trylock pool pointer lockpoll; do
	verified $program 2
	verified $program 3
done
verified filter 2
verified bakery 2
most=20000
verified filter 3
verified bakery 3
most=3000
verified peterson 2
verified dekker 2
verified backoff 2
verified backoff 3 -DLIMIT=2
verified cas 3 -DWEAK
verified clh 2 -DROUNDS=2
verified barrier 2 -DROUNDS=2

# broken PROGRAM STATED OPTIONS...: with --keep-going, the findings under each model are of the kinds that are stated.
broken()
{
	local program=$1 stated=$2 got
	shift 2
	run 1 "$EVERETT" check -q -k --max-executions $most -m sc,tso,pso,ra --json broken.json "$@" "$folder/$program.c"
	got=$(jq -r '[.results[] | { model, kinds: ([.findings[].kind] | unique | if . == [] then "none" else join(", ") end) }] | . as $all |
		reduce .[].kinds as $k ([]; if index($k) then . else . + [$k] end) |
		map(. as $k | "\($k) under \([$all[] | select(.kinds == $k).model] | join(" "))") | join("; ")' broken.json)
	[ "$got" = "$stated" ] || fail "$program $*: $got, not $stated"
}

# The first lines of a program: "-DBROKEN=1 OPTIONS: what is wrong", and then "finding: KINDS under MODELS; ...".
for file in "$folder"/*.c; do
	sed -n 's/^ \* \(-DBROKEN=[^:]*\): .*/options \1/p; s/^ \* finding: /finding /p' "$file" >variants
	[ -s variants ] || fail "$file: nothing is broken"
	while read -r word rest; do
		if [ "$word" = options ]; then
			options=$rest
		else
			broken "$(basename "$file" .c)" "$rest" $options
		fi
	done <variants
done

# What a round for nothing has read counts for robustness: this one has read y before the store to x has taken effect.
cat >round.c <<'END'
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x, y;
static void *waits(void *p)
{
	atomic_store_explicit(&x, 1, memory_order_relaxed);
	while (!atomic_load_explicit(&y, memory_order_relaxed))
		;
	return p;
}
static void *tells(void *p)
{
	atomic_store_explicit(&y, 1, memory_order_relaxed);
	return (void *)(long)atomic_load_explicit(&x, memory_order_relaxed) ? p : NULL;
}
int main(void)
{
	pthread_t a, b;
	pthread_create(&a, NULL, waits, NULL);
	pthread_create(&b, NULL, tells, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
}
END
run 1 "$EVERETT" robust -m tso round.c
has out not-robust
run 0 "$EVERETT" robust -m tso "$folder/tas.c"
for engine in rf none; do
	run 1 "$EVERETT" robust --check -m ra -e $engine round.c
	has out not-robust 'round.c:6 and round.c:7: a full fence'
	run 0 "$EVERETT" robust --check -m ra -e $engine "$folder/tas.c"
done
finish
