#!/bin/bash
# Run the tests and count them: tests/run.sh [--core | --quick | --all] [--list] [-v] [PART]
#
#   unit/test_X        a cmocka program, $BUILD/unit/test_X, made from tests/unit/test_X.c; each of its tests counts
#   lint/X             tools/lint.sh X
#   litmus/X.c, programs/X.c, findings/X.c
#                      a C file whose first lines are its contract (tests/README.md); each model/engine it lists counts
#   litmus/X.litmus    litmus tests, judged under all models (tools/litmus); each test and model counts
#   litmus/cycles      200 of the generated ones
#   odd/X.odd          many short C files, each with the class of result that it must have (tests/odd.sh); each counts
#   fuzz/X             the corpus of a fuzz target, $BUILD/fuzz/X, made from tests/fuzz/X.c
#   cli/X.sh           a script that runs in an empty folder of its own, with $EVERETT and $TOP (absolute); 0 is success
#
# PART selects the tests with PART in their name. A test says "set: slow" to be left out of --quick, "set: long" to be
# run by --all only. Environment: BUILD, EVERETT, JOBS, RUNNER (a command before each unit test, such as qemu-aarch64),
# UNITS (the unit tests that this build has; all, if not set), TALLY (a file for the two numbers), TIMES (a file for the
# CPU time of each test, user and system). Every test that is
# selected ends as passed or failed; there is no third way.
set -u
TOP=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
BUILD=${BUILD:-build}
[[ $BUILD == /* ]] || BUILD=$TOP/$BUILD
EVERETT=${EVERETT:-$BUILD/everett}
LIMIT=${LIMIT:-7200} # seconds for one run of anything: what takes so long hangs, however busy the machine is
export TOP BUILD EVERETT LIMIT LC_ALL=C
# In sanitized builds: what the driver leaves to exit() is no leak, and coroutines have stacks of their own.
export ASAN_OPTIONS=${ASAN_OPTIONS:-detect_leaks=0:detect_stack_use_after_return=0} UBSAN_OPTIONS=print_stacktrace=1
unset EVERETT_OPTIONS NO_COLOR CLICOLOR_FORCE MAKEFLAGS MAKELEVEL

. "$TOP/tests/odd.sh"

# --- one test: ok NAME, or fail NAME with the reason on standard input

ok() {
	echo "ok $1"
}

fail() {
	echo "FAIL $1"
	sed 's/^/    /'
}

run_unit() {
	local name=$1 source=$TOP/tests/unit/$1.c program=$BUILD/unit/$1 planned=0 seen=0 line status out=$SCRATCH/tap
	if [ ! -x "$program" ] || [ "$source" -nt "$program" ]; then
		fail "unit/$name" <<<"$program is missing or older than its source"
		return
	fi
	CMOCKA_MESSAGE_OUTPUT=TAP timeout "$LIMIT" ${RUNNER:-} "$program" >"$out" 2>&1
	status=$?
	while IFS= read -r line; do
		if [[ $line =~ ^1\.\.([0-9]+)$ ]]; then
			planned=$((planned + BASH_REMATCH[1]))
		elif [[ $line =~ ^ok\ [0-9]+\ -\ (.*)$ ]]; then
			seen=$((seen + 1))
			ok "unit/$name ${BASH_REMATCH[1]}"
		elif [[ $line =~ ^not\ ok\ [0-9]+\ -\ (.*)$ ]]; then
			seen=$((seen + 1))
			fail "unit/$name ${BASH_REMATCH[1]}" <"$out"
		fi
	done <"$out"
	if [ $planned = 0 ] || [ $seen != $planned ]; then
		fail "unit/$name" < <(echo "planned $planned tests, ran $seen, exit status $status" && tail -n 20 "$out")
	elif [ $status != 0 ] && ! grep -q '^not ok' "$out"; then
		fail "unit/$name" < <(echo "exit status $status" && tail -n 20 "$out")
	fi
}

run_lint() {
	if "$TOP/tools/lint.sh" "$1" >"$SCRATCH/out" 2>&1; then
		ok "lint/$1"
	else
		fail "lint/$1" <"$SCRATCH/out"
	fi
}

# The corpus of a fuzz target, without a fuzzer.
run_fuzz() {
	if [ ! -x "$BUILD/fuzz/$1" ]; then
		fail "fuzz/$1" <<<"$BUILD/fuzz/$1 is missing"
	elif timeout "$LIMIT" "$BUILD/fuzz/$1" "$TOP/tests/fuzz/corpus/$1"/* >"$SCRATCH/out" 2>&1; then
		ok "fuzz/$1"
	else
		fail "fuzz/$1" <"$SCRATCH/out"
	fi
}

run_cli() {
	local status
	mkdir "$SCRATCH/cwd"
	(cd "$SCRATCH/cwd" && env -u CC timeout "$LIMIT" bash "$TOP/tests/cli/$1") >"$SCRATCH/out" 2>&1 </dev/null
	status=$?
	if [ $status = 0 ]; then
		ok "cli/$1"
	elif [ $status = 77 ]; then
		echo "SKIP cli/$1"
		tail -n 1 "$SCRATCH/out" | sed 's/^/    /'
	else
		fail "cli/$1" < <(echo "exit status $status" && tail -n 40 "$SCRATCH/out")
	fi
}

# The judge prints the same lines as we do.
run_litmus() {
	local file=$TOP/tests/litmus/$1 out=$SCRATCH/judged
	if [ "$1" = cycles ]; then
		file=$SCRATCH/cycles.litmus
		"$BUILD/litmus-cycles" 200 | "$BUILD/litmus-define" >"$file"
	fi
	timeout "$LIMIT" "$TOP/tools/litmus/judge.sh" $([ "$1" = cycles ] || echo --check) "$file" 2>&1 |
		sed -E "s,^(ok|FAIL) ,\\1 litmus/${1%.litmus} ," >"$out"
	[ "${PIPESTATUS[0]}" = 0 ] || grep -q '^FAIL ' "$out" || fail "litmus/$1" <"$out"
	cat "$out"
}

run_one() {
	SCRATCH=$(mktemp -d)
	case $1 in
	unit/*) run_unit "${1#unit/}" ;;
	lint/*) run_lint "${1#lint/}" ;;
	cli/*) run_cli "${1#cli/}" ;;
	fuzz/*) run_fuzz "${1#fuzz/}" ;;
	odd/*) run_odd "${1#odd/}" ;;
	litmus/*.litmus | litmus/cycles) run_litmus "${1#litmus/}" ;;
	*) python3 -I "$TOP/tests/contract.py" "$1" ;;
	esac
	rm -rf "$SCRATCH"
}

# --- all of them

list_tests() {
	local file
	cd "$TOP/tests" || exit 1
	for file in ${UNITS:-unit/test_*.c}; do
		file=unit/$(basename "$file" .c)
		[ -e "$file.c" ] && echo "$file"
	done
	[ -n "${RUNNER:-}" ] && return
	printf 'lint/%s\n' $("$TOP/tools/lint.sh" --list)
	printf 'fuzz/%s\n' $(ls fuzz/corpus)
	printf '%s\n' litmus/*.litmus litmus/cycles
	# The core has one contract of twelve.
	if [ "$which" = core ]; then
		selected $(find litmus programs findings -name '*.c' | sort) | awk 'NR % 12 == 1'
		return
	fi
	selected cli/*.sh
	[ "$which" = quick ] || printf '%s\n' odd/*.odd
	selected $(find litmus programs findings -name '*.c' | sort)
}

# selected FILE...: those that are in the set of tests that was asked for, and no part of another. A part whose owner does not
# name it would be compiled by nobody: it is selected, and fails as a test.
selected() {
	awk -v which="$which" '
		function is_named(part, owner, line, found) {
			sub(/.*\//, "", part)
			while (!found && (getline line <owner) > 0)
				found = line ~ /^\/\/ everett:/ && index(line, part)
			close(owner)
			return found
		}
		function tell(folder) {
			folder = file
			sub(/[^\/]*$/, "", folder)
			if (file && !(set == "slow" && (which == "quick" || which == "core")) && !(set == "long" && which != "all") && !(owner && is_named(file, folder owner)))
				print file
		}
		FNR == 1 { tell(); file = FILENAME; set = owner = "" }
		FNR > 20 { nextfile }
		sub(/^(\/\/|#) set: */, "") { set = $1 }
		sub(/^\/\/ part-of: */, "") { owner = $1 }
		END { tell() }' "$@"
}

