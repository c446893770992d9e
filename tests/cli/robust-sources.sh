#!/bin/bash
# Robustness where models leave the order of writes open: the same for RA and RC11, and the orders that make the program robust.
. "$(dirname "$0")/robust.bash"

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

# RA: an execution is one of SC if some order of its writes makes it one. Nobody reads the writes of w22, or the last ones of n6.
for p in mp lb forwarding; do robust -m ra $p.c; done
robust -m ra n6.c
robust -m ra w22.c
for engine in rf none; do
	not_robust sb.c:3 -m ra -e $engine sb.c
	has out '^    thread 1  sb.c:2  x = 1       --po-->$' '^    thread 1  sb.c:3  read y = 0  --fr-->$'
	has out '^    thread 2  sb.c:6  y = 1       --po-->$' '^    thread 2  sb.c:7  read x = 0  --fr-->  back to the first$'
	has out 'between sb.c:2 and sb.c:3: a full fence' 'between sb.c:6 and sb.c:7: a full fence'
	# No order of an access makes a difference there.
	hasnot out 'stronger orders'
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

repair sb ra "3:full 7:full"
repair w_rwc ra "3:full 11:full"
# Here a lock needs fences before and behind the turn: of who writes that last, the other's flag may still not be seen.
repair peterson ra "4:full 5:full"
repair trylock ra "5:full 9:full"

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

# --keep-going: every place.
run 1 "$EVERETT" robust -k -m ra --check sb.c
has err '(complete: yes; 2 findings; '
has out '^sb.c:3:[0-9]*: not-robust' '^sb.c:7:[0-9]*: not-robust'
finish
