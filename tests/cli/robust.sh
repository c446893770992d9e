#!/bin/bash
# Robustness: verdicts, the cycle that is drawn, and that the proposed fences make the program robust.
. "$(dirname "$0")/lib.bash"

# program NAME: main and what a litmus test needs around the threads on standard input, which begin at line 1.
program() {
	{
		printf '#line 1 "top.h"\n#include <everett.h>\n#include "%s/tests/litmus/litmus.h"\n' "$TOP"
		printf 'static atomic_int x, y, flag[2], turn;\n'
		printf '#define WRITE_%s(x, value) atomic_store_explicit(&(x), value, memory_order_%s)\n' release release seq_cst seq_cst
		printf '#define READ_%s(x) atomic_load_explicit(&(x), memory_order_%s)\n' acquire acquire seq_cst seq_cst
		printf '#line 1 "%s.c"\n' "$1"
		cat
	} >"$1.c"
}

program sb <<'END'
THREAD(left) {
	WRITE(x, 1);
	(void)READ(y);
	return argument; }
THREAD(right) {
	WRITE(y, 1);
	(void)READ(x);
	return argument; }
int main(void) { RUN(left, right); }
END
program mp <<'END'
THREAD(writer) {
	WRITE(x, 1);
	WRITE(y, 1);
	return argument; }
THREAD(reader) {
	(void)READ(y);
	(void)READ(x);
	return argument; }
int main(void) { RUN(writer, reader); }
END
program lb <<'END'
THREAD(left) {
	(void)READ(x);
	WRITE(y, 1);
	return argument; }
THREAD(right) {
	(void)READ(y);
	WRITE(x, 1);
	return argument; }
int main(void) { RUN(left, right); }
END
# Fig. 5 of paper 004: the load is served by the buffer or by memory, and nobody can tell.
program forwarding <<'END'
THREAD(left) {
	WRITE(x, 1);
	(void)READ(x);
	return argument; }
THREAD(right) {
	WRITE(x, 2);
	return argument; }
int main(void) { RUN(left, right); }
END
# n6: here one can. x = 1 comes last, but was read before y = 0, which was read before y = 1, before x = 2.
program n6 <<'END'
THREAD(left) {
	WRITE(x, 1);
	(void)READ(x);
	(void)READ(y);
	return argument; }
THREAD(right) {
	WRITE(y, 1);
	WRITE(x, 2);
	return argument; }
int main(void) { RUN(left, right); }
END
program w22 <<'END'
THREAD(left) {
	WRITE(x, 1);
	WRITE(y, 2);
	return argument; }
THREAD(right) {
	WRITE(y, 1);
	WRITE(x, 2);
	return argument; }
int main(void) { RUN(left, right); }
END
# Peterson's lock around a counter. Who would have to wait does not go on.
program peterson <<'END'
static int counter;
static void lock(int me) {
	WRITE(flag[me], 1);
	WRITE(turn, !me);
	everett_assume(!READ(flag[!me]) || READ(turn) == me); }
static void unlock(int me) {
	WRITE(flag[me], 0); }
THREAD(one) {
	lock(0);
	counter++;
	unlock(0);
	return argument; }
THREAD(two) {
	lock(1);
	counter++;
	unlock(1);
	return argument; }
int main(void) { RUN(one, two); }
END
# A failed assertion is not the question: this one fails under every model, in an execution of SC.
program fails <<'END'
THREAD(one) {
	WRITE(x, 1);
	return argument; }
THREAD(two) {
	assert(READ(x) == 0);
	return argument; }
int main(void) { RUN(one, two); }
END
# What a thread did before it failed counts, and so does what others do afterwards.
program fails_late <<'END'
THREAD(left) {
	WRITE(x, 1);
	int r = READ(y);
	assert(r == 1);
	return argument; }
THREAD(right) {
	WRITE(y, 1);
	(void)READ(x);
	return argument; }
int main(void) { RUN(left, right); }
END

# Main is one of the racing threads: it drains its buffer where it creates the other, and goes on.
program main_sb <<'END'
static void *other(void *argument) {
	OTHER;
	(void)READ(x);
	return argument; }
int main(void) {
	pthread_t t;
	pthread_create(&t, NULL, other, NULL);
	WRITE(x, 1);
	(void)READ(y);
	pthread_join(t, NULL);
	return 0; }
