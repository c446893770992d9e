#!/bin/bash
# Robustness where stores are buffered: verdicts, the cycle that is drawn, and that the proposed fences make the program robust.
. "$(dirname "$0")/robust.bash"

not_robust sb.c:3 sb.c
has out '^    thread 1  sb.c:2  x = 1       --po-->  (still buffered)$' '^    thread 1  sb.c:3  read y = 0  --fr-->$'
has out '^    thread 2  sb.c:6  y = 1       --po-->  (still buffered)$' \
	'^    thread 2  sb.c:7  read x = 0  --fr-->  back to the first$'
has out 'between sb.c:2 and sb.c:3: a full fence' 'between sb.c:6 and sb.c:7: a full fence'
not_robust sb.c:3 -m pso sb.c
robust -m sc sb.c
robust mp.c
not_robust mp.c:3 -m pso mp.c
has out 'between mp.c:2 and mp.c:3: a release fence'
[ "$(grep -c '^    between' out)" = 1 ] || fail "the reader of mp.c needs no fence"
for p in lb forwarding; do robust -m tso,pso "$p.c"; done
robust -m sc,tso,pso "$TOP/tests/litmus/iriw.c"
not_robust n6.c:4 n6.c
robust w22.c
# The threads are alike: which one is first to be told of is the engine's affair.
not_robust 'w22.c:[37]' -m pso w22.c
has out '--co-->'
robust -m all fails.c
has err "^everett: note: some executions fail, which 'everett check' reports"
not_robust fails_late.c:3 fails_late.c

# Main as one of the threads.
for model in tso pso; do
	for other in 'atomic_fetch_add(&y, 1)' 'atomic_store(&y, 1)' 'atomic_exchange(&y, 1)'; do
		not_robust main_sb.c:9 -m $model "-DOTHER=$other" main_sb.c
		has out '^    thread 0  main_sb.c:8  x = 1  *--po-->  (still buffered)$' '^    thread 0  main_sb.c:9  read y = 0  *--fr-->$'
		[ "$(grep -c 'still buffered' out)" = 1 ] || fail "$last: the other thread buffers nothing"
		[ "$(grep -c '^    between' out)" = 1 ] || fail "$last: the other thread needs no fence"
	done
	not_robust deque.c:9 -m $model -DFENCE= deque.c
	has out '^    thread 0  deque.c:8 .*bottom = 1  *--po-->  (still buffered)$' '^    thread 0  deque.c:9 .*read top = 0  *--fr-->$'
	robust -m $model '-DFENCE=atomic_thread_fence(memory_order_seq_cst);' deque.c
done
# Every place, and only stores are buffered.
run 1 "$EVERETT" robust --check -k -m pso main_mp.c
has err '(complete: yes; 3 findings; '
for place in 4 10 11; do has out "^main_mp.c:$place:[0-9]*: not-robust"; done
hasnot out ' read .*(still buffered)'

# The model may reorder what it did not reorder in this execution: all that is needed is proposed. With one fence in place
# only the other is missing.
sed 's/^.(void)READ(x);/atomic_thread_fence(memory_order_seq_cst); &/' sb.c >half.c
sed -i 's/"sb.c"/"half.c"/' half.c
not_robust half.c:3 half.c
[ "$(grep -c '^    between' out)" = 1 ] || fail "the other pair has its fence"

repair sb tso "3:full 7:full"
repair sb pso "3:full 7:full"
repair mp pso "3:release"
repair w22 pso "3:release 7:release"
repair n6 tso "4:full"
# Under PSO right needs a fence as well: y = 1 may come to memory after x = 2.
repair n6 pso "4:full 8:release"
# Under TSO the lock's stores must not be overtaken by its loads.
repair peterson tso "5:full"
# Under PSO, moreover, the flag comes before the turn, and the counter before the flag that gives it free.
repair peterson pso "4:release 5:full 7:release"

# --keep-going: every place, each with a cycle, and each can be replayed.
run 1 "$EVERETT" robust -k -m tso --json r.json sb.c
has err '(complete: yes; 2 findings; '
has out '^sb.c:3:[0-9]*: not-robust' '^sb.c:7:[0-9]*: not-robust'
run 1 "$EVERETT" replay --finding 2 r.json
has out '^sb.c:7:[0-9]*: not-robust'
has r.json '"command": "robust"' '"kind": "not-robust"' '"schedule": "1;' '"verdict": "finding"'
run 0 "$EVERETT" report r.json
has err 'FINDING not-robust at sb.c:3'

# Several models: one verdict each.
run 1 "$EVERETT" robust -m tso,pso --json r.json mp.c
has err '^everett: tso/[a-z]*: robust, ' '^everett: pso/[a-z]*: FINDING not-robust at mp.c:3'
has r.json '"verdict": "ok"' '"verdict": "finding"'
run 0 "$EVERETT" report r.json
has err '^everett: tso/[a-z]*: robust, '
run 1 "$EVERETT" replay r.json
has err '^everett: pso/'
run 1 "$EVERETT" robust -m all -q sb.c
[ "$(grep -c '^everett: [a-z0-9]*/' err)" = 5 ] || fail "all is sc, tso, pso, ra and rc11"

# A limit: nothing was verified.
run 3 "$EVERETT" robust --max-executions 2 mp.c
has err ': incomplete, 2 executions, '
hasnot err robust

# Loops are bounded as in check; findings that make the search unreliable are findings here, too.
printf '#include <everett.h>\nstatic volatile int v;\nint main(void) { if (everett_choose(N)) return 0; while (v < 9) v++; return 0; }\n' >loop.c
run 0 "$EVERETT" robust -u 3 -DN=2 loop.c
has err 'robust, 1 execution, 1 truncated, complete within bound 3'
run 3 "$EVERETT" robust -u 3 -DN=1 loop.c
has err 'incomplete, 0 executions, 1 truncated, every execution was cut by the loop bound: nothing was verified'
run 1 "$EVERETT" robust --execution-timeout 0.5 "$TOP/tests/findings/no_progress.c"
has err 'FINDING no-progress at '
finish
