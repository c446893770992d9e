#!/bin/bash
# What an incomplete search says about what to do next: for each reason the command, and numbers of this run.
. "$(dirname "$0")/lib.bash"

# next COMMAND...: these, in this order, are the commands that the last run has told, in the text, in the JSON and when it is rendered once more.
next()
{
	[ $# = 0 ] || printf '%s\n' "$@" >want
	[ $# != 0 ] || : >want
	jq -r '.results[].next[]?.command // empty' r.json >commands
	diff want commands >diff.out || { fail "$last: other commands"; sed 's/^/    /' diff.out; }
	grep '^  everett ' out | sed 's/^  //' | diff want - >diff.out || { fail "$last: other commands in the text"; sed 's/^/    /' diff.out; }
	"$EVERETT" report r.json 2>/dev/null | grep '^  everett ' | sed 's/^  //' | diff want - >/dev/null || fail "$last: the report says something else"
	jq -r '.results[].next[]?.text // empty' r.json >texts
}

# A search as large as we like, with a checker that ends as we like: STOPPED EXECUTIONS LOW ESTIMATE HIGH SECONDS, all of 1000 MiB.
fake_checker fake <<'E2'
say hello sc rf
[ -z "$ESTIMATE" ] || say estimate $ESTIMATE
say done 0 "$STOPPED" ${COUNTS:-1000000 0 0} 0 100 ${SECONDS_TAKEN:-10} 1024000
exit 3
E2
export STOPPED ESTIMATE COUNTS
cores=$(getconf _NPROCESSORS_ONLN)

# ---- the time limit: with an estimate, what the whole search takes; without one, ten times as long
STOPPED='time limit' ESTIMATE='20000000 25000000 30000000'
run 3 "$EVERETT" run -j 2 --timeout 10 --json r.json ./fake -- 'a b'
next "everett run -m sc --timeout 360 --jobs 2 --json r.json ./fake -- 'a b'" \
	"everett run -m sc --preemptions 2 --timeout 10 --jobs 2 --json r.json ./fake -- 'a b'"
has out '^next: about 25 M executions in all: 4 min at 100 k/s:$'
if [ "$cores" -gt 1 ]; then
	run 3 "$EVERETT" run --timeout 10 --json r.json ./fake
	has out "about 25 M executions in all: 4 min at 100 k/s, .* on $cores cores:\$" '^  everett run -m sc --timeout [0-9]* --jobs 0 --json r.json ./fake$'
fi
ESTIMATE=
run 3 "$EVERETT" run --timeout 10 --json r.json ./fake
next 'everett run -m sc --timeout 100 --json r.json ./fake' 'everett run -m sc --preemptions 2 --timeout 10 --json r.json ./fake'
has texts '^1000000 executions took 10.00 s, and the total is unknown'
# Nobody waits for ten days.
ESTIMATE='80000000000 90000000000 95000000000'
run 3 "$EVERETT" run --timeout 10 --json r.json ./fake
next 'everett run -m sc --preemptions 2 --timeout 10 --json r.json ./fake'
has out '^next: about 90 G executions in all: 10 days at 100 k/s.*: a smaller test is needed, see docs/reducing.md$'
# A bound that is too large.
ESTIMATE=
run 3 "$EVERETT" run --timeout 10 --preemptions 4 --json r.json ./fake
next 'everett run -m sc --preemptions 4 --timeout 100 --json r.json ./fake' 'everett run -m sc --preemptions 3 --timeout 10 --json r.json ./fake'

# ---- the limit on executions
STOPPED='limit on executions'
run 3 "$EVERETT" run --max-executions 1000000 --json r.json ./fake
next 'everett run -m sc --max-executions 10000000 --json r.json ./fake' 'everett run -m sc --max-executions 1000000 --preemptions 2 --json r.json ./fake'
ESTIMATE='20000000 25000000 30000000'
run 3 "$EVERETT" run -j 2 --max-executions 1000000 --json r.json ./fake
next 'everett run -m sc --max-executions 36000000 --jobs 2 --json r.json ./fake' 'everett run -m sc --max-executions 1000000 --preemptions 2 --jobs 2 --json r.json ./fake'

# ---- memory
STOPPED='memory limit'
run 3 "$EVERETT" run --memory 800 --json r.json ./fake
next 'everett run -m sc --memory 1600 --json r.json ./fake' 'everett run -m sc --preemptions 2 --memory 800 --json r.json ./fake'
has texts '^the checker took 1000 MiB for 1000000 executions; with twice the memory$'
fake_checker killed <<'E2'
say hello sc rf
kill -KILL $$
E2
run 3 "$EVERETT" run --json r.json ./killed
next 'everett run -m sc --json r.json ./killed' 'everett run -m sc --preemptions 2 --json r.json ./killed'
has texts 'run it again on a machine with more memory$'

# ---- Ctrl-C
STOPPED=interrupted ESTIMATE=
run 3 "$EVERETT" run --json r.json ./fake
next 'everett run -m sc --checkpoint search.json --json r.json ./fake' 'everett run -m sc --preemptions 2 --json r.json ./fake'
has texts 'with a checkpoint, the search can be resumed$'

# ---- a checkpoint: the command that goes on with it, which works
run 3 "$EVERETT" check --checkpoint c.json --max-executions 100 -DTHREADS=4 --json r.json "$TOP/examples/reducing.c"
[ "$(jq -r '.results[0].next[0].command' r.json)" = 'everett resume c.json' ] || fail "resume: $(jq -c '.results[0].next' r.json)"
has out '^next: 100 executions are done and saved; continue with:$'
jq -r '.results[0].next[].command' r.json | tail -n +2 | grep -q c.json && fail "a command would overwrite what is saved: $(jq -c '.results[0].next' r.json)"
cp c.json saved.json
run 0 "$EVERETT" resume c.json
has err ' ok, 2520 executions, complete'

# ---- parts of a search that are not all explored: what is left can be saved, and goes on
run 0 "$EVERETT" split -n 2 saved.json parts
for i in 1 2; do
	run 3 "$EVERETT" resume --trust-report --max-executions 200 --checkpoint left$i.json parts/shard-$i.json
done
run 3 "$EVERETT" merge --json r.json left1.json left2.json
next 'everett merge --checkpoint search.json --json r.json left1.json left2.json'
PATH=$(dirname "$EVERETT"):$PATH bash -c "$(cat commands)" >out 2>err
next 'everett resume search.json'
run 0 "$EVERETT" resume search.json
has err ' ok, 2520 executions, complete'

# ---- all commands of a real run are commands, and the larger bound is enough
cat >'my loop.c' <<'E2'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x;
static void *f(void *a)
{
	for (int i = 0; i < ROUNDS; i++)
		atomic_fetch_add(&x, 1);
	return a;
}
int main(void)
{
	pthread_t t;
	pthread_create(&t, 0, f, 0);
	f(0);
	pthread_join(t, 0);
	assert(x == 2 * ROUNDS);
	return 0;
}
E2
run 3 "$EVERETT" check --unroll 2 '-DROUNDS=3' '-DNOTE="a b"' --json r.json 'my loop.c'
next "everett check -m sc --unroll 4 --json r.json -DROUNDS=3 '-DNOTE=\"a b\"' 'my loop.c'"
has texts '^6 executions were cut at 2 iterations of a loop; a loop of n iterations needs a bound of n + 1$'
PATH=$(dirname "$EVERETT"):$PATH bash -c "$(cat commands)" >out 2>err || fail "the command fails: $(cat err)"
has err ' ok, 20 executions, complete ('
[ "$(jq '.results[0].next' r.json)" = null ] || fail "a proof needs nothing: $(jq -c '.results[0].next' r.json)"

# ---- a bound within which all is fine
run 0 "$EVERETT" check -m sc --preemptions 1 -DROUNDS=3 --json r.json 'my loop.c'
next "everett check -m sc --preemptions 2 --json r.json -DROUNDS=3 'my loop.c'"

# ---- every execution is blocked
cat >blocked.c <<'E2'
#include <everett.h>
#include <stdio.h>
int main(void)
{
	puts("before");
	everett_assume(0);
	return 0;
}
E2
run 3 "$EVERETT" check --json r.json blocked.c
next 'everett check -m sc --json r.json --output - blocked.c'
has texts '^1 execution was blocked'

# ---- sample and predict, which verify nothing
run 3 "$EVERETT" sample -m sc --max-executions 50 -DROUNDS=3 --json r.json 'my loop.c'
next "everett sample -m sc --max-executions 500 --json r.json -DROUNDS=3 'my loop.c'"
run 0 "$EVERETT" predict -m tso -DROUNDS=3 --json r.json 'my loop.c'
next "everett check -m tso --json r.json -DROUNDS=3 'my loop.c'"
# ---- what the choices are about: not what a mutex guards, nor what create and join order
cat >topics.c <<'E2'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int hits, rare, guarded, prepared;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static void *f(void *a)
{
	for (int i = 0; i < 6; i++)
		atomic_fetch_add(&hits, 1);
	if (a)
		atomic_store(&rare, 1);
	else
		(void)atomic_load(&rare);
	pthread_mutex_lock(&mutex);
	for (int i = 0; i < 3; i++)
		atomic_fetch_add(&guarded, atomic_load(&prepared));
	pthread_mutex_unlock(&mutex);
	return 0;
}
int main(void)
{
	pthread_t t[3];
	atomic_store(&prepared, 1);
	for (int i = 0; i < 3; i++)
		pthread_create(&t[i], 0, f, i ? 0 : t);
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], 0);
	assert(hits == 18 && guarded == 9);
	return 0;
}
E2
for options in '-m sc' '-m sc -j 2' '-m tso' '-m rc11'; do
	# shellcheck disable=SC2086
	run 3 "$EVERETT" check $options --hunt 0 --timeout 1.5 --json r.json topics.c
	topic=$(jq -r '[.results[0].next[].text | select(startswith("most of"))][0]' r.json)
	[[ $topic == 'most of the choices are at hits, at topics.c:9 (6 times in each of 3 threads): '[6-9]?' %'*'docs/reducing.md' ]] || fail "$last: $topic"
	[[ $topic == *guarded* || $topic == *prepared* ]] && fail "$last: $topic"
	# What to cut, and what would be left; that is known if there is an estimate. There is less without a thread than with all.
	[ "$(jq '.results[0].estimate != null' r.json)" = true ] || continue
	[[ $topic == *'. Roughly: without T'[123]' (f), '*' executions; with one fewer iteration of each loop, '*' executions. Use fewer '* ]] || fail "$last: $topic"
done

# A finding speaks for itself, and -q is one line.
run 1 "$EVERETT" check --json r.json "$TOP/examples/counter.c"
next
run 3 "$EVERETT" check -q --max-executions 100 -DTHREADS=4 "$TOP/examples/reducing.c"
one_line
finish