END
program main_mp <<'END'
static void *other(void *argument) {
	WRITE(turn, 1);
	(void)READ(y);
	(void)READ(x);
	return argument; }
int main(void) {
	pthread_t t;
	pthread_create(&t, NULL, other, NULL);
	WRITE(x, 1);
	(void)READ(turn);
	WRITE(y, 1);
	pthread_join(t, NULL);
	return 0; }
END
# Under RA readers may disagree about the order of two writes. The piece of happens-before from y = 1 to the last read needs one fence.
program w_rwc <<'END'
THREAD(left) {
	WRITE(x, 1);
	(void)READ(y);
	return argument; }
THREAD(middle) {
	WRITE(y, 1);
	WRITE(turn, 1);
	return argument; }
THREAD(right) {
	(void)READ(turn);
	(void)READ(x);
	return argument; }
int main(void) { RUN(left, middle, right); }
END
# Of the two fences one happens before the other. If that is left's, the reads that find 0 have no interleaving with both fences; but
# right's may come first, and nobody can tell.
program chain <<'END'
THREAD(left) {
	WRITE(x, 1);
	atomic_thread_fence(memory_order_seq_cst);
	return argument; }
THREAD(right) {
	atomic_thread_fence(memory_order_seq_cst);
	(void)READ(y);
	return argument; }
THREAD(other) {
	WRITE(y, 1);
	(void)READ(x);
	return argument; }
int main(void) { RUN(left, right, other); }
END
# Program order is there only by way of threads that are created.
program nested <<'END'
static void *read_x(void *argument) {
	(void)READ(x);
	return argument; }
static void *read_y(void *argument) {
	CHILD (void)READ(y);
	return argument; }
THREAD(left) {
	pthread_t t;
	WRITE(x, 1);
	pthread_create(&t, NULL, read_y, NULL);
	pthread_join(t, NULL);
	return argument; }
THREAD(right) {
	pthread_t t;
	WRITE(y, 1);
	pthread_create(&t, NULL, read_x, NULL);
	pthread_join(t, NULL);
	return argument; }
int main(void) { RUN(left, right); }
END
# A trylock may find a mutex locked that was released long ago.
program trylock <<'END'
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
THREAD(left) {
	pthread_mutex_lock(&m);
	pthread_mutex_unlock(&m);
	(void)READ(y);
	return argument; }
THREAD(right) {
	WRITE(y, 1);
	if (pthread_mutex_trylock(&m) == 0)
		pthread_mutex_unlock(&m);
	return argument; }
int main(void) { RUN(left, right); }
END
# What threads share is accessed under locks, or by one update each.
program locks <<'END'
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
static long a, b;
THREAD(left) {
	pthread_mutex_lock(&m);
	a++;
	pthread_mutex_unlock(&m);
	pthread_mutex_lock(&n);
	b++;
	pthread_mutex_unlock(&n);
	atomic_fetch_add_explicit(&x, 1, memory_order_relaxed);
	return argument; }
int main(void) { RUN(left, left); }
END
# A struct is copied as a whole, and its members are accessed apart.
program sizes <<'END'
static struct { int low, high; } both, copy;
THREAD(left) {
	both.low = 1;
	both.high = 1;
	(void)READ(y);
	return argument; }
THREAD(right) {
	WRITE(y, 1);
	FENCE copy = both;
	return argument; }
int main(void) { RUN(left, right); }
END
# Chase and Lev's deque, where main is the owner: it takes at the bottom what a thief steals at the top.
program deque <<'END'
static atomic_int top, bottom, tasks[2];
static void push(int task) {
	int b = READ(bottom);
	WRITE(tasks[b], task);
	WRITE(bottom, b + 1); }
static void take(void) {
	int b = READ(bottom) - 1;
	WRITE(bottom, b); FENCE
	int t = READ(top);
	if (t > b)
		WRITE(bottom, b + 1);
	else if (t == b) {
		atomic_compare_exchange_strong(&top, &t, t + 1);
		WRITE(bottom, b + 1);
	} }
static void steal(void) {
	int t = READ(top);
	if (t < READ(bottom)) {
		(void)READ(tasks[t]);
		atomic_compare_exchange_strong(&top, &t, t + 1);
	} }
