#!/bin/bash
# How bench/papers calls nidhugg and genmc, and what it makes of what they print. Both are stand-ins here.
. "$(dirname "$0")/lib.bash"
. "$TOP/bench/papers/peers.bash"
last=peers.bash
mkdir bin
tools=$PATH

# A stand-in writes down its arguments, and does what the file `act` says.
stand_in()
{
	cat >"bin/$1" <<-END
	#!/bin/bash
	printf '%s\n' "$1 \$*" >>"$PWD/calls"
	. "$PWD/act"
	END
	chmod +x "bin/$1"
}
stand_in nidhuggc
stand_in genmc

# act: what the tools do next, from standard input.
act()
{
	cat >act
	: >calls
}

# called WORDS: the last call's arguments, without the folders.
called()
{
	local found
	found=$(tail -n 1 calls | sed -e 's/ -I[^ ]*//g')
	[ "$found" = "$*" ] || fail "called '$found', not '$*'"
}

# gives VERDICT COUNT BLOCKED COUNTS: what peer_run has just set.
gives()
{
	local found="$peer_verdict $peer_count $peer_blocked $peer_counts"
	[ "$found" = "$*" ] || fail "'$found' ($peer_reason), not '$*'"
}

seconds() # LEAST MOST
{
	awk "BEGIN { exit !(${peer_seconds:--1} >= $1 && ${peer_seconds:--1} <= $2) }" || fail "$peer_seconds s of CPU, not $1 to $2"
}

echo 'int main(void) { return 0; }' >a.c

