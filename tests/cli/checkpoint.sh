#!/bin/bash
# Searches with several workers, checkpoints, and what resume, split and merge make of them: counts and findings are those of one undisturbed run.
# set: slow
. "$TOP/tests/cli/lib.bash"

# Three findings, which -k has all of.
cat >findings.c <<'END'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x, y;
static void *thread(void *p)
{
	int r = atomic_fetch_add_explicit(&x, 1, memory_order_relaxed), s = atomic_fetch_add(&y, 1);
	assert(!(r == 0 && s == 2));
	assert(!(r == 1 && s == 3));
	assert(!(r == 2 && s == 0));
	return p;
}
int main(void)
{
	pthread_t t[4];
	for (int i = 0; i < 4; i++)
		pthread_create(&t[i], NULL, thread, NULL);
	for (int i = 0; i < 4; i++)
		pthread_join(t[i], NULL);
	return 0;
}
END
# Read-modify-writes of sizes that overlap: some executions are dead ends, in which a thread stands still.
cat >sizes.c <<'END'
#include <pthread.h>
#include <stdint.h>
static _Alignas(4) uint8_t bytes[4];
#define AT(i) (*(uint16_t *)&bytes[i])
static void *low(void *p)
{
	__atomic_fetch_add(&AT(0), 0xff02, __ATOMIC_RELAXED);
	return p;
}
static void *middle(void *p)
{
	__atomic_load_n(&AT(1), __ATOMIC_RELAXED);
	__atomic_fetch_add(&AT(0), 0xff02, __ATOMIC_RELAXED);
	return p;
}
static void *high(void *p)
{
	__atomic_fetch_add(&AT(1), 1, __ATOMIC_RELAXED);
	return p;
}
int main(void)
{
	pthread_t t[4];
	pthread_create(&t[0], NULL, low, NULL);
	pthread_create(&t[1], NULL, middle, NULL);
	pthread_create(&t[2], NULL, high, NULL);
	pthread_create(&t[3], NULL, middle, NULL);
	for (int i = 0; i < 4; i++)
		pthread_join(t[i], NULL);
	return 0;
}
END
cp "$TOP/bench/papers/fib_bench.c" "$TOP/bench/papers/lastzero.c" "$TOP/bench/papers/papers.h" .
run 0 "$EVERETT" cc -w sizes.c -o sizes
run 0 "$EVERETT" cc findings.c -o findings
run 0 "$EVERETT" cc -DN=2 fib_bench.c -o fib2
run 0 "$EVERETT" cc -DN=3 fib_bench.c -o fib3
run 0 "$EVERETT" cc -DN=9 lastzero.c -o lastzero
# Threads that wait in loops: for a lock that works, for one that does not, and for a store that may not come.
run 0 "$EVERETT" cc -DN=4 "$TOP/bench/waits/ttas.c" -o ttas
run 0 "$EVERETT" cc -DN=3 -DBROKEN=1 "$TOP/bench/waits/ttas.c" -o broken

# What must be the same, whoever has explored it.
what()
{
	jq -c '.results[] | [.model, .equivalence, .verdict, .complete, .executions, .blocked, .truncated, .redundant, .events,
		([.findings[] | "\(.kind) \(.file):\(.line)"] | sort)]' "$1"
}

# same FILE: as in `expected`.
same()
{
	what "$1" >got
	cmp -s expected got && return
	fail "$last: not what one worker has:"
	diff expected got | sed 's/^/    /'
}

# ---- workers

for model in sc tso pso ra rc11; do
	for program in fib2 findings lastzero ttas broken sizes; do
		status=0
		[[ $program != @(findings|broken) ]] || status=1
		# RA and RC11 refuse atomic accesses that overlap.
		[ $program = sizes ] && [[ $model = r* ]] && continue
		run $status "$EVERETT" run -q -k -m $model -e rf -j 1 --json one.json ./$program
		what one.json >expected
		for jobs in "-j 2" "-j 3 --restless" "-j 1 --checkpoint c.json --restless"; do
			# shellcheck disable=SC2086 # words
			run $status "$EVERETT" run -q -k -m $model -e rf $jobs --json r.json ./$program
			same r.json
		done
	done
done
# Several models at once.
run 1 "$EVERETT" run -q -k -m all -j 1 --json one.json ./findings
what one.json >expected
run 1 "$EVERETT" run -q -k -m all -j 2 --json r.json ./findings
same r.json
# Without -k it is one of them.
run 1 "$EVERETT" run -q -m sc -j 3 --restless --json r.json ./findings
jq -e '.results[0] | .complete == false and (.findings | length) >= 1 and all(.findings[].line; IN(8, 9, 10))' r.json >/dev/null ||
	fail "$last: another finding"
# One worker, and a note.
run 0 "$EVERETT" run -m sc -e traces -j 2 ./ttas
has err 'note: one worker was used'
run 0 "$EVERETT" check -m sc -e rf -j 2 "$TOP/bench/waits/pointer.c"
has err 'note: one worker was used: a loop that waits reads private memory'