static void *thief(void *argument) {
	steal();
	steal();
	return argument; }
int main(void) {
	pthread_t p;
	push(1);
	push(2);
	pthread_create(&p, NULL, thief, NULL);
	take();
	pthread_join(p, NULL);
	return 0; }
END

robust() {
	run 0 "$EVERETT" robust --check "$@"
	has err "^everett: [a-z0-9]*/[a-z]*: robust, [0-9]* executions, .*complete ("
	hasnot err FINDING
}

# not_robust FILE:LINE OPTIONS...: the first place that is named is this one, or one that the pattern fits. The execution can be
# replayed, both ways.
not_robust() {
	local place=$1
	shift
	run 1 "$EVERETT" robust --check --json r.json "$@"
	has err "^everett: [a-z0-9]*/[a-z]*: FINDING not-robust at $place after"
	place=$(sed -n 's/^everett: .*: FINDING not-robust at \([^ ]*\) after.*/\1/p' err)
	has out "^$place:[0-9]*: not-robust: not possible under SC"
	run 1 "$EVERETT" replay r.json
	has out "^$place:[0-9]*: not-robust: "
	run 1 "$EVERETT" robust "$@"
	eval "words=($(sed -n 's/^ *replay: everett//p' out))"
	run 1 "$EVERETT" "${words[@]}"
	has out "^$place:[0-9]*: not-robust: "
}

not_robust sb.c:3 sb.c
has out '^    thread 1  sb.c:2  x = 1       --po-->  (still buffered then)$' '^    thread 1  sb.c:3  read y = 0  --fr-->$'
has out '^    thread 2  sb.c:6  y = 1       --po-->  (still buffered then)$' \
	'^    thread 2  sb.c:7  read x = 0  --fr-->  back to the first$'
has out 'between sb.c:2 and sb.c:3: a full fence' 'between sb.c:6 and sb.c:7: a full fence'
not_robust sb.c:3 -m pso sb.c
robust -m sc sb.c
robust mp.c
not_robust mp.c:3 -m pso mp.c
has out 'between mp.c:2 and mp.c:3: a release fence'
[ "$(grep -c '^    between' out)" = 1 ] || fail "the reader of mp.c needs no fence"
for p in lb forwarding; do robust -m tso,pso,ra "$p.c"; done
robust -m sc,tso,pso "$TOP/tests/litmus/iriw.c"
not_robust n6.c:4 n6.c
robust w22.c
# The threads are alike: which one is first to be told of is the engine's affair.
not_robust 'w22.c:[37]' -m pso w22.c
has out '--co-->'
robust -m all fails.c
has err "^everett: note: some executions have faults that 'everett check' reports"
not_robust fails_late.c:3 fails_late.c

# RA: an execution is one of SC if some order of its writes makes it one. Nobody reads the writes of w22, or the last ones of n6.
robust -m ra mp.c
robust -m ra n6.c
robust -m ra w22.c
for engine in rf none; do
	not_robust sb.c:3 -m ra -e $engine sb.c
	has out '^    thread 1  sb.c:2  x = 1       --po-->$' '^    thread 1  sb.c:3  read y = 0  --fr-->$'
	has out '^    thread 2  sb.c:6  y = 1       --po-->$' '^    thread 2  sb.c:7  read x = 0  --fr-->  back to the first$'
	has out 'between sb.c:2 and sb.c:3: a full fence' 'between sb.c:6 and sb.c:7: a full fence'
	# No order of an access makes a difference there.
	hasnot out 'seq_cst:$'
	not_robust ".*/iriw.c:2[28]" -m ra -e $engine "$TOP/tests/litmus/iriw.c"
	has out '--rf-->' 'iriw.c:21 and .*iriw.c:22: a full fence' 'iriw.c:27 and .*iriw.c:28: a full fence'
	robust -m ra -e $engine chain.c
	robust -m ra -e $engine locks.c
	not_robust 'trylock.c:[59]' -m ra -e $engine trylock.c
	has out 'unlock m.*--po-->' 'trylock m.*--fr-->' 'trylock.c:4 and trylock.c:5: a full fence' 'trylock.c:8 and trylock.c:9: a full fence'
	not_robust 'nested.c:1[06]' -m ra -e $engine -DCHILD= nested.c
	has out '--create-->' 'between nested.c:9 and nested.c:10: a full fence' 'between nested.c:15 and nested.c:16: a full fence'
	# One that is in the created thread will do.
	not_robust nested.c:16 -m ra -e $engine '-DCHILD=atomic_thread_fence(memory_order_seq_cst);' nested.c
	[ "$(grep -c '^    between' out)" = 1 ] || fail "$last: read_y has its fence"
	not_robust 'sizes.c:[59]' -m ra -e $engine -DFENCE= sizes.c
