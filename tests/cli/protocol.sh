#!/bin/bash
# What the driver makes of everything a checker can do, tried with checkers that are shell scripts.
. "$(dirname "$0")/lib.bash"

# The words it gets.
fake_checker words <<'EOF'
say hello sc none
echo "$words" | sed 's|^fd=[0-9]* *||' >words.got
printf '<%s>' "$@" >args.got
say done 1 "" 6 0 0 0 24 0.5 3100
EOF
run 0 "$EVERETT" run ./words -- a "b c"
has words.got '^$'
has args.got '^<a><b c>$'
has err '^everett: sc/none: ok, 6 executions, complete (0.00 s compile, 0.50 s explore)$'
one_line
run 0 "$EVERETT" run -m tso -e rf -u 3 -k --races --leaks --no-uninitialised --max-executions 9 --timeout 7.5 --check \
	--seed 4 --no-fail-on-exit -v --replay 0.1 --execution-timeout 2 -j2 --spurious-cas ./words
has words.got '^model=tso engine=rf jobs=2 unroll=3 spurious-cas=1 keep-going=1 races=1 leaks=1 uninitialised=0 max-executions=9 timeout=7.5 execution-timeout=2 check=1 seed=4 fail-on-exit=0 verbose=1 replay=0.1$'

# Counts that are not zero are told.
fake_checker bounded <<'EOF'
say hello sc none
say done 1 "" 6 2 3 0 24 0.5 3100
EOF
run 0 "$EVERETT" run --unroll 5 --spurious-cas=2 ./bounded
has err ' complete within bound 5 and 2 spurious failures per thread ('
run 0 "$EVERETT" run --spurious-cas --json r.json ./bounded
has err ' complete within 1 spurious failure per thread ('
jq -e '.results[0].spurious_cas == 1' r.json >jq.out || fail "no spurious_cas in JSON"
run 0 "$EVERETT" run --unroll 5 ./bounded
has err '^everett: sc/none: ok, 6 executions, 2 blocked, 3 truncated, complete within bound 5 (0.00 s compile, 0.50 s explore)$'

# The engine's statistics: in JSON, and with -v, whatever they are called; all of them before the summaries.
fake_checker counting <<'EOF'
say hello sc rf
case $words in *model=sc*) say stat questions 7; say stat guided 2 ;; esac
say stat decided 0
say stat novelties 5
say done 1 "" 6 0 0 0 24 0.5 3100
EOF
run 0 "$EVERETT" run -m sc,tso -v --json r.json ./counting
[ "$(jq -c '[.results[].stats]' r.json)" = '[{"questions":7,"guided":2,"decided":0,"novelties":5},{"decided":0,"novelties":5}]' ] ||
	fail "the statistics are $(jq -c '[.results[].stats]' r.json)"
