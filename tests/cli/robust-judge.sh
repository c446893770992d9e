#!/bin/bash
# set: long
# Random programs: robust is exactly what has the same classes as under SC. Under TSO and PSO these are Shasha-Snir traces; under models
# that leave the order of writes open, reads-from traces. The classes are told by --classes of engine `none`, which knows nothing of
# cycles; --check compares the test for cycles with the axioms in every execution, every interleaving that is found with the sources
# of the reads, and every cycle that is reported with the relations that it is made of.
#
# MODELS: those to judge (default: all). COUNT: how many programs of each kind, at most (default: as below).
. "$(dirname "$0")/lib.bash"

declare -A verdicts
# The same addresses in every run, as under the driver.
fixed=$(setarch -R true 2>/dev/null && echo setarch -R)

checker() {
	EVERETT_CHECKER="fd=1 simplify=0 $1" $fixed ./programs "$2" 0 "$3" 2>err
}

# Reads-from classes without fences, which are events under some models and not under others, and without accesses to memory that is not
# in the file `known`, of which the weak model has no events because it is always ordered. The others are numbered anew.
cat >sources.awk <<'END_OF_AWK'
function left_out(event, words) {
	split(event, words, /[@<=]/)
	return words[1] == "fence" || (words[2] != "0" && !(words[2] in addresses))
}
FILENAME == "known" { addresses[$1]; next }
$1 == "rf" {
	n = split(substr($0, index($0, $3)), threads, ";")
	for (t = 1; t <= n; t++) {
		m = split(threads[t], events, " ")
		k = 0
		for (i = 2; i <= m; i++)
			if (!left_out(events[i]))
				number[substr(events[1], 1, length(events[1]) - 1) "#" (i - 2)] = k++
	}
	line = ""
	for (t = 1; t <= n; t++) {
		m = split(threads[t], events, " ")
		if (m)
			line = line " " events[1]
		for (i = 2; i <= m; i++) {
			if (left_out(events[i]))
				continue
			parts = split(events[i], sources, "<")
			line = line " " sources[1]
			for (s = 2; s <= parts; s++) {
				thread = sources[s]
				sub(/#.*/, "", thread)
				line = line "<" (thread == "init" ? thread : thread "#" number[sources[s]])
			}
		}
		line = line ";"
	}
	seen[line]
}
END { for (line in seen) print line }
END_OF_AWK

# explore MODEL PROGRAM FENCES: its classes are in the file MODEL.classes; false if there are too many executions.
explore() {
	checker "engine=none model=$1 keep-going=1 races=0 erase=0 max-executions=20000 classes-fd=2" "$2" "$3" >found
	awk '$1 == "restart" { n = 0; next } { line[n++] = $0 } END { for (i = 0; i < n; i++) print line[i] }' err >"$1.classes"
	awk -F '\t' '$1 == "classes" { print $2, $6 }' found >"$1.traces"
	grep -q '^done	1	' found
}

# Models that leave the order of writes open have plain accesses in pieces where sizes are mixed, and SC has not: such classes cannot be
# compared. Only then are there addresses that are no multiples of 4.
is_mixed() {
	grep -q '[1235679abdef]$' known
}

# same_classes KIND MODEL: as under SC, of the program that was explored last.
same_classes() {
	if [ "$1" = traces ]; then
		cmp -s sc.traces "$2.traces"
	else
		awk -f sources.awk known sc.classes | sort >sc.set
		awk -f sources.awk known "$2.classes" | sort >weak.set
		[ -s sc.set ] && [ -s weak.set ] || fail "$programs: no classes"
		cmp -s sc.set weak.set
	fi
}

kind_of() {
	case $1 in
	tso | pso) echo traces ;;
	*) echo sources ;;
	esac
}

# judge MODEL FENCES PROGRAM WANT OPTIONS: robust or not.
judge() {
	local got
	checker "model=$1 robust=1 check=1 $5" "$3" "$2" >out
	got=$?
	# Nothing is verified where every execution is blocked, but then nothing was found either.
	[ $got != 3 ] || ! grep -q '^done	1		0	[1-9]' out || got=0
	[ $got = "$4" ] || fail "$programs, program $3, $1, fences $2, $5: status $got, not $4: $(tail -n 1 out)"
	[ $got = 0 ] || grep -q '^finding	not-robust	' out || fail "$programs, program $3, $1, $5: no witness"
}

