# What "ok" means: the program's exit status counts, something was verified, and the report says what was not looked for.
. "$TOP/tests/cli/lib.bash"

cat >exits.c <<'EOF'
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
static atomic_int x;
static void *f(void *a) { if (atomic_load(&x)) exit(3); return a; }
int main(void)
{
	pthread_t t;
	pthread_create(&t, 0, f, 0);
	atomic_store(&x, 1);
	pthread_join(t, 0);
	if (atomic_load(&x) != 2)
		return 1;
	return 0;
}
EOF
# ---- the exit status of the program
run 1 "$EVERETT" check -k --json r.json --junit r.xml --sarif r.sarif exits.c
has err '^everett: sc/rf: FINDING exit at exits.c:[0-9]* after 2 executions (complete: yes; 2 findings; '
has out '^exits.c:5:[0-9]*: exit: exit(3)$' '^exits.c:13:3: exit: main returned 1$'
has r.xml '<failure type="exit"'
jq -e '[.results[0].findings[] | "\(.kind) \(.line) \(.function)"] | sort == ["exit 13 main", "exit 5 f"]' r.json >/dev/null || fail "the JSON: $(jq -c '[.results[0].findings[].line]' r.json)"
jq -e '[.runs[0].results[].ruleId] == ["exit", "exit"]' r.sarif >/dev/null || fail "the SARIF"
run 1 "$EVERETT" replay r.json; has err 'FINDING exit at exits.c'
run 1 "$EVERETT" replay --finding 2 r.json; has err 'FINDING exit at exits.c'
run 0 "$EVERETT" report r.json; has out 'exit: main returned 1'
run 1 "$EVERETT" check -m all -q exits.c
[ "$(grep -c 'FINDING exit' err)" = 5 ] || fail "not under every model"
run 1 "$EVERETT" check --no-fail-on-exit --fail-on-exit exits.c
run 0 "$EVERETT" check --no-fail-on-exit --json r.json exits.c; has err '^everett: sc/rf: ok, 2 executions, complete ('
jq -e '.options == ["--no-fail-on-exit"]' r.json >/dev/null || fail "the option is not kept: $(jq -c .options r.json)"
run 0 "$EVERETT" cc exits.c -o exits
run 1 ./exits; has err 'FINDING exit'
run 1 "$EVERETT" run exits; has err 'FINDING exit'
run 0 "$EVERETT" run --no-fail-on-exit exits
EVERETT_OPTIONS='--no-fail-on-exit' run 0 ./exits; has err 'ok, 2 executions'
# An exit is no access: robustness has nothing to do with it.
run 0 "$EVERETT" robust exits.c; has err 'robust, 2 executions, complete'; hasnot err 'note: some executions fail'
run 2 "$EVERETT" robust --no-fail-on-exit exits.c

# ---- nothing verified
cat >nothing.c <<'EOF'
#include <assert.h>
#include <everett.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x;
static void *f(void *a) { atomic_store(&x, 1); return a; }
int main(int argc, char **argv)
{
	pthread_t t;
	pthread_create(&t, 0, f, 0);
	int r = atomic_load(&x);
#ifdef BLOCK
	everett_assume(BLOCK);
#endif
	for (int i = 0; i < ROUNDS; i++)
		atomic_load(&x);
	pthread_join(t, 0);
	assert(x);
	(void)r;
	return 0;
}
EOF
nothing() { # REASON BLOCKED TRUNCATED OPTION...
	local reason=$1 blocked=$2 truncated=$3 counts
	shift 3
	counts=$([ "$blocked" = 0 ] || echo ", $blocked blocked")$([ "$truncated" = 0 ] || echo ", $truncated truncated")
	run 3 "$EVERETT" check -q --json r.json --junit r.xml --sarif r.sarif --dot r.dot --html r.html "$@" nothing.c
	one_line
	has err "^everett: sc/rf: incomplete, 0 executions$counts, $reason: nothing was verified ("
	jq -e --argjson b "$blocked" --argjson t "$truncated" \
		'.results[0] | .verdict == "incomplete" and .complete and .executions == 0 and .blocked == $b and .truncated == $t' r.json >/dev/null || fail "$last: the JSON"
	has r.xml 'skipped="1"' "<skipped message=\"incomplete, $reason: nothing was verified\"/>"
	jq -e '.runs[0].invocations[0] | .executionSuccessful == false and .exitCode == 3 and (.toolExecutionNotifications[0] |
		.level == "warning" and (.message.text | test("nothing was verified")))' r.sarif >/dev/null || fail "$last: the SARIF"
	has r.dot "incomplete.n$reason"
	has r.html '"verdict": *"incomplete"'
	cp err first
	run 0 "$EVERETT" report r.json; diff <(tail -n 1 first) <(tail -n 1 err) || fail "everett report says something else"
	run 3 "$EVERETT" robust -m sc -q "$@" nothing.c; has err "^everett: sc/traces: incomplete, 0 executions.*$reason: nothing was verified ("
	hasnot err ': robust'
}
# Two loads find 0 0, 0 1 or 1 1, and the loop would go on; or the first must find 1.
nothing 'every execution was blocked' 2 0 -DROUNDS=0 '-DBLOCK=0'
nothing 'every execution was cut by the loop bound' 0 3 -DROUNDS=5 --unroll 1
nothing 'every execution was blocked or cut by the loop bound' 1 1 -DROUNDS=5 '-DBLOCK=r' --unroll 1
# Some were: the summary says how many.
run 0 "$EVERETT" check -q -DROUNDS=0 -DBLOCK=r nothing.c; has err '^everett: sc/rf: ok, 1 execution, 1 blocked, complete ('
run 0 "$EVERETT" check -q -DROUNDS=0 nothing.c; has err '^everett: sc/rf: ok, 2 executions, complete ('

