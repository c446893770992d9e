#!/bin/bash
# Coverage: the judge's random programs; programs whose dead code is known; threads, workers, models and files added up; and that nothing is said where nothing is to be said.
. "$(dirname "$0")/lib.bash"
CLANG_DIR=$(sed -n 's/^LLVM_BINDIR := //p' "$BUILD/config.mk")
export CLANG_DIR

python3 "$TOP/tests/coverage.py" "${PROGRAMS:-6}" >judged || fail "the judge: $(tail -n 20 judged)"

cat >sb.c <<'END'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include "half.h"

atomic_int x, y;
int a, b;

static void *left(void *unused)
{
	atomic_store_explicit(&x, 1, memory_order_relaxed);
	a = atomic_load_explicit(&y, memory_order_relaxed);
	return unused;
}

static void *right(void *unused)
{
	atomic_store_explicit(&y, 1, memory_order_relaxed);
	b = half(2 * atomic_load_explicit(&x, memory_order_relaxed));
	return unused;
}

int main(void)
{
	pthread_t t, u;
	pthread_create(&t, 0, left, 0);
	pthread_create(&u, 0, right, 0);
	pthread_join(t, 0);
	pthread_join(u, 0);
	assert(a + b < 3);
	if (!a && !b)
		other(1);
	if (a > 1)
		abort();
	return 0;
}
END
cat >half.h <<'END'
int other(int n);
static int half(int n)
{
	if (n < 0)
		return 0;
	return n / 2;
}
END
cat >other.c <<'END'
#include "half.h"
int other(int n)
{
	if (n)
		half(-1);
	return n;
}
END

# Under SC, both loads cannot read 0; under TSO they can, and then the other file reaches what this one does not.
run 0 "$EVERETT" check -m sc --coverage sc.info --json sc.json sb.c other.c
has err 'note: not executed: 6 of 23 lines, 5 of 10 branches: ./half.h:4 (true), 5, other.c:4-6, sb.c:32 (condition 2: false), 33, 34 (true), ...; --coverage FILE has all of them$'
run 0 "$EVERETT" check -m sc,tso --coverage tso.info --json tso.json --html tso.html sb.c other.c
has err 'note: not executed: 1 of 23 lines, 2 of 10 branches: other.c:4 (false), sb.c:34 (true), 35$'
tail -n 2 err >last
[ "$(grep -c '^everett: \(sc/rf\|tso/traces\): ok' last)" = 2 ] || fail "the summary is not the end: $(cat last)"
hasnot out 'not executed'

# The format: 1 and 0, and sums that are right.
cat >expected <<'END'
TN:
SF:./half.h
FN:2,half
FNDA:1,half
FNF:1
FNH:1
BRDA:4,0,0,0
BRDA:4,0,1,1
BRF:2
BRH:1
DA:4,1
DA:5,0
DA:6,1
DA:7,1
LF:4
LH:3
end_of_record
END
diff <(sed -n '1,/end_of_record/p' sc.info) expected || fail "lcov"
awk -F'[:,]' '
	/^SF/ { split("", n) }
	/^DA/ { n["LF"]++; n["LH"] += $3 }
	/^BRDA/ { n["BRF"]++; n["BRH"] += $5 == 1 }
	/^FNDA/ { n["FNF"]++; n["FNH"] += $2 }
	/^(LF|LH|BRF|BRH|FNF|FNH)/ { if ($2 != n[$1] + 0) { print "wrong: " $0; bad = 1 } sums++ }
	END { exit bad || sums != 18 }' tso.info || fail "sums of lcov"
grep -q '^BRDA:4,0,0,-$' sc.info || fail "a branch that was not reached has counts"
if command -v genhtml >/dev/null; then
	run 0 genhtml --branch-coverage -q -o pages tso.info
fi

# A saved result says the same.
run 0 "$EVERETT" report --coverage again.info tso.json
cmp tso.info again.info || fail "everett report"
has err 'note: not executed: 1 of 23 lines'
jq -e '[.results[].coverage.lines] == [{ all: 23, executed: 17 }, { all: 23, executed: 22 }]' tso.json >/dev/null || fail "models: $(jq -c '[.results[].coverage.lines]' tso.json)"