# compare "MODELS" FENCES PROGRAM...: these of ./programs, with or without more fences.
compare() {
	local i model kind want fences=$2 models=$1 engine
	shift 2
	[[ $models == *[a-z]* ]] || return
	for i; do
		explore sc "$i" "$fences" || continue
		for model in $models; do
			explore "$model" "$i" "$fences" || continue
			kind=$(kind_of "$model")
			engine=engine=none
			if [ "$kind" = sources ]; then
				sed -n '/^rf /{s/ fence@1[^ ;]*//g;s/@/\n@/g;p}' "$model.classes" | sed -n 's/^@\([0-9a-f]*\).*/\1/p' | sort -u >known
				! is_mixed || continue
				# The engine that has one execution for each such class is judged, too.
				engine=engine=rf
			fi
			want=0
			same_classes "$kind" "$model" || want=1
			verdicts[$model$fences$want]=$((${verdicts[$model$fences$want]:-0} + 1))
			judge "$model" "$fences" "$i" $want engine=none
			[ "$kind" = traces ] || judge "$model" "$fences" "$i" $want $engine
			judge "$model" "$fences" "$i" $want "$engine keep-going=1"
		done
	done
}

# make_programs FEATURES SEED COUNT: ./programs
make_programs() {
	programs="randprog $1 $2"
	# shellcheck disable=SC2086 # words
	"$BUILD/randprog" $1 "$2" "$3" >programs.c
	"$EVERETT" check -m sc --keep ./programs -q --max-executions 1 programs.c >out 2>err
}

# first N PROGRAM...: not more of them than COUNT.
first() {
	local n=$1
	shift
	[ "${COUNT:-$n}" -ge "$n" ] || n=$COUNT
	[ "$n" -ge $# ] || set -- "${@:1:n}"
	echo "$@"
}

# at_least NUMBER MODEL FENCES VERDICT WHAT
at_least() {
	[ -n "${COUNT-}" ] || [ "${verdicts[$2$3$4]:-0}" -ge "$1" ] || fail "few $5 under $2: ${verdicts[$2$3$4]:-0}"
}

models=${MODELS:-tso pso ra rc11}
buffered=$(for m in $models; do [ "$(kind_of "$m")" != traces ] || echo "$m"; done)
open=$(for m in $models; do [ "$(kind_of "$m")" = traces ] || echo "$m"; done)

make_programs --features=rwfuniac 1000 150
# shellcheck disable=SC2046 # words
compare "$models" 0 $(first 150 $(seq 0 149))
# shellcheck disable=SC2046
compare "$buffered" 1 $(first 20 $(seq 0 19))
# Both answers were asked for; with a barrier after every store, or after every event, there is only one.
for m in $buffered; do
	at_least 50 "$m" 0 0 "robust programs"
	at_least 5 "$m" 0 1 "programs that are not robust"
	at_least 5 "$m" 1 0 "programs with barriers"
	[ "${verdicts[${m}11]:-0}" = 0 ] || fail "barriers do not make programs robust against $m"
done
# shellcheck disable=SC2046
compare "$open" 3 $(first 40 $(seq 0 39))
for m in $open; do
	at_least 20 "$m" 0 0 "robust programs"
	at_least 5 "$m" 0 1 "programs that are not robust"
	at_least 5 "$m" 3 0 "programs with fences everywhere"
	[ "${verdicts[${m}31]:-0}" = 0 ] || fail "fences do not make programs robust against $m"
done

# Main is one of the racing threads: it makes events of its own between creating and joining the others. Such a program has no role 0 but in main.
verdicts=()
make_programs --features=rwfuniacsp 2000 800
mains=$(for ((i = 0; i < 800; i++)); do grep -q "role_$((2000 + i))_0(" programs.c || echo $i; done)
# shellcheck disable=SC2046,SC2086
compare "$models" 0 $(first 800 $mains)
for m in $models; do
	at_least 50 "$m" 0 0 "robust programs with main"
	at_least 7 "$m" 0 1 "programs with main that are not robust"
done

# Locks, of which a failed trylock may have read an old one; choices; loops that wait; memory that is freed; what is made of locks;
# accesses of all orders.
verdicts=()
for what in --features=rwlthia '--flavour=await --features=rwuc' '--flavour=free --features=rwua' '--flavour=sync --features=rw' \
	'--flavour=race --features=rwfu'; do
	[ -n "$open" ] || break
	make_programs "$what" 3000 60
	among=$open
	# Under rc11 there is no event where an access comes after a free that happens before it; under SC there is.
	[[ $what != *free* ]] || among=${open/rc11/}
	# shellcheck disable=SC2046
	compare "$among" 0 $(first 60 $(seq 0 59))
done
for m in $open; do
	at_least 50 "$m" 0 0 "robust programs with locks, loops and blocks"
	at_least 10 "$m" 0 1 "programs with locks, loops and blocks that are not robust"
done
[ -z "${VERBOSE-}" ] || declare -p verdicts
finish