# ---- checkpoints

# stop ARGUMENT...: a checkpoint c.json of a search that a limit has stopped.
stop()
{
	rm -f c.json
	"$EVERETT" run -q -k -e rf --checkpoint c.json "$@" >out 2>err </dev/null
	last="run $*"
	jq -e '.checkpoint and (.results | all(.complete == false and (.rest.branches | length) > 0))' c.json >/dev/null ||
		fail "$last: not a search that was stopped"
}

for model in sc tso pso ra rc11; do
	for program in fib3 findings ttas sizes; do
		status=0
		[ $program = findings ] && status=1
		[ $program = sizes ] && [[ $model = r* ]] && continue
		run $status "$EVERETT" run -q -k -m $model -e rf --json one.json ./$program
		what one.json >expected
		stop -m $model -j 2 --max-executions 100 ./$program
		# A few at a time, and then the rest: the limit of the run that was stopped is not that of this one.
		"$EVERETT" resume -q --trust-report -j 3 --max-executions 50 c.json >out 2>err </dev/null
		run $status "$EVERETT" resume -q --trust-report --json r.json c.json
		same r.json
		same c.json
		# Once more: nothing is left, even if the last run was killed before it could say so.
		jq '.results[0].complete = false' c.json >killed.json
		run $status "$EVERETT" resume -q --trust-report --json r.json killed.json
		same r.json
		run $status "$EVERETT" resume -q --trust-report --json r.json c.json
		same r.json
	done
done
faults=$(jq -r --slurpfile schema "$TOP/docs/report.schema.json" -f "$TOP/tests/schema/validate.jq" c.json 2>&1)
[ -z "$faults" ] || fail "a checkpoint does not fit the schema: $faults"

# An event before which its thread stands still is part of a branch.
run 0 "$EVERETT" run -q -m sc -e rf --json one.json ./sizes
what one.json >expected
met=0
for limit in 20 40 60 80 100 120; do
	stop -m sc --max-executions $limit ./sizes
	jq -r '.results[0].rest.branches[]' c.json | grep -q '!' && met=$((met + 1))
	run 0 "$EVERETT" resume -q --trust-report -j 2 --json r.json c.json
	same r.json
done
[ $met -gt 0 ] || fail "no branch has an event that was not executed"

# All models in one file; those that had not begun are part of it.
run 1 "$EVERETT" run -q -k -m all --json one.json ./findings
what one.json >expected
stop -m all -j 2 --max-executions 60 ./findings
run 1 "$EVERETT" resume -q --trust-report --json r.json c.json
same r.json

# The sources are compiled again.
run 1 "$EVERETT" check -q -k -m sc --checkpoint c.json --max-executions 30 findings.c
run 1 "$EVERETT" resume -q --json r.json c.json
run 1 "$EVERETT" check -q -k -m sc --json one.json findings.c
what one.json >expected
same r.json

# After the first finding, -k goes on.
run 1 "$EVERETT" run -q -m sc --checkpoint c.json ./findings
run 1 "$EVERETT" resume -q -k --trust-report --json r.json c.json
same r.json

# SIGTERM. With --restless it takes a while; if it has ended before the signal comes, that is no fault.
run 0 "$EVERETT" run -q -m sc --json one.json ./fib3
what one.json >expected
for jobs in 1 2; do
	rm -f c.json
	"$EVERETT" run -q -m sc -j $jobs --restless --checkpoint c.json ./fib3 >out 2>err </dev/null &
	pid=$!
	until_exists c.json $pid
	sleep 0.2
	kill -TERM $pid 2>/dev/null
	wait $pid
	status=$?
	last="SIGTERM with $jobs workers"
	case $status in 0 | 3) ;; *) fail "$last: status $status"; cat err ;; esac
	run 0 "$EVERETT" resume -q --trust-report --json r.json c.json
	same r.json
done

# ---- split and merge

# parts PROGRAM STATUS: in another order, some of them in two goes.
parts()
{
	local i
	rm -rf d
	run 0 "$EVERETT" split -n 7 c.json d
	[ "$(ls d)" = "$(printf 'shard-%d.json\n' 1 2 3 4 5 6 7)" ] || fail "$last: $(ls d)"
	for i in 5 2 7; do
		"$EVERETT" resume -q --trust-report --max-executions 5 d/shard-$i.json >out 2>err </dev/null
	done
	# What is left can be put together at any time.
	"$EVERETT" merge -q --checkpoint left.json d/shard-*.json >out 2>err </dev/null
	[ -e left.json ] || fail "merge has written no checkpoint"
	for i in 3 7 1 4 6 2 5; do
		"$EVERETT" resume -q --trust-report -j 2 d/shard-$i.json >out 2>err </dev/null
		grep -q "part $i/7 of the search" err || fail "shard $i: $(cat err)"
	done
	run "$1" "$EVERETT" merge -q --json r.json d/shard-4.json d/shard-1.json d/shard-2.json d/shard-7.json d/shard-6.json d/shard-3.json d/shard-5.json
	same r.json
	run "$1" "$EVERETT" resume -q --trust-report --json r.json left.json
	same r.json
}

