#!/bin/bash
# Several models: their searches take turns, and a finding that several have is shown once. Nothing here depends on how fast
# the machine is: what must happen is waited for, and a limit may only be exceeded.
. "$(dirname "$0")/lib.bash"

# Under SC a handful of executions, of which one fails. Where stores are buffered, more than anybody can explore, and the
# failing one comes late. (Random executions and rounds of small bounds would find it, so there are none.)
cat >endless.c <<'EOF'
#include <assert.h>
#include <everett.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x, y;
static int r1, r2;
static void *left(void *unused)
{
	atomic_store_explicit(&x, 1, memory_order_relaxed);
	r1 = atomic_load_explicit(&y, memory_order_relaxed);
	return unused;
}
static void *right(void *unused)
{
	atomic_store_explicit(&y, 1, memory_order_relaxed);
	r2 = atomic_load_explicit(&x, memory_order_relaxed);
	return unused;
}
int main(void)
{
	pthread_t a, b;
	pthread_create(&a, NULL, left, NULL);
	pthread_create(&b, NULL, right, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	for (int i = 0; !r1 && !r2 && i < 60; i++)
		everett_choose(2);
	assert(!r1 || !r2);
	return 0;
}
EOF
run 0 "$EVERETT" cc endless.c -o endless

# begin OPTIONS...: run it in the background, in a process group of its own.
begin()
{
	rm -f r.json
	set -m
	"$EVERETT" run --hunt 0 --no-rounds -k --json r.json "$@" ./endless >out 2>err </dev/null &
	pid=$!
	set +m
	last="run $*"
}

# wait_for COMMAND...: for as long as Everett runs.
wait_for()
{
	until "$@" >wait.out 2>&1; do
		kill -0 $pid 2>/dev/null || { fail "$last: '$*' did not come"; cat err; break; }
		sleep 0.05
	done
}
says() { jq -e "$1" r.json; }

# end STATUS SIGNAL: interrupt it.
end()
{
	kill -"$2" $pid
	wait $pid
	local status=$?
	[ $status = "$1" ] || { fail "$last: status $status, not $1"; cat err; }
}
# The checker of a model, the only process that is told so.
checker_of()
{
	local child
	for child in $(pgrep -P $pid); do
		tr '\0' '\n' <"/proc/$child/environ" | grep -q "^EVERETT_CHECKER=.* model=$1 " && echo "$child"
	done
}

# ---- one that does not end does not keep the others from reporting ----

begin -m tso,sc,pso --progress always
wait_for says '[.results[].model] == ["tso", "sc", "pso"] and (.results[1] | .complete and .verdict == "finding" and .findings[0].line == 28)'
says '.results[0, 2] | .complete == false and (.stopped | test("running"))' >jq.out || fail "$last: an endless search has ended"
faults=$(jq -r --slurpfile schema "$TOP/docs/report.schema.json" -f "$TOP/tests/schema/validate.jq" r.json 2>&1)
[ -z "$faults" ] || fail "a report on the way does not fit the schema: $faults"
# Both go on, again and again.
wait_for grep -q '^everett: sc/rf: FINDING assertion at endless.c:28 after' err
wait_for grep -q '^everett: tso/traces: [0-9]* executions' err
wait_for grep -q '^everett: pso/traces: [0-9]* executions' err
end 1 INT
has err '^everett: tso/traces: incomplete, [0-9]* executions, interrupted' '^everett: pso/traces: incomplete, [0-9]* executions, interrupted' \
	'^everett: sc/rf: FINDING assertion at endless.c:28 after 3 executions (complete: yes; '
[ "$(tail -n 3 err | sed 's/^everett: \([a-z]*\).*/\1/' | tr '\n' ' ')" = "tso sc pso " ] || fail "$last: the summaries are not the last"
[ "$(grep -c '^endless.c:28:.* assertion: ' out)" = 1 ] || fail "$last: not one finding"
jq -e '[.results[] | .model, .stopped] == ["tso", "interrupted", "sc", "", "pso", "interrupted"]' r.json >jq.out || fail "$last: JSON"

# The same with a limit, which is that of each model: pauses do not count. On a busy machine a checker may learn late that it is
# paused; the longer the turns, the less that matters.
for limit in 1 4 16 64; do
	before=$(date +%s%N)
	run 1 "$EVERETT" run --hunt 0 --no-rounds -k -m tso,sc,pso --timeout $limit --json r.json ./endless
	took=$((($(date +%s%N) - before) / 1000000))
	[ $took -lt $((1800 * limit)) ] || break
done
has err '^everett: tso/traces: incomplete, .* stopped at the time limit' '^everett: pso/traces: incomplete, .* stopped at the time limit'
jq -e "[.results[0, 2].seconds.explore >= $limit] | all" r.json >jq.out || fail "$last: somebody had less than $limit s"
[ $took -ge $((1800 * limit)) ] || fail "$last: two searches with $limit s each took $took ms"

# How far is it? A line for each that goes on, also with -q.
begin -m tso,pso -q
wait_for pgrep -P $pid
until grep -q '^everett: tso/.* executions' err && grep -q '^everett: pso/.* executions' err || ! kill -0 $pid; do
	kill -USR1 $pid
	sleep 0.5
done
end 3 TERM
[ ! -s out ] || fail "-q prints"

# ---- whatever happens to them ----

# Ctrl-Z and fg: all processes of the group stop, and all go on.
begin -m tso,sc,pso --progress always
wait_for says '.results | length == 3'
kill -STOP -- -$pid
sleep 0.3
lines=$(wc -l <err)
kill -CONT -- -$pid
more() { tail -n +$((lines + 1)) err | grep "^everett: $1/.* executions, "; }
for model in tso pso tso pso; do
	wait_for more $model
	lines=$(wc -l <err)
done
end 1 INT

# A checker that is killed is a matter of its model, wherever it is in its turn.
for model in tso pso; do
	begin -m tso,sc,pso
	wait_for says '.results[1].complete'
	wait_for says '.results | length == 3'
	kill -KILL "$(checker_of $model)"
	wait_for says ".results[] | select(.model == \"$model\") | .stopped | test(\"was killed\")"
	end 1 INT
	has err "^everett: $model/traces: incomplete, .* the checker was killed" '^everett: sc/rf: FINDING'
	[ "$(grep -c 'the checker was killed' err)" = 1 ] && [ "$(grep -c 'executions, interrupted' err)" = 1 ] || { fail "$last: not one of each"; cat err; }
done

# None is left when Everett is killed, paused or not.
begin -m tso,sc,pso
wait_for says '.results | length == 3'
children=$(pgrep -P $pid)
[ "$(wc -w <<<"$children")" = 2 ] || fail "$last: not two checkers: $children"
kill -KILL $pid
wait $pid 2>wait.out
for child in $children; do
	while [ "$(ps -o comm= -p "$child")" = endless ]; do sleep 0.05; done
done

# The second interrupt does not wait for anybody.
fake_checker stubborn <<'EOF'
trap '' INT
model=${words#*model=}
say hello "${model%% *}" none
say progress 7 0 0 0 99
: >"started.${model%% *}"
while :; do sleep 0.05; done
EOF
set -m
"$EVERETT" run -m sc,tso ./stubborn >out 2>err &
pid=$!
set +m
until_exists started.sc $pid
until_exists started.tso $pid
kill -INT $pid
sleep 0.2
end 3 INT
[ "$(grep -c '7 executions, interrupted' err)" = 2 ] || { fail "two that do not listen"; cat err; }

# A finding of one whose turn it is not reaches the JSON file.
fake_checker late <<'EOF'
model=${words#*model=}
model=${model%% *}
say hello "$model" none
: >"started.$model"
[ "$model" = tso ] || while [ ! -e started.tso ]; do sleep 0.05; done
[ "$model" = tso ] || finding
while [ ! -e seen ]; do sleep 0.05; done
say done 1 "" 7 0 0 0 24 0.5 3100
EOF
rm -f started.* r.json
"$EVERETT" run --hunt 0 --no-rounds -k -m sc,tso --json r.json ./late >out 2>err </dev/null &
pid=$!
last="run ./late"
wait_for says '.results | length == 2 and (.[0].findings | length == 1)'
touch seen
wait $pid
has out '^sb.c:17:5: assertion' '^  not under tso$'

# ---- each finding once ----

cat >several.c <<'EOF'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x, y, data, flag;
static int r1, r2, seen, got;
static void *left(void *unused)
{
	atomic_store_explicit(&x, 1, memory_order_relaxed);
	r1 = atomic_load_explicit(&y, memory_order_relaxed);
	atomic_store_explicit(&data, 1, memory_order_relaxed);
	atomic_store_explicit(&flag, 1, memory_order_relaxed);
	return unused;
}
int main(void)
{
	pthread_t a;
	pthread_create(&a, NULL, left, NULL);
	atomic_store_explicit(&y, 1, memory_order_relaxed);
	r2 = atomic_load_explicit(&x, memory_order_relaxed);
	seen = atomic_load_explicit(&flag, memory_order_relaxed);
	got = atomic_load_explicit(&data, memory_order_relaxed);
	pthread_join(a, NULL);
	if (r1 && r2)
		assert(!"both");
	if (!r1 && !r2)
		assert(!"neither");
	assert(got >= seen);
	return 0;
}
EOF
run 1 "$EVERETT" check -k -m all --json r.json several.c
[ "$(grep -E '^several.c|^  (also|not) under' out)" = 'several.c:24:3: assertion: !"both"
  also under tso, pso, ra and rc11
several.c:26:3: assertion: !"neither"
  also under pso, ra and rc11; not under sc
several.c:27:2: assertion: got >= seen
  also under rc11; not under sc, tso and ra' ] || { fail "$last: other findings"; cat out; }
jq -e '[.results[].findings | length] == [1, 2, 3, 2, 3]' r.json >jq.out || fail "$last: JSON has $(jq -c '[.results[].findings | length]' r.json) findings"
cp out text
run 0 "$EVERETT" report r.json
cmp -s out text || fail "report prints something else than check did"
number=$(jq '[.results[].findings[].line] | index(27) + 1' r.json)
has out "^  replay: everett replay --finding $number r.json"
run 1 "$EVERETT" replay --finding "$number" r.json; has out '^several.c:27:2: assertion'; hasnot out ' under '
# The strongest model shows it, in whichever order they are.
run 1 "$EVERETT" check -k -m pso,sc several.c
has out ', sc\(/rf\)\?$' '^  also under pso$' '^  not under sc$'
# What a search that stopped early would have found, nobody knows.
run 1 "$EVERETT" check -m tso,pso several.c
hasnot out 'not under'

# A race is where both its accesses are. Models that do not look for races say nothing about them.
cat >races.c <<'EOF'
#include <pthread.h>
static int x;
static void *set(void *p)
{
	x = 1;
	x = 2;
	return p;
}
int main(void)
{
	pthread_t t;
	pthread_create(&t, 0, set, 0);
	int r = x;
	pthread_join(t, 0);
	return r & 0;
}
EOF
run 1 "$EVERETT" check -k -m all --races races.c
[ "$(grep -c '^races.c:13:10: race: ' out)" = 2 ] && [ "$(grep -c '^  also under tso, pso, ra and rc11$' out)" = 2 ] || { fail "$last"; cat out; }
run 1 "$EVERETT" check -k -m all races.c
[ "$(grep -c ': race: ' out)" = 2 ] && [ "$(grep -c '^  also under rc11$' out)" = 2 ] || { fail "$last"; cat out; }
hasnot out ' under \(sc\|tso\|pso\)'

# Classes of all models go to one file, one model's behind the other's.
run 1 "$EVERETT" check -q -k -m all --classes c several.c
[ "$(grep -c '^execution 1 ' c)" = 5 ] || fail "$last: $(grep -c '^execution 1 ' c) models in the classes"
finish
