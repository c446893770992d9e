#!/bin/bash
# Programs whose threads wait (bench/waits) are explored completely without --unroll, under every model and engine: the correct
# versions are verified, the broken ones have the findings that their first lines state.
. "$(dirname "$0")/lib.bash"
folder=$TOP/bench/waits
limit='--max-executions 20000' # many times what is needed: a search that does not end stops here

# The numbers of executions, counted independently of Everett.
run 0 "$folder/count.py" --check
run 0 "$folder/count.py"
cmp out "$folder/expected" || fail "bench/waits/expected is not what count.py prints"

# verified PROGRAM N OPTIONS...: every pair of model and engine says ok.
verified()
{
	local pair program=$1 n=$2 pairs='sc/rf tso/rf pso/rf ra/rf sc/traces tso/traces pso/traces'
	shift 2
	run 0 "$EVERETT" cc "-DN=$n" "$@" -o checker "$folder/$program.c"
	run 0 "$EVERETT" run -q $limit -m sc,tso,pso,ra -e rf --json rf.json checker
	mv err summary
	run 0 "$EVERETT" run -q $limit -m sc,tso,pso -e traces --json traces.json checker
	cat err >>summary
	last="$program($n) $*"
	for pair in $pairs; do
		has summary "^everett: $pair: ok, .*, complete ("
	done
}

# counted PROGRAM N: as many executions as expected, none of them blocked.
counted()
{
	local want got
	verified "$1" "$2"
	want=$(awk -v program="$1" -v n="$2" '$1 == program && $2 == n { print $3 }' "$folder/expected")
	for got in $(jq -r '.results[] | "\(.model)/\(.equivalence):\(.executions)+\(.blocked)"' rf.json traces.json); do
		[ "${got#*:}" = "$want+0" ] || fail "$1($2): ${got%:*}: ${got#*:} executions + blocked, not $want+0"
	done
}

for program in tas ttas cas ticket mcs clh anderson barrier; do
	counted $program 2
	counted $program 3
done
counted ttas 4
counted ticket 5
counted mcs 4
counted barrier 6

for program in flag rwlock seqlock filter bakery treiber msqueue trywait trylock twolocks pool pointer lockpoll; do
	verified $program 2
	verified $program 3
done
verified peterson 2
verified dekker 2
verified backoff 2
verified cas 3 -DWEAK
verified clh 2 -DROUNDS=2
verified barrier 2 -DROUNDS=2

# broken PROGRAM STATED OPTIONS...: with --keep-going, the findings under each model are of the kinds that are stated.
broken()
{
	local program=$1 stated=$2 clause model got
	shift 2
	run 1 "$EVERETT" check -q -k $limit -m sc,tso,pso,ra --json broken.json "$@" "$folder/$program.c"
	last="$program $*"
	while read -r clause; do
		for model in ${clause#* under }; do
			got=$(jq -r --arg model "$model" '.results[] | select(.model == $model) | [.findings[].kind] | unique |
				if . == [] then "none" else join(", ") end' broken.json)
			[ "$got" = "${clause% under *}" ] || fail "$last: $model: $got, not ${clause% under *}"
		done
	done <<<"${stated//; /$'\n'}"
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
finish
