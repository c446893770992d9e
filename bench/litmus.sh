#!/usr/bin/env bash
# Litmus tests at scale, in the form of paper 000's table 1: bench/litmus.sh [COUNT | FILE.litmus...]
#
# The generated tests (tools/litmus/cycles.c), or COUNT of them, or those of the files, are run under every model by every engine that is
# exhaustive for it. What a verdict should be does not come from Everett: the generator knows it from the axioms. As in the paper a search ends at
# the first finding. The table is on standard output and in litmus.md, its numbers in litmus.csv, both in OUT.
#
#   tests/s           by CPU time, of starting a checker for each test, too; compiling is told apart
#   us/execution      the same time for an execution, as the paper has it
#   exploring         microseconds for an execution alone: a part of the tests that are forbidden, which are explored to the end, is run again
#                     with many searches in one process, and the difference divided by the number of executions
#
# Environment: BUILD, EVERETT, OUT ($BUILD/bench-litmus). The exit status is 1 if a verdict is wrong.
set -u
# Addresses are the same in every run, as under the driver.
if [ -z "${LITMUS_FIXED:-}" ] && setarch -R true 2>/dev/null; then
	LITMUS_FIXED=1 exec setarch -R bash "$0" "$@"
fi
top=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
BUILD=${BUILD:-build}
[[ $BUILD == /* ]] || BUILD=$top/$BUILD
everett=${EVERETT:-$BUILD/everett}
out=${OUT:-$BUILD/bench-litmus}
export LC_ALL=C TIMEFORMAT='%3U %3S'
unset EVERETT_OPTIONS
pairs='sc/none sc/traces sc/rf sc/rvf tso/none tso/traces tso/rf pso/none pso/traces pso/rf ra/none ra/rf rc11/none rc11/rf'
mkdir -p "$out" || exit 2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail() {
	echo "litmus.sh: $*" >&2
	exit 2
}

# add_cpu NAME COMMAND...: add its CPU time, its children's included, to the variable NAME, in milliseconds.
add_cpu() {
	local -n total=$1
	local user system
	shift
	{ time "$@" 2>"$work/err"; } 2>"$work/time"
	read -r user system <"$work/time"
	total=$((total + 10#${user/./} + 10#${system/./}))
}

# The tests, dealt out to one program for 250 of them, so that each has some of all kinds.
write_tests() {
	local chunk
	case ${1:-} in
	*.litmus) cat "$@" ;;
	*) "$BUILD/litmus-cycles" "$@" | "$BUILD/litmus-define" ;;
	esac | grep -v -e '^[[:space:]]*#' -e '^[[:space:]]*$' >"$work/all" || fail "there are no tests"
	tests=$(wc -l <"$work/all")
	chunks=$(((tests + 249) / 250))
	(cd "$work" && split -n "r/$chunks" -d -a 3 --additional-suffix=.litmus all '')
	for chunk in "$work"/*.litmus; do
		chunk=${chunk%.litmus}
		awk -v list="$chunk.list" -f "$top/tools/litmus/convert.awk" "$chunk.litmus" >"$chunk.c" || fail "cannot read the tests"
	done
}

compile_tests() {
	local chunk
	for chunk in "$work"/*.c; do
		"$everett" cc -o "${chunk%.c}" "$chunk" || return
	done
}

# explore CHUNK PAIR REPEAT FILE NUMBER...: these tests, with what the checkers say in FILE.
explore() {
	local chunk=$1 pair=$2 repeat=$3 file=$4 number
	shift 4
	for number; do
		printf 'test\t%s\n' "${chunk##*/}.$number"
		EVERETT_CHECKER="fd=1 model=${pair%/*} engine=${pair#*/} races=0 simplify=0 timeout=7200 repeat=$repeat" "$chunk" "$number"
		printf 'status\t%s\n' $?
	done >>"$file" 2>&1
}

# How often a search is repeated, so that start-up is a small part of the whole.
repeats_of() {
	case $1 in
	ra/none) echo 10 ;;
	*/none) echo 3 ;;
	*) echo 50 ;;
	esac
}

# The tests of a chunk that a model forbids, or allows.
numbers_of() {
	awk -v model="$2" -v wanted="$3" '{ found = "forbidden"; for (i = 4; i <= NF; i++) if ($i == model) found = "allowed" }
		found == wanted { print $1 }' "$1.list"
}

# judge PAIR FILE: tests, wrong verdicts, executions, blocked ones, and the executions of forbidden tests in the sample; the wrong ones by
# name on standard error.
judge() {
	awk -F'\t' -v pair="$1" -v sampled="$sampled" '
	BEGIN { model = pair; sub(/\/.*/, "", model) }
	FILENAME ~ /\.list$/ {
		n = split($0, word, " ")
		key = FILENAME
		gsub(/.*\/|\.list$/, "", key)
		key = key "." word[1]
		name[key] = word[2]
		expected[key] = "forbidden"
		for (i = 4; i <= n; i++)
			if (word[i] == model)
				expected[key] = "allowed"
		next
	}
	$1 == "test" { key = $2; findings = complete = executions = blocked = 0; kind = error = "" }
	$1 == "finding" { findings++; kind = $2 }
	$1 == "error" { error = $2 }
	$1 == "done" { complete = $2; executions = $4; blocked = $5 }
	$1 == "status" {
		verdict = "exit status " $2 " " error
		if ($2 == 0 && complete && !findings)
			verdict = "forbidden"
		else if ($2 == 1 && findings == 1 && kind == "assertion")
			verdict = "allowed"
		if (verdict != expected[key] && ++wrong <= 20)
			print "WRONG " name[key] " " pair ": " verdict "; expected: " expected[key] >"/dev/stderr"
		tests++
		all += executions
		stuck += blocked
		if (expected[key] == "forbidden" && substr(key, 1, 3) + 0 < sampled)
			again += executions
	}
	END { print tests + 0, wrong + 0, all + 0, stuck + 0, again + 0 }' "$work"/*.list "$2"
}