# A result that was saved by a version that knew no better.
run 3 "$EVERETT" check -q --json r.json -DROUNDS=0 -DBLOCK=0 nothing.c
jq '.results[0] |= (.verdict = "ok")' r.json >old.json
run 0 "$EVERETT" report --junit r.xml old.json; has err ': incomplete, 0 executions, 2 blocked, '; has r.xml 'skipped="1"'

# ---- several models: every mixture
run 0 "$EVERETT" check -q -m all --json ok.json -DROUNDS=0 nothing.c
run 1 "$EVERETT" check -q --json finding.json exits.c
mixture() { # FIVE-LETTERS CONCLUSION: o ok, f finding, i incomplete, b all blocked, e error, x error after a finding
	jq --arg kinds "$1" --slurpfile f finding.json '
		def one($k): if $k == "f" or $k == "x" then .findings = $f[0].results[0].findings | .complete = false else . end |
			if $k == "i" then .complete = false | .stopped = "time limit" else . end |
			if $k == "b" then .blocked = .executions | .executions = 0 else . end |
			if $k == "e" or $k == "x" then .error = "broken" | .error_status = 4 | .complete = false else . end;
		.results |= [range(5) as $i | .[$i] | one($kinds[$i:$i + 1])]' ok.json >mix.json
	run 0 "$EVERETT" report mix.json
	grep -qxF -- "$2" out || fail "$1: '$(grep -i 'model\|program\|verified' out | tail -n 1)', not '$2'"
	[ "$(grep -cE '^(The program|The weakest|Nothing)' out)" = 1 ] || fail "$1: not one sentence"
}
mixture ooooo 'The program is safe under all of these models.'
mixture fffff 'The program is safe under none of these models.'
mixture xfxfx 'The program is safe under none of these models.'
for all in iiiii bbbbb eeeee ibebi; do
	mixture $all 'Nothing was verified under any of these models.'
done
mixture offff 'The weakest model under which the program is safe: sc.'
mixture oofff 'The weakest model under which the program is safe: tso.'
mixture oooff 'The weakest model under which the program is safe: pso.'
# RA is weaker than TSO only, RC11 than TSO and PSO; RA and RC11 cannot be compared, and neither can RA and PSO.
mixture oofof 'The weakest model under which the program is safe: ra.'
mixture oooof 'The weakest models under which the program is safe: pso and ra.'
mixture ooofo 'The weakest model under which the program is safe: rc11.'
mixture oofoo 'The weakest models under which the program is safe: ra and rc11.'
mixture ooooi 'The program is safe under sc, tso, pso and ra; nothing was verified under rc11.'
mixture oiiii 'The program is safe under sc; nothing was verified under tso, pso, ra and rc11.'
mixture obebi 'The program is safe under sc; nothing was verified under tso, pso, ra and rc11.'
mixture ofiii 'The program is safe under sc and not safe under tso; nothing was verified under pso, ra and rc11.'
mixture oxfef 'The program is safe under sc and not safe under tso, pso and rc11; nothing was verified under ra.'
mixture fiiii 'The program is not safe under sc; nothing was verified under tso, pso, ra and rc11.'
mixture iffeo 'The program is safe under rc11 and not safe under tso and pso; nothing was verified under sc and ra.'
# The same when it is not a report.
run 3 "$EVERETT" check -m all -DROUNDS=5 --unroll 1 nothing.c; has out '^Nothing was verified under any of these models.$'

# ---- what was missing: a second thread, an assertion
thread='note: no second thread ever ran'
assertion='note: no assertion was compiled in (is NDEBUG defined?): '
ndebug='note: NDEBUG is defined, and no assertion was compiled in: '
cat >alone.c <<'EOF'
#include <assert.h>
#include <pthread.h>
static void *f(void *a) { return a; }
int main(int argc, char **argv)
{
	pthread_t t;
	if (argc > 1)
		return pthread_create(&t, 0, f, 0);
	assert(argc == 1);
	return 0;
}
EOF
run 0 "$EVERETT" check --json r.json -m sc,tso alone.c; hasnot err assertion
[ "$(grep -c "$thread" err)" = 1 ] || fail "$last: not one note"
run 0 "$EVERETT" report r.json; has err "$thread"
run 0 "$EVERETT" check -q alone.c; one_line
run 0 "$EVERETT" check alone.c -- more; hasnot err 'note: \(no \|NDEBUG\)'
run 0 "$EVERETT" robust alone.c; has err "$thread"
run 0 "$EVERETT" check -DROUNDS=0 nothing.c; hasnot err 'note: \(no \|NDEBUG\)'
for define in -DNDEBUG '-D NDEBUG' '-UNDEBUG -DNDEBUG=1'; do
	# shellcheck disable=SC2086
	run 0 "$EVERETT" check $define -DROUNDS=0 nothing.c; has err "$ndebug"