done
robust -m all locks.c
# Half of the fences are there.
not_robust sizes.c:5 -m ra '-DFENCE=atomic_thread_fence(memory_order_seq_cst);' sizes.c
[ "$(grep -c '^    between' out)" = 1 ] || fail "$last: the other pair has its fence"

# Main as one of the threads.
for model in tso pso; do
	for other in 'atomic_fetch_add(&y, 1)' 'atomic_store(&y, 1)' 'atomic_exchange(&y, 1)'; do
		not_robust main_sb.c:9 -m $model "-DOTHER=$other" main_sb.c
		has out '^    thread 0  main_sb.c:8  x = 1  *--po-->  (still buffered then)$' '^    thread 0  main_sb.c:9  read y = 0  *--fr-->$'
		[ "$(grep -c 'still buffered then' out)" = 1 ] || fail "$last: the other thread buffers nothing"
		[ "$(grep -c '^    between' out)" = 1 ] || fail "$last: the other thread needs no fence"
	done
	not_robust deque.c:9 -m $model -DFENCE= deque.c
	has out '^    thread 0  deque.c:8 .*bottom = 1  *--po-->  (still buffered then)$' '^    thread 0  deque.c:9 .*read top = 0  *--fr-->$'
	robust -m $model '-DFENCE=atomic_thread_fence(memory_order_seq_cst);' deque.c
done
# Every place, and only stores are buffered.
run 1 "$EVERETT" robust --check -k -m pso main_mp.c
has err '(complete: yes; 3 findings; '
for place in 4 10 11; do has out "^main_mp.c:$place:[0-9]*: not-robust"; done
hasnot out ' read .*(still buffered then)'

# The model may reorder what it did not reorder in this execution: all that is needed is proposed. With one fence in place
# only the other is missing.
sed 's/^.(void)READ(x);/atomic_thread_fence(memory_order_seq_cst); &/' sb.c >half.c
sed -i 's/"sb.c"/"half.c"/' half.c
not_robust half.c:3 half.c
[ "$(grep -c '^    between' out)" = 1 ] || fail "the other pair has its fence"

# repair NAME MODEL FENCES: put the fences where they are proposed, until there is nothing to propose. These are lines and
# kinds, as in "3:full".
repair() {
	local name=$1 model=$2 want=$3 all='' fences line kind round
	cp "$name.c" fixed.c
	for round in 1 2 3 4 5 6; do
		"$EVERETT" robust -m "$model" fixed.c >out 2>err
		case $? in
		0) break ;;
		1) ;;
		*) fail "repair $name $model: $(cat err)"; return ;;
		esac
		fences=$(sed -n "s/^    between $name.c:[0-9:]* and $name.c:\([0-9]*\)[0-9:]*: a \([a-z]*\) fence.*/\1:\2/p" out)
		for line in $fences; do
			kind=${line#*:}
			all+=" $line"
			[ "$kind" = full ] && kind=seq_cst
			# On the same line, so that the numbers stay.
			awk -v n="${line%:*}" -v fence="atomic_thread_fence(memory_order_$kind);" \
				'/^#line 1 "'"$name"'.c"/ { base = NR } base && NR == base + n { $0 = fence " " $0 } { print }' \
				fixed.c >new.c
			mv new.c fixed.c
		done
	done
	last="repair $name $model"
	has err ": robust, .* complete"
	# shellcheck disable=SC2086
	all=$(printf '%s\n' $all | sort -n | tr '\n' ' ')
	[ "${all% }" = "$want" ] || fail "repair $name $model: fences at '${all% }', not '$want', after round $round"
	run 0 "$EVERETT" robust --check -m "$model" fixed.c
}