if [ "${1:-}" = --one ]; then
	run_one "$2" >"$3/new.$$" 2>&1
	times >"$3/times.$$"
	[ -z "${TIMES:-}" ] || echo "$(tail -n 1 "$3/times.$$") $2" >>"$TIMES"
	echo end >>"$3/new.$$"
	mv "$3/new.$$" "$3/${2//\//,}"
	[ -z "${VERBOSE:-}" ] || grep '^ok ' "$3/${2//\//,}"
	grep -vE '^(ok |end$)' "$3/${2//\//,}"
	exit 0
fi

which=check list= part=
for argument; do
	case $argument in
	--core | --quick | --all) which=${argument#--} ;;
	--list) list=1 ;;
	-v) export VERBOSE=1 ;;
	-*)
		echo "run.sh: unknown option '$argument'" >&2
		exit 2
		;;
	*) part=$argument ;;
	esac
	shift
done

tests=$(list_tests | grep -F -- "$part")
if [ -n "$list" ]; then
	echo "$tests"
	exit 0
fi

RESULTS=$(mktemp -d)
trap 'rm -rf "$RESULTS"' EXIT
[ -z "$tests" ] || xargs -d '\n' -P "${JOBS:-$(nproc)}" -I{} bash "${BASH_SOURCE[0]}" --one {} "$RESULTS" <<<"$tests"

# count_results: the tests' names on standard input; prints how many checks have passed, failed, were skipped. A test that was cut
# short, or that counted nothing, has failed.
count_results() {
	local test
	while IFS= read -r test; do
		echo "begin $test"
		cat "$RESULTS/${test//\//,}" 2>/dev/null
	done | awk '
		function tell() {
			if (test && (!whole || p + f + s == 0)) {
				print "FAIL " test "\n    did not run to its end" >"/dev/fd/3"
				f++
			}
			passed += p; failed += f; skipped += s
			p = f = s = whole = 0
		}
		/^begin / { tell(); test = $2 }
		/^ok / { p++ }
		/^FAIL / { f++ }
		/^SKIP / { s++ }
		{ whole = $0 == "end" }
		END { tell(); print passed + 0, failed + 0, skipped + 0 }'
}

exec 3>&1
read -r passed failed skipped < <([ -z "$tests" ] || count_results <<<"$tests")
: "${passed:=0}" "${failed:=0}" "${skipped:=0}"
[ -z "${TALLY:-}" ] || echo "$passed $failed" >"$TALLY"
if [ $skipped = 0 ]; then echo "$passed passed, $failed failed"; else echo "$passed passed, $failed failed, $skipped skipped"; fi
[ $failed = 0 ] && [ $passed -gt 0 ]