# run_pair MODEL/ENGINE: a line of the CSV file.
run_pair() {
	local pair=$1 chunk run=0 once=0 often=0 repeats sample=0 numbers counts
	repeats=$(repeats_of "$pair")
	: >"$work/said"
	for chunk in "$work"/*.c; do
		chunk=${chunk%.c}
		mapfile -t numbers < <(numbers_of "$chunk" "${pair%/*}" forbidden)
		if [ $sample -lt $sampled ]; then
			add_cpu once explore "$chunk" "$pair" 1 "$work/said" "${numbers[@]}"
			add_cpu often explore "$chunk" "$pair" "$repeats" /dev/null "${numbers[@]}"
		else
			add_cpu run explore "$chunk" "$pair" 1 "$work/said" "${numbers[@]}"
		fi
		mapfile -t numbers < <(numbers_of "$chunk" "${pair%/*}" allowed)
		add_cpu run explore "$chunk" "$pair" 1 "$work/said" "${numbers[@]}"
		sample=$((sample + 1))
	done
	cpu=$((cpu + run + often + once))
	read -ra counts < <(judge "$pair" "$work/said")
	[ "${counts[0]}" = "$tests" ] || fail "$pair: ${counts[0]} results of $tests"
	wrong=$((wrong + counts[1]))
	row Everett "$pair" "${counts[@]:0:4}" "$((run + once))" \
		"$(awk -v more=$((often - once)) -v n="${counts[4]}" -v r="$repeats" 'BEGIN { if (n) printf "%.2f", 1000 * more / n / (r - 1) }')"
}

# row TOOL PAIR TESTS WRONG EXECUTIONS BLOCKED MILLISECONDS EXPLORING
row() {
	awk -v tool="$1" -v pair="$2" -v tests="$3" -v wrong="$4" -v executions="$5" -v blocked="$6" -v ms="$7" -v exploring="$8" 'BEGIN {
		printf "%s,%s,%d,%d,%d,%s,%.1f,%.2f,%.0f,%.1f,%s\n", tool, pair, wrong, tests, executions, blocked, executions / tests, ms / 1000,
			(ms ? 1000 * tests / ms : 0), (executions ? 1000 * ms / executions : 0), exploring
	}' >>"$out/litmus.csv"
}

# Its 8064 tests are others, from Alglave et al. 2014, on a machine of 2012.
paper_rows() {
	row CDSChecker ra 8064 0 2383704 '' 388000 ''
	row RCMC/RC11 ra 8064 0 727942 '' 840000 ''
	row RCMC/WRC11 ra 8064 81 668574 '' 735000 ''
	row Tracer ra 8064 0 521288 '' 183000 ''
}

text_table() {
	awk -F, '{ printf "%-10s  %-12s %5s %6s %11s %7s %15s %8s %8s %13s %9s\n", $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11 }' "$out/litmus.csv"
}

markdown_table() {
	awk -F, '{ print "| " $1 " | " $2 " | " $3 " | " $4 " | " $5 " | " $6 " | " $7 " | " $8 " | " $9 " | " $10 " | " $11 " |" }
		NR == 1 { print "|---|---|---|---|---|---|---|---|---|---|---|" }' "$out/litmus.csv"
}

closing_lines() {
	awk -v tests="$tests" -v cpu=$cpu -v compiling=$compiling 'BEGIN {
		printf "%d tests; %.0f s of CPU, %.0f s of it (%.0f %%) for compiling, which the table leaves out\n", tests, (cpu + compiling) / 1000,
			compiling / 1000, 100 * compiling / (cpu + compiling)
	}'
	echo "the last rows are of paper 000, table 1: other tests, another machine"
	echo "$wrong wrong verdicts"
}

cpu=0 compiling=0 wrong=0
write_tests "$@"
sampled=$(((chunks + 3) / 4))
add_cpu compiling compile_tests
[ ! -s "$work/err" ] || fail "cannot compile: $(head -n 3 "$work/err")"
echo 'tool,model/engine,wrong,tests,executions,blocked,executions/test,CPU s,tests/s,us/execution,exploring' >"$out/litmus.csv"
for pair in $pairs; do
	run_pair "$pair"
done
paper_rows
closing_lines >"$work/closing"
{
	echo "# Litmus tests"
	echo
	echo "$("$everett" --version | head -n 1), $(date -u +%F), $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1)"
	echo
	markdown_table
	echo
	sed 's/$/  /' "$work/closing"
} >"$out/litmus.md"
text_table
cat "$work/closing"
[ $wrong = 0 ]