repair sb tso "3:full 7:full"
repair sb ra "3:full 7:full"
repair w_rwc ra "3:full 11:full"
# Here a lock needs fences before and behind the turn: of who writes that last, the other's flag may still not be seen.
repair peterson ra "4:full 5:full"
repair trylock ra "5:full 9:full"
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

# RC11 has the executions of RA where accesses release and acquire, and more where they do not.
for engine in rf none; do
	not_robust sb.c:3 -m rc11 -e $engine sb.c
	not_robust mp.c:3 -m rc11 -e $engine mp.c
	has out '--rf-->' 'between mp.c:2 and mp.c:3: a full fence' 'between mp.c:6 and mp.c:7: a full fence'
	for p in lb forwarding w22 chain locks; do robust -m rc11 -e $engine $p.c; done
	# x = 2 does not make y = 1 known to who reads it.
	not_robust n6.c:8 -m rc11 -e $engine n6.c
	not_robust 'trylock.c:[59]' -m rc11 -e $engine trylock.c
	not_robust 'nested.c:1[06]' -m rc11 -e $engine -DCHILD= nested.c
	not_robust 'sizes.c:[59]' -m rc11 -e $engine -DFENCE= sizes.c
done
repair sb rc11 "3:full 7:full"
repair mp rc11 "3:full 7:full"
repair w_rwc rc11 "3:full 7:full 11:full"
repair trylock rc11 "5:full 9:full"

# strengthen NAME ORDERS: the same, with the orders that are proposed.
strengthen() {
	local name=$1 want=$2 all='' line order
	cp "$name.c" fixed.c
	for round in 1 2 3 4 5 6; do
		"$EVERETT" robust -m rc11 fixed.c >out 2>err && break
		orders=$(sed -n "s/^    $name.c:\([0-9]*\):[0-9]*: \([a-z_]*\) instead of .*/\1:\2/p" out)
		for line in $orders; do
			all+=" $line"
			order=${line#*:}
			awk -v n="${line%:*}" -v order="$order" '/^#line 1 "'"$name"'.c"/ { base = NR }
				base && NR == base + n { sub(/(WRITE|READ)[a-z_]*/, "&_" order); sub(/_(release|acquire)_/, "_") } { print }' fixed.c >new.c
			mv new.c fixed.c
		done
	done
	last="strengthen $name"
	has err ': robust, .* complete'
	# shellcheck disable=SC2086
	all=$(printf '%s\n' $all | sort -n | tr '\n' ' ')
	[ "${all% }" = "$want" ] || fail "$last: orders '${all% }', not '$want', after round $round"
	for engine in rf none; do run 0 "$EVERETT" robust --check -m rc11 -e $engine fixed.c; done
}
strengthen sb "2:seq_cst 3:seq_cst 6:seq_cst 7:seq_cst"
strengthen mp "3:release 6:acquire"
# Store buffering, of which one half is handed on by turn.
strengthen w_rwc "2:seq_cst 3:seq_cst 6:seq_cst 7:release 10:acquire 11:seq_cst"

# --keep-going: every place, each with a cycle, and each can be replayed.
run 1 "$EVERETT" robust -k -m tso --json r.json sb.c
has err '(complete: yes; 2 findings; '
has out '^sb.c:3:[0-9]*: not-robust' '^sb.c:7:[0-9]*: not-robust'
run 1 "$EVERETT" replay --finding 2 r.json
has out '^sb.c:7:[0-9]*: not-robust'
has r.json '"command": "robust"' '"kind": "not-robust"' '"schedule": "1;' '"verdict": "finding"'
run 0 "$EVERETT" report r.json
has err 'FINDING not-robust at sb.c:3'

run 1 "$EVERETT" robust -k -m ra --check sb.c
has err '(complete: yes; 2 findings; '
has out '^sb.c:3:[0-9]*: not-robust' '^sb.c:7:[0-9]*: not-robust'

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
has err 'robust, 1 executions, 1 truncated, complete within bound 3'
run 3 "$EVERETT" robust -u 3 -DN=1 loop.c
has err 'incomplete, 0 executions, 1 truncated, every execution was cut by the loop bound: nothing was verified'
run 1 "$EVERETT" robust --execution-timeout 0.5 "$TOP/tests/findings/no_progress.c"
has err 'FINDING no-progress at '
finish