# Without the tools it says so, with them nothing.
mkdir -p empty
found=$(PATH=$PWD/empty; peers_find; echo "${#peers[@]}")
[ "$found" = "nidhugg is not on PATH: its columns are left out
genmc is not on PATH: its columns are left out
0" ] || fail "without tools: $found"
PATH=$PWD/bin:$tools
peers_find >out
[ "${peers[*]}" = 'nidhugg genmc' ] && [ ! -s out ] || fail "with tools: ${peers[*]}, $(cat out)"

# Start-up: the least of three runs, of a program that has the headers of the others. An earlier nidhugg does not know one option.
act <<'END'
[[ "$*" != *-no-commute-rmws* ]] || exit 1
n=$(wc -l <"${BASH_SOURCE[0]%act}calls")
[ "$n" = 3 ] || for ((i = 0; i < 60000; i++)); do :; done
for file; do :; done
grep -q papers.h "$file" || exit 1
echo 'Trace count: 1'
echo 'Number of complete executions explored: 1'
END
peers_startup >out
[ ! -s out ] || fail "start-up: $(cat out)"
[ "$(grep -c ^nidhuggc calls)" = 4 ] && [ "$(grep -c ^genmc calls)" = 3 ] || fail "start-up: $(cat calls)"
awk "BEGIN { exit !(${peer_startup[nidhugg]} < ${peer_startup[genmc]} / 2) }" || fail "start-up: ${peer_startup[*]}"
awk "BEGIN { exit !(${peer_startup[genmc]} > 0.02) }" || fail "start-up: ${peer_startup[*]}"
[ "${nidhugg_traces[*]}" = '' ] || fail "an option that nidhugg does not know"

# Their results, and which options they get for what.
act <<'END'
cat <<'EOT'
Trace count: 2008
Await-blocked trace count: 113
Assume-blocked trace count: 88
Sleepset-blocked trace count: 33
No errors were detected.
Total wall-clock time: 0.68 s
EOT
END
peer_startup=([nidhugg]=0 [genmc]=0)
peer_run nidhugg sc/traces a.c -DN=3 -u 4 -DASSUME
gives ok 2008 234 traces
seconds 0 0.5
called nidhuggc -O2 -DEVERETT_VERIFIER -DN=3 -DASSUME -- -sc -optimal -disable-mutex-init-requirement -unroll=4 a.c
peer_run nidhugg sc/rf a.c --no-races
gives ok 2008 234 rf
called nidhuggc -O2 -DEVERETT_VERIFIER -- -sc -rf -disable-mutex-init-requirement a.c
peer_run nidhugg tso/traces a.c
called nidhuggc -O2 -DEVERETT_VERIFIER -- -tso -optimal -disable-mutex-init-requirement a.c
NIDHUGG_CFLAGS='-g -O1' NIDHUGG_FLAGS=-max-search-depth=9 peer_run nidhugg pso/traces a.c -u7
called nidhuggc -O2 -DEVERETT_VERIFIER -g -O1 -- -pso -source -disable-mutex-init-requirement -unroll=7 -max-search-depth=9 a.c

act <<'END'
cat <<'EOT'
Error detected: Safety violation!
Number of complete executions explored: 3
Number of blocked executions seen: 1
Total wall-clock time: 0.06s
EOT
exit 42
END
peer_run genmc sc/traces a.c -DN=3 -u 4
gives error 3 1 traces
called genmc -sc -disable-estimation -disable-mm-detector -unroll=4 -- -DEVERETT_VERIFIER -DN=3 a.c
peer_run genmc tso/traces a.c
called genmc -tso -disable-estimation -disable-mm-detector -- -DEVERETT_VERIFIER a.c
peer_run genmc ra/rf a.c --no-races
gives error 3 1 traces
called genmc -ra -disable-estimation -disable-mm-detector -disable-race-detection -- -DEVERETT_VERIFIER a.c

# Nothing blocked: then no line says so.
act <<'END'
echo 'Number of complete executions explored: 5 (1 exceeded bound)'
END
peer_run genmc sc/traces a.c
gives ok 5 0 traces

# CPU time is that of children, too, and start-up is taken off; never more than there is.
act <<'END'
bash -c 'until read -ra s </proc/$$/stat; ((s[13] + s[14] >= 20)); do for ((i = 0; i < 10000; i++)); do :; done; done'
sleep 0.1
echo 'Number of complete executions explored: 5'
END
peer_run genmc sc/traces a.c
seconds 0.1 1000
peer_startup[genmc]=0.05
peer_run genmc sc/traces a.c
seconds "$peer_cpu - 0.0501" "$peer_cpu - 0.0499"
peer_startup[genmc]=100
peer_run genmc sc/traces a.c
seconds 0 0

# What is no result.
act <<<'echo "clang: error: no such file"; exit 1'
peer_run nidhugg sc/traces a.c
gives failed '' '' traces
[[ $peer_reason == 'exit status 1: clang: error: no such file' && -z $peer_seconds ]] || fail "reason: $peer_reason"
act <<<'kill -SEGV $$'
peer_run genmc sc/traces a.c
gives failed '' '' traces
act <<<'echo "Trace count: many"; echo "the Trace count: 4"; echo "Number of complete executions explored:"'
peer_run nidhugg sc/traces a.c
gives failed '' '' traces
[[ $peer_reason == *"no 'Trace count'"* ]] || fail "reason: $peer_reason"
peer_run genmc sc/traces a.c
gives failed '' '' traces
act <<<'kill -KILL $$'
peer_run genmc sc/traces a.c
gives failed '' '' traces
act <<<'echo "Trace count: 4"; touch "$TMPDIR/left"; sleep 60'
PEER_TIMEOUT=0.3
peer_run nidhugg sc/traces a.c
gives timeout '' '' traces
act <<<'trap "" TERM; echo "Trace count: 4"; n=$SECONDS; while ((SECONDS < n + 60)); do sleep 0.1; done'
peer_run nidhugg sc/traces a.c
gives timeout '' '' traces
unset PEER_TIMEOUT

# What they are not asked.
act <<<'echo "Trace count: 4"'
for pair in sc/none sc/rvf tso/none pso/none ra/none ra/rf; do
	peer_run nidhugg $pair a.c
	gives unsupported '' '' ''
done
for pair in sc/none sc/rf sc/rvf tso/none pso/traces ra/none; do
	peer_run genmc $pair a.c
	gives unsupported '' '' ''
	[ "$peer_reason" = "genmc has nothing like $pair" ] || fail "reason: $peer_reason"
done
peer_run nidhugg sc/traces a.c --max-executions 5
[ "$peer_verdict: $peer_reason" = 'unsupported: nidhugg has no option that is like --max-executions' ] || fail "$peer_verdict: $peer_reason"
peer_run nidhugg sc/traces "$TOP/bench/papers/mpmc_queue.c"
[ "$peer_verdict: $peer_reason" = 'unsupported: nidhugg has nothing like everett_choose, which the program calls' ] ||
	fail "$peer_verdict: $peer_reason"
[ ! -s calls ] || fail "called: $(cat calls)"

# The programs of the folder compile for them, and their assumptions are theirs.
clang=$(command -v clang-19 || command -v clang-22 || command -v gcc)
grep -Lw -e everett_choose -e everett_loop_bound "$TOP"/bench/papers/*.c |
	xargs "$clang" -fsyntax-only -DEVERETT_VERIFIER -I"$TOP/include" -Werror=implicit-function-declaration >out 2>&1 || fail "$(head -n 3 out)"
"$clang" -DEVERETT_VERIFIER -DASSUME -I"$TOP/include" -c -o o.o "$TOP/bench/papers/parker.c"
nm o.o | grep -qw __VERIFIER_assume || fail "no __VERIFIER_assume in parker.c"
finish