done
run 0 "$EVERETT" check -DNDEBUG -UNDEBUG -DROUNDS=0 nothing.c; hasnot err 'note: \(no \|NDEBUG\)'
run 0 "$EVERETT" robust -DNDEBUG -DROUNDS=0 nothing.c; hasnot err 'assertion'
# Handling of errors is no assertion if those were switched off.
run 0 "$EVERETT" check -DNDEBUG alone.c -- more; has err "$ndebug"
(echo '#define NDEBUG'; cat nothing.c) >inside.c
run 0 "$EVERETT" check --json r.json -DROUNDS=0 inside.c; has err "$assertion"
jq -e '.results[0].notes[0] | startswith("no assertion was compiled in")' r.json >/dev/null || fail "no note in the JSON"
run 0 "$EVERETT" cc -DROUNDS=0 inside.c -o inside; run 0 ./inside; has err "$assertion"
run 0 "$EVERETT" cc -DNDEBUG -DROUNDS=0 nothing.c -o release; run 0 ./release; has err "$ndebug"
# One in any file will do, and so will whatever ends the program.
says() { # STATEMENT
	printf '#include <stdlib.h>\n#include <everett.h>\n#include <unistd.h>\n#include <err.h>\nvoid other(int n) { if (n) { %s; } }\n' "$1" >other.c
	run 0 "$EVERETT" check -DROUNDS=0 inside.c other.c; hasnot err 'assertion'
}
says 'abort()'; says 'void reach_error(void); reach_error()'; says '_exit(n)'; says 'errx(2, "n")'; says '__builtin_trap()'
printf '#include <stdlib.h>\nvoid other(int n) { if (n) exit(0); }\n' >other.c
run 0 "$EVERETT" check -DROUNDS=0 inside.c other.c; has err "$assertion"
run 0 "$EVERETT" check --no-fail-on-exit alone.c -- more; hasnot err 'assertion'
sed 's/assert(.*);//' alone.c >status.c
run 0 "$EVERETT" check status.c -- more; hasnot err 'assertion'
run 0 "$EVERETT" check --no-fail-on-exit status.c -- more; has err "$assertion"

# ---- data races that were not looked for
races='); data races were not looked for (--races)$'
cat >plain.c <<'EOF'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static TYPE x;
static void *f(void *a)
{
#ifdef LOCK
	pthread_mutex_lock(&m);
#endif
	x++;
#ifdef LOCK
	pthread_mutex_unlock(&m);
#endif
	return a;
}
int main(void)
{
	pthread_t t, u;
#ifdef INIT
	atomic_init(&x, 0);
#endif
	pthread_create(&t, 0, f, 0);
#ifndef ONE
	pthread_create(&u, 0, f, 0);
	pthread_join(u, 0);
#endif
	pthread_join(t, 0);
	assert(x > 0);
	return 0;
}
EOF
run 0 "$EVERETT" check --json r.json --junit r.xml --sarif r.sarif -DTYPE=int plain.c
has err "^everett: sc/rf: ok, 4 executions, complete ([0-9.]* s compile, [0-9.]* s explore$races"
jq -e '.results[0].races_unchecked' r.json >/dev/null || fail "not in the JSON"
has r.xml 'name="sc/rf.races_unchecked" value="true"'
grep -q 'data races were not looked for' r.sarif || fail "not in the SARIF"
run 0 "$EVERETT" report r.json; has err "$races"
run 0 "$EVERETT" cc -DTYPE=int plain.c -o plain
for options in '-e none' '-e traces' '-e rvf' '-m tso' '-m pso' '-m ra --no-races'; do
	EVERETT_OPTIONS=$options run 0 ./plain; has err "$races"
done
run 0 "$EVERETT" check -DTYPE=int -DLOCK plain.c; has err "$races"
run 0 "$EVERETT" check -DTYPE=int -DLOCK --races plain.c; hasnot err 'data races'
run 0 "$EVERETT" check -DTYPE=int -DLOCK -m ra plain.c; hasnot err 'data races'
run 1 "$EVERETT" check -DTYPE=int --races plain.c; hasnot err 'data races were'
# Nothing is shared, or what is shared is atomic: but for its beginning, when nobody else was there.
run 0 "$EVERETT" check -DTYPE=int -DONE --json r.json plain.c; hasnot err 'data races'
jq -e '.results[0].races_unchecked == false' r.json >/dev/null || fail "races_unchecked"
run 0 "$EVERETT" check -DTYPE=atomic_int plain.c; hasnot err 'data races'
run 0 "$EVERETT" check -DTYPE=atomic_int -DINIT plain.c; hasnot err 'data races'
run 0 "$EVERETT" robust -DTYPE=int -DLOCK plain.c; hasnot err 'data races'
finish
