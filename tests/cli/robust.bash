# What the tests of robustness share: programs, and how they are judged and repaired.
# shellcheck shell=bash
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
	has err "^everett: [a-z0-9]*/[a-z]*: robust, [0-9]* executions*, .*complete ("
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
