#!/bin/bash
# The progress line: when it is there, and what it says. Whether its estimates are any good, estimates.sh asks.
. "$(dirname "$0")/lib.bash"

# ---- what it says ----
fake_checker slow <<'EOF'
say hello tso traces
say progress 20000 0 0 0 99
say estimate 1600000 2100000 2800000
: >started
sleep 1.2
until [ ! -e patient ] || [ "$(tr '\r' '\n' <out | cat - err | grep -c '20000 executions')" -ge 3 ]; do sleep 0.1; done
say done 1 "" 20000 0 0 0 24 0.5 3100
EOF
run 0 "$EVERETT" run ./slow; one_line
run 0 "$EVERETT" run --progress always -q ./slow; one_line
: >patient
run 0 "$EVERETT" run --progress always ./slow
has err '^everett: tso/traces: 20000 executions, [0-9.]* k/s, about 2.1 M (1.6-2.8 M), [0-9]* \(s\|min\) left$'
hasnot err $'\r'

# What was found, what does not count, units, and an estimate that was too low.
fake_checker more <<'EOF'
say hello sc none
finding; finding
say progress 1234 5 6 0 99
say estimate 900 1200 1000000
until grep -q 'about 501 k' err; do sleep 0.1; done
say estimate 900 1000 1100
until grep -q '2 findings$' err; do sleep 0.1; done
say done 0 "time limit" 1234 5 6 0 24 0.5 3100
EOF
run 1 "$EVERETT" run --progress always ./more
has err '^everett: sc/none: 1234 executions, 5 blocked, 6 truncated, .*/s, 2 findings, about 501 k (1.2 k-1.0 M), ' \
	'^everett: sc/none: 1234 executions, 5 blocked, 6 truncated, .*/s, 2 findings$'
# The search starts again: what was known of its size does not hold.
fake_checker again <<'EOF'
say hello sc rf
say progress 100000 0 0 0 99
say estimate 1e6 2e6 3e6
until grep -q 'about 2.0 M' err; do sleep 0.1; done
say estimate 0 0 0
say progress 10 0 0 0 99
until grep -q ' 10 executions' err; do sleep 0.1; done
say done 0 "time limit" 4000 0 0 0 24 2 3100
EOF
run 3 "$EVERETT" run --progress always ./again
has err ' 100000 executions, .*, about 2.0 M (1.0-3.0 M), ' ' 10 executions, [0-9]*/s$' \
	' incomplete, 4000 executions, stopped at the time limit (0.00'
# The summary of a search that was stopped, and JSON.
fake_checker stops <<'EOF'
say hello sc none
say estimate 900 2100000 3e16
say done 0 "time limit" 1234 0 0 0 24 0.5 3100
EOF
run 3 "$EVERETT" run --json r.json ./stops
has err '^everett: sc/none: incomplete, 1234 executions, stopped at the time limit, about 2.1 M in all (1.2 k-3.0e+16) (0.00 s'
jq -e '.results[0].estimate == {low: 900, executions: 2100000, high: 3e16}' r.json >jq.out || fail "JSON of the estimate"
run 0 "$EVERETT" report r.json; has err 'about 2.1 M in all'
fake_checker lies <<'EOF'
say hello sc none
say estimate 3 2 1
say done 1 "" 6 0 0 0 24 0.5 3100
EOF
run 4 "$EVERETT" run ./lies

# On a terminal: one line, drawn again and again, not wider than that, and gone in the end.
if [ -n "$(command -v script)" ]; then
	terminal() # WIDTH
	{
		last="terminal of $1 columns"
		script -qc "stty cols $1; '$EVERETT' run ./slow" /dev/null >out 2>&1 </dev/null
	}
	terminal 200
	has out $'\r''everett: tso/traces: 20000 executions, [0-9.]* k/s, about 2.1 M (1.6-2.8 M), [0-9]* \(s\|min\) left' $'\r\033\\[K'
	terminal 80
	has out $'\r''everett: tso/traces: 20000 executions, [0-9.]* k/s, about 2.1 M, [0-9]* \(s\|min\) left'
	terminal 40
	has out $'\r''everett: tso/traces: 20000 executions'
	awk 'BEGIN { RS = "\r" } /^everett: tso.traces: 2/ { sub(/\033.*/, ""); if (length($0) > 39) print length($0) ": " $0 }' out >wide
	[ -s wide ] && fail "wider than the terminal: $(head -n 1 wide)"
fi

# ---- asked ----

cat >choose.c <<'EOF'
#include <everett.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x;
static void *writes(void *unused)
{
	for (int i = 0; i < 15; i++)
		atomic_store(&x, i);
	return unused;
}
int main(void)
{
	pthread_t a;
	pthread_create(&a, NULL, writes, NULL);
	writes(NULL);
	return pthread_join(a, NULL);
}
EOF

# ask WHOM COMMAND...: send SIGUSR1 to the driver, or to the checker, its child, while it works quietly.
ask()
{
	local whom=$1 pid
	shift
	"$@" >out 2>err &
	pid=$!
	until pgrep -P $pid >child || ! kill -0 $pid 2>/dev/null; do sleep 0.05; done
	# Nobody listens before the search has begun, and an answer may come before there is an estimate.
	until grep -q about err || ! kill -0 $pid 2>/dev/null; do
		if [ "$whom" = driver ]; then kill -USR1 $pid; else kill -USR1 "$(head -n 1 child)"; fi
		sleep 0.1
		kill -USR1 $pid # is answered by the same line
		sleep 1
	done
	kill -TERM $pid
	wait $pid
	last="SIGUSR1 to the $whom"
	[ "$(grep -vc ' executions, ' err)" = 0 ] || { fail "$last: not lines and the summary"; cat err; }
	has err '^everett: sc/none: [0-9]* executions, [0-9.]* [kM]/s, about [0-9.]* [MG] ([^)]*), ' ': incomplete, '
}
run 3 "$EVERETT" check -e none --max-executions 1 --keep chooses choose.c
ask driver "$EVERETT" run -e none -q ./chooses
ask checker "$EVERETT" run -e none -q ./chooses
# While it compiles there is nothing to say, and no reason to die.
"$EVERETT" check -q -e none choose.c --max-executions 1 2>err &
until pgrep -P $! >child || ! kill -0 $! 2>/dev/null; do sleep 0.02; done
kill -USR1 $!
wait $!
[ $? = 3 ] || fail "SIGUSR1 while compiling"

# Asking for it changes nothing.
run 0 "$EVERETT" check -e traces -DN=7 --json a.json "$TOP/bench/papers/lastwrite.c"
run 0 "$EVERETT" check -e traces -DN=7 --json b.json --progress always "$TOP/bench/papers/lastwrite.c"
for f in a b; do jq '.results[0] | del(.seconds, .peak_kib)' $f.json >$f.text; done
cmp -s a.text b.text || fail "progress changes the result"
finish