run 0 "$EVERETT" run -q -m sc --json one.json ./fib3
what one.json >expected
stop -m sc -j 3 --max-executions 300 ./fib3
parts 0
run 1 "$EVERETT" run -q -k -m sc,rc11 -e rf --json one.json ./findings
what one.json >expected
stop -m sc,rc11 -j 2 --max-executions 60 ./findings
parts 1

# Findings in one line are several if their columns differ.
sed '/^\tassert/{N;N;s/\n//g}' findings.c >line.c
places()
{
	jq -c '[.results[0].findings[] | [.kind, .line, .column, .other]] | sort' "$1"
}
run 1 "$EVERETT" check -q -k -m sc --json one.json line.c
places one.json >expected
[ "$(jq length expected)" = 3 ] || fail "findings in one line: $(cat expected)"
run 1 "$EVERETT" check -q -k -m sc --checkpoint c.json --max-executions 5 line.c
rm -rf d
run 0 "$EVERETT" split -n 2 c.json d
run 1 "$EVERETT" resume -q --json r.json c.json
places r.json | cmp -s - expected || fail "$last: $(places r.json)"
for i in 1 2; do
	"$EVERETT" resume -q d/shard-$i.json >out 2>err </dev/null
done
run 1 "$EVERETT" merge -q --json r.json d/shard-1.json d/shard-2.json
places r.json | cmp -s - expected || fail "$last: $(places r.json)"
run 1 "$EVERETT" check -q -k -m sc -j 2 --restless --json r.json line.c
places r.json | cmp -s - expected || fail "$last: $(places r.json)"

# ---- what is refused

refused()
{
	local pattern=$1
	shift
	run 2 "$EVERETT" "$@"
	has err "$pattern"
	one_line
}

stop -m sc --max-executions 60 ./findings
cp c.json good.json
run 0 "$EVERETT" split -n 3 good.json d3
run 0 "$EVERETT" split -n 3 good.json same
stop -m sc --max-executions 70 ./findings
run 0 "$EVERETT" split -n 3 c.json other
refused 'cannot open' resume nothing.json
refused 'no checkpoint' resume
refused 'more than one checkpoint' resume good.json c.json
refused 'is not a checkpoint' resume one.json
refused 'is not a checkpoint' split -n 3 one.json d4
refused 'is not a checkpoint' merge one.json
head -c 700 good.json >cut.json
refused 'is not valid JSON' resume cut.json
jq '.results[0].rest.executions += 1' good.json >damaged.json
refused 'is damaged' resume --trust-report damaged.json
jq '.results[0].rest.branches[0] = "0.0;;"' good.json >damaged.json
refused 'is damaged' resume --trust-report damaged.json
refused 'is damaged' split -n 3 damaged.json d4
jq 'del(.results[0].rest)' good.json >damaged.json
refused 'is damaged' resume --trust-report damaged.json
jq '.results = []' good.json >damaged.json
refused 'is not a checkpoint' resume --trust-report damaged.json
refused 'names a checker' resume good.json
# Another program: the file stays as it is, so that the right one can go on.
cp good.json c.json
cp findings kept
cp fib2 findings
run 2 "$EVERETT" resume -q --trust-report c.json
has err 'the checkpoint is of another program'
cp kept findings
run 1 "$EVERETT" run -q -k -m sc --json one.json ./findings
what one.json >expected
run 1 "$EVERETT" resume -q --trust-report --json r.json c.json
same r.json
refused 'needs the number of parts' split good.json d4
refused 'needs a number' split -n 0 good.json d4
refused 'needs a checkpoint and a directory' split -n 3 good.json
refused 'cannot create the directory' split -n 3 good.json nowhere/d4
refused 'is already a part' split -n 3 d3/shard-1.json d4
refused 'no checkpoint' merge
refused 'is not a part of a search that was split' merge good.json
refused '2 of 3 parts were given' merge d3/shard-1.json d3/shard-2.json
refused 'are the same part, 2/3' merge d3/shard-1.json d3/shard-2.json same/shard-2.json
refused 'is not a part of the same split' merge d3/shard-1.json other/shard-2.json d3/shard-3.json
refused 'would overwrite the input' merge --checkpoint d3/shard-1.json d3/shard-1.json d3/shard-2.json d3/shard-3.json
refused 'both write to' run --checkpoint x.json --json x.json ./findings
refused 'cannot write' run --checkpoint nowhere/x.json ./findings
refused 'must be a file' run --checkpoint - ./findings
# More parts than branches: some are empty, and the sum is the same.
run 0 "$EVERETT" split -n 60 good.json many
has err 'some parts are empty'
run 0 "$EVERETT" resume -q --trust-report many/shard-60.json
has err 'ok, 0 executions, complete'
finish