# As many processes as there are, however the search is divided.
for words in "-m tso -e traces -j 3" "-m tso -e traces -j 2 --restless" "-m tso -e none" "-m tso -e none --no-rollback" "-m tso -e rf -j 2 --check"; do
	# shellcheck disable=SC2086 # words
	run 0 "$EVERETT" check -q $words --json one.json sb.c other.c
	diff <(jq -S '.results[0].coverage' one.json) <(jq -S '.results[1].coverage' tso.json) || fail "$words: another coverage"
done
[ -s err ] && [ "$(wc -l <err)" = 1 ] || fail "-q says more than the summary"

# What was executed before a search was stopped counts when it goes on.
run 3 "$EVERETT" check -q -m tso --checkpoint saved --max-executions 1 --json first.json sb.c other.c
run 0 "$EVERETT" resume --json second.json saved
diff <(jq -S '.results[0].coverage' second.json) <(jq -S '.results[1].coverage' tso.json) || fail "resume: another coverage"

# A checker of everett cc; nothing is said where all was executed.
run 0 "$EVERETT" cc -w sb.c other.c -o checker
run 0 "$EVERETT" run -m sc,tso --coverage run.info ./checker
cmp tso.info run.info || fail "everett run"
printf 'int main(void)\n{\n\treturn 0;\n}\n' >all.c
run 0 "$EVERETT" check all.c
hasnot err 'not executed'

# Behind a call that does not return, and in a thread that never gets there.
cat >ends.c <<'END'
#include <everett.h>
#include <pthread.h>
#include <stdlib.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int n;
static void leave(void)
{
	if (n)
		exit(0);
	n++;
}
static void *stays(void *unused)
{
	pthread_mutex_lock(&m);
	n++;
	return unused;
}
int main(void)
{
	pthread_t t;
	pthread_mutex_lock(&m);
	pthread_create(&t, 0, stays, 0);
	leave();
	leave();
	n++;
	return 0;
}
END
run 0 "$EVERETT" check ends.c
has err 'not executed: 4 of 13 lines: ends.c:15-16, 25-26$'

# A search that stops at its first finding covers what it happens to.
sed 's/a + b < 3/a || b/' sb.c >fails.c
run 1 "$EVERETT" check -m tso --json fails.json fails.c other.c
hasnot err 'not executed'
jq -e '.results[0].coverage.lines.all == 23' fails.json >/dev/null || fail "no coverage of a finding"
run 1 "$EVERETT" check -k -m tso fails.c other.c
has err 'not executed'

# Headers of the system are not the program's, even where the compiler puts their code into it.
cat >inline.cpp <<'END'
#include <atomic>
template <class T> static T twice(T t)
{
	return t < 0 ? T() : t + t;
}
std::atomic<int> x;
int main()
{
	x.store(twice(2), std::memory_order_release);
	return x.load(std::memory_order_acquire) - twice(4l) + 4;
}
END
run 0 "$EVERETT" check -q -m sc --coverage cpp.info inline.cpp
[ "$(grep '^SF:' cpp.info)" = SF:inline.cpp ] || fail "headers: $(grep '^SF:' cpp.info)"
grep -q '^FNF:3$' cpp.info || fail "C++: $(grep '^FN' cpp.info)"

# What threads do natively, Everett has done.
gcc -w -O0 --coverage -pthread -o native sb.c other.c
for _ in $(seq 20); do ./native; done
gcov --json-format --stdout native-sb.gcda | jq -r '.files[] | select(.file == "sb.c") | .lines[] | select(.count > 0) | .line_number' | sort -n -u >did
[ "$(wc -l <did)" -ge 15 ] || fail "gcov: $(cat did)"
jq -r '.results[1].coverage.files[] | select(.file == "sb.c") | .lines.not_executed[]' tso.json | sort >not
[ -z "$(comm -12 <(sort did) not)" ] || fail "a native run executes what Everett does not: $(comm -12 <(sort did) not)"
finish