[ "$(sed 's/:[^:]* executions.*//' err)" = "\
everett: sc/rf: 7 questions, 2 answered by a guided run, 0 left to the decision procedure, 5 novelties
everett: sc/rf: 0 left to the decision procedure, 5 novelties
everett: sc/rf
everett: sc/rf" ] || fail "-v prints $(cat err)"
run 0 "$EVERETT" run ./counting; one_line
run 0 "$EVERETT" report r.json; hasnot err questions
run 0 "$EVERETT" run -v --json r.json ./bounded; one_line
jq -e '.results[0] | has("stats") | not' r.json >/dev/null || fail "statistics from nowhere"

# A finding.
fake_checker found <<'EOF'
say hello sc none
say first "first\\n"
finding
say event 1 2 read acquire sb.c 12 3 thread_a y 0 -1 -1 1 1 -1 -1 0 0 "" 0 4
say event 0 0 write "" sb.c 9 3 main y 1 -1 -1 0 1 -1 -1 0 0 "" 0 4
say event 2 0 read "" sb.c 99 3 main y 1 0 0 0 0 -1 -1 0 0 "" 0 4
say done 0 "" 4 0 0 0 24 0.05 3100
EOF
run 1 "$EVERETT" run --json r.json --output o.txt ./found
has out '^sb.c:17:5: assertion: a || b$' '#2 sb.c:12 read acquire y = 0 (initial)' 'write y = 1' '| printed' 'everett replay r.json'
hasnot out 'sb.c:99'
has err '^everett: sc/none: FINDING assertion at sb.c:17 after 4 executions (complete: no; 0.00 s compile, 0.05 s explore)$'
has o.txt '^printed$'
hasnot out $'\033'
cp out text
run 0 "$EVERETT" report r.json
cmp -s out text || fail "report prints something else than run did"
run 1 "$EVERETT" run --color always ./found; has out $'\033'
has out "replay: everett run --model sc --replay 0.1.0 ./found"
run 1 env CLICOLOR_FORCE=1 "$EVERETT" run ./found; has out $'\033'
run 1 env CLICOLOR_FORCE=1 NO_COLOR=1 "$EVERETT" run ./found; hasnot out $'\033'
run 1 "$EVERETT" run -q ./found; one_line; [ -s out ] && fail "-q prints"
run 1 "$EVERETT" run --json - ./found
cp out r.json
run 0 "$EVERETT" report r.json; has out '^sb.c:17:5: assertion'
run 1 "$EVERETT" run --output - ./found; [ "$(cat out)" = printed ] || fail "--output - is not the output alone"
run 0 "$EVERETT" run --output o.txt ./bounded; [ -s o.txt ] && fail "output from nowhere"

# Several models: one verdict each, and a table.
fake_checker models <<'EOF'
case $words in
*model=sc*) say hello sc none; say done 1 "" 6 0 0 0 24 0.5 3100 ;;
*model=tso*) say hello tso traces; finding; say done 0 "" 4 0 0 0 24 0.5 3100 ;;
*) model=${words##*model=}; say hello "${model%% *}" traces; say error 2 "no such model" ;;
esac
EOF
run 1 "$EVERETT" run -m sc,tso ./models
has out '^sc  *none  *ok  *6' '^tso  *traces  *finding  *4 .*assertion at sb.c:17'
has err '^everett: sc/none: ok' '^everett: tso/traces: FINDING'
run 2 "$EVERETT" run -m all ./models
[ "$(grep -c '^everett: ' err)" = 5 ] || fail "not five summaries"
has err '^everett: pso/traces: error: no such model$'

# Ways to end.
fake_checker killed <<'EOF'
say hello sc none
finding
kill -KILL $$
EOF
run 1 "$EVERETT" run --json r.json ./killed
has err 'FINDING assertion at sb.c:17' 'the checker was killed (out of memory?)'
fake_checker killed <<'EOF'
say hello sc none
say progress 1234 0 0 0 99
kill -KILL $$
EOF
run 3 "$EVERETT" run ./killed; one_line
has err '^everett: sc/none: incomplete, 1234 executions, the checker was killed (out of memory?) ('
fake_checker crashed <<'EOF'
say hello sc none
finding
kill -SEGV $$
EOF
run 4 "$EVERETT" run --json r.json ./crashed
has err 'the checker crashed (signal 11)'
has out '^sb.c:17:5: assertion'
has r.json '"verdict": "error"' '"kind": "assertion"'
fake_checker short <<'EOF'
say hello sc none
exit 7
EOF
run 4 "$EVERETT" run ./short; one_line; has err 'ended without a result'
fake_checker babbling <<'EOF'
say hello sc none
say nonsense 1 2 3
say done 1 "" 6 0 0 0 24 0.5 3100
EOF
run 4 "$EVERETT" run ./babbling; one_line
fake_checker refuses <<'EOF'
say hello sc none
say error 2 "a.c:7: calls 'fork', which is not supported"
EOF
run 2 "$EVERETT" run ./refuses; one_line; has err "^everett: sc/none: error: a.c:7: calls 'fork', which is not supported$"
fake_checker lingers <<'EOF'
say hello sc none
say done 1 "" 6 0 0 0 24 0.5 3100
exec sleep 100000
EOF
run 0 timeout 3600 "$EVERETT" run ./lingers; one_line

# Limits.
fake_checker stops <<'EOF'
say hello sc none
say done 0 "time limit" 1234 0 0 0 24 0.5 3100
EOF
run 3 "$EVERETT" run ./stops; one_line
has err '^everett: sc/none: incomplete, 1234 executions, stopped at the time limit (0.00 s compile, 0.50 s explore)$'
fake_checker hangs <<'EOF'
trap '' TERM
say hello sc none
say progress 7 0 0 0 99
: >started
while :; do sleep 0.05; done
EOF
# stopped OPTIONS...: with more and more time, until that was enough for the checker to begin.
stopped()
{
	local seconds
	for seconds in 0.1 3 10 30 100 1000; do
		rm -f started
		run 3 "$EVERETT" run --timeout $seconds "$@" ./hangs
		[ -e started ] && break
	done
}
stopped; one_line; has err '7 executions, stopped at the time limit ('
run 3 "$EVERETT" run --memory 1 ./hangs; one_line; has err ' executions, stopped at the memory limit ('
stopped --progress always; has err '^everett: sc/none: 7 executions, [0-9]*/s$'

# Ctrl-C: what is known so far, status 3. The second one does not wait.
fake_checker polite <<'EOF'
trap 'say done 0 interrupted 55 0 0 0 24 0.5 3100; exit' INT
say hello sc none
: >started
while :; do sleep 0.05; done
EOF
interrupt()
{
	rm -f started
	set -m
	"$EVERETT" run "$2" >out 2>err &
	local pid=$!
	set +m
	until_exists started $pid
	shift 2
	for signal; do
		kill -"$signal" $pid
		sleep 0.2
	done
	wait $pid
	status=$?
	last="run, interrupted by $*"
	[ $status = 3 ] || fail "$last: status $status, not 3"
}
interrupt - ./polite INT
has err '^everett: sc/none: incomplete, 55 executions, interrupted ('
interrupt - ./polite TERM
has err '55 executions, interrupted ('
fake_checker stubborn <<'EOF'
trap '' INT
say hello sc none
say progress 7 0 0 0 99
: >started
while :; do sleep 0.05; done
EOF
interrupt - ./stubborn INT INT
has err '7 executions, interrupted ('
finish
