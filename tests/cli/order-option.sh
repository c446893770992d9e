# --order: a program with one memory order changed is checked as if it had been compiled with it.
. "$TOP/tests/orders/weaken.bash"
. "$TOP/tests/cli/lib.bash"

# What came out of a check, without what differs from run to run.
outcome()
{
	"$EVERETT" check -q -m "$model" --no-simplify --json result.json "$@" >out 2>err
	jq -c '.results[0] | [.verdict, .executions, .blocked, .events, (.findings[0] | .kind, .line, .schedule)]' result.json
}

# place FILE SITE: FILE:LINE:COLUMN of the macro, and the operation there.
place()
{
	awk -v site="$2" -v file="${1##*/}" '
		match($0, "(LOAD|STORE|ADD|EXCHANGE|FENCE|CAS)\\(([a-z_0-9]+, [a-z_]+, )?" site ",") { print file ":" NR ":" RSTART; exit }' "$1"
}

# same PROGRAM: whatever order is weakened, compiling it in comes to the same.
same()
{
	local program=$1 site operation order weaker at slash compared=0 found=0
	while read -r site operation order; do
		at=$(place "$TOP/tests/orders/$program.c" "$site")
		slash=
		grep -qE "CAS\([a-z_0-9]+, [a-z_]+, $site," "$TOP/tests/orders/$program.c" && slash=/
		while read -r weaker; do
			[ -n "$weaker" ] || continue
			compiled=$(outcome "-DWEAKEN_$site=$weaker" "$TOP/tests/orders/$program.c")
			changed=$(outcome --order "$at=$slash$weaker" "$TOP/tests/orders/$program.c")
			# Addresses may differ by a fence's code, and with them the schedule.
			[ "$(jq -c '.[:6]' <<<"$compiled")" = "$(jq -c '.[:6]' <<<"$changed")" ] ||
				fail "$program: $site $order $weaker: compiled $compiled, changed $changed"
			compared=$((compared + 1))
			[[ $changed != *finding* ]] || found=$((found + 1))
		done < <(weaker_orders "$operation" "$order")
	done < <(sites "$TOP/tests/orders/$program.c")
	[ $compared -ge 2 ] && [ $found -ge 1 ] || fail "$program: $compared compared, $found with a finding"
}
model=rc11
same seqlock
same dekker_fences
same ticket
model=ra
same dekker_fences

cat >mp.c <<'END'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int flag;
static int data;
static void *one(void *a)
{
	data = 1;
	FENCE
	STORE
	return a;
}
static void *two(void *a)
{
	LOAD
		assert(data == 1);
	return a;
}
int main(void)
{
	pthread_t t, u;
	pthread_create(&t, 0, one, 0);
	pthread_create(&u, 0, two, 0);
	pthread_join(t, 0);
	pthread_join(u, 0);
	return 0;
}
END
program() { sed -e "s/FENCE/$2/" -e "s/STORE/$3/" -e "s/LOAD/$4/" mp.c >"$1"; }
store() { echo "atomic_store_explicit(\&flag, 1, memory_order_$1);"; }
load() { echo "if (atomic_load_explicit(\&flag, memory_order_$1))"; }
program a.c '' "$(store release)" "$(load acquire)"
run 0 "$EVERETT" check -q a.c
run 1 "$EVERETT" check -q --order a.c:10=relaxed --json a.json a.c
has err 'rc11/rf: FINDING race at a.c:'
# The report says so, and its replay changes the same order.
[ "$(jq -c .options a.json)" = '["--order","a.c:10=relaxed"]' ] || fail "options $(jq -c .options a.json)"
[ "$(jq -r '.results[0].findings[0].events[] | select(.line == 10) | .order' a.json)" = relaxed ] || fail "the event has another order"
run 1 "$EVERETT" replay -q a.json
has err 'rc11/rf: FINDING race at a.c:'
# Several changes; a program with seq_cst orders alone is checked under rc11 if one is weakened.
program b.c '' "flag = 1;" "if (flag)"
run 0 "$EVERETT" check -q b.c
has err '^everett: sc/rf: ok'
run 0 "$EVERETT" check -q --order b.c:10:7=release --order ./b.c:15:6:load=acquire b.c
has err '^everett: rc11/rf: ok'
run 1 "$EVERETT" check -q --order b.c:10=release --order b.c:15=relaxed b.c
# A fence that is relaxed is none, and one that was none in effect can be one.
program c.c "atomic_thread_fence(memory_order_release);" "$(store relaxed)" "$(load acquire)"
run 0 "$EVERETT" check -q c.c
run 1 "$EVERETT" check -q --order c.c:9=relaxed --json c.json c.c
! jq -e '.results[0].findings[0].events[] | select(.kind == "fence")' c.json >/dev/null || fail "a relaxed fence is an event"
run 1 "$EVERETT" check -q --order c.c:9=acquire c.c
run 0 "$EVERETT" check -q --order c.c:9=relaxed --order c.c:10=release c.c
# Both orders of a compare-exchange.
program d.c '' "$(store release)" "int no = 1; if (!atomic_compare_exchange_strong_explicit(\&flag, \&no, 2, memory_order_acquire, memory_order_relaxed)) return a; else"
run 0 "$EVERETT" check -q d.c
run 1 "$EVERETT" check -q --order d.c:15=relaxed d.c
program d.c '' "$(store release)" "int no = 2; if (atomic_compare_exchange_strong_explicit(\&flag, \&no, 3, memory_order_acquire, memory_order_acquire) || no != 1) return a; else"
run 0 "$EVERETT" check -q --order d.c:15=relaxed d.c
run 1 "$EVERETT" check -q --order d.c:15=/relaxed d.c
run 1 "$EVERETT" check -q --order d.c:15=acq_rel/relaxed d.c
# Operations that are calls of the library.
cat >big.c <<'END'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static _Atomic struct three { long a, b, c; } big;
static int data;
static void *one(void *a)
{
	data = 1;
	atomic_store_explicit(&big, ((struct three){ 1, 1, 1 }), memory_order_release);
	return a;
}
int main(void)
{
	pthread_t t;
	pthread_create(&t, 0, one, 0);
	struct three got = atomic_load_explicit(&big, memory_order_acquire); if (got.c)
		assert(data == 1);
	pthread_join(t, 0);
	return 0;
}
END
run 0 "$EVERETT" check -q big.c
run 1 "$EVERETT" check -q --order big.c:9=relaxed big.c
run 1 "$EVERETT" check -q --order big.c:16=relaxed big.c
# A checker that `everett cc` linked, by itself; a name with a blank in it.
mkdir 'a b' && cp a.c 'a b/a,c.c'
run 0 "$EVERETT" cc -g -o checker 'a b/a,c.c'
run 1 "$EVERETT" run -q --order 'a b/a,c.c:10=relaxed' ./checker
EVERETT_OPTIONS='-q --order a,c.c:10=relaxed' EVERETT=$EVERETT run 1 ./checker

# ---- fences ----

# A fence that the program does not have, before each kind of access: the same as one that is compiled in.
cat >before.c <<'END'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#define FENCE(n) (which == n ? atomic_thread_fence(memory_order_seq_cst) : (void)0)
static int which;
static _Atomic struct three { long a, b, c; } big;
static atomic_int x, y;
static int a, b;
static void *one(void *p)
{
	FENCE(1), atomic_store_explicit(&x, 1, memory_order_relaxed);
	a = (FENCE(2), atomic_load_explicit(&y, memory_order_relaxed));
	FENCE(3), atomic_fetch_add_explicit(&x, 1, memory_order_relaxed);
	return p;
}
static void *two(void *p)
{
	int zero = 0;
	FENCE(4), atomic_compare_exchange_strong_explicit(&y, &zero, 1, memory_order_relaxed, memory_order_relaxed);
	FENCE(5), atomic_store_explicit(&big, ((struct three){ 1, 1, 1 }), memory_order_relaxed);
	b = (FENCE(6), atomic_load_explicit(&x, memory_order_relaxed));
	return p;
}
int main(int argc, char **argv)
{
	pthread_t t, u;
	which = argc > 1 ? atoi(argv[1]) : 0;
	pthread_create(&t, 0, one, 0);
	pthread_create(&u, 0, two, 0);
	FENCE(7), atomic_store_explicit(&y, 2, memory_order_relaxed);
	struct three got = (FENCE(8), atomic_load_explicit(&big, memory_order_relaxed));
	assert(got.a == got.c);
	pthread_join(t, 0);
	pthread_join(u, 0);
	return 0;
}
END
counts()
{
	"$EVERETT" run -q -m tso,pso,rc11 --json result.json "$@" >out 2>err
	jq -c '[.results[] | [.verdict, .executions, .blocked, .events]]' result.json
}
run 0 "$EVERETT" cc -g -Wno-atomic-alignment -o before before.c
without=$(counts before)
distinct=0
while read -r n place; do
	compiled=$(counts before -- "$n")
	added=$(counts --order "before.c:$place=seq_cst" before)
	[ "$compiled" = "$added" ] || fail "a fence at $n: compiled $compiled, added $added"
	[ "$added" = "$without" ] || distinct=$((distinct + 1))
done <<'END'
1 12:12:before-store
2 13:17:before-load
3 14:12:before-rmw
4 20:12:before-cas
5 21:12:before-store
6 22:17:before-load
7 31:12:before-store
8 32:32:before-load
END
[ $distinct -ge 4 ] || fail "only $distinct of these fences make a difference"

# ---- what makes no sense ----

run 2 "$EVERETT" check -q --order a.c:10=acquire a.c
has err "error: the order of a store cannot be acquire: 'a.c:10'"
run 2 "$EVERETT" check -q --order a.c:15=release a.c
has err "error: the order of a load cannot be release"
run 2 "$EVERETT" check -q --order a.c:10=/relaxed a.c
has err "error: only a compare-exchange has an order for failure: 'a.c:10'"
run 2 "$EVERETT" check -q --order a.c:10=strong a.c
has err "error: 'strong' is not a memory order (orders: relaxed,"
run 2 "$EVERETT" check -q --order a.c:11=relaxed a.c
has err "error: there is no atomic access and no fence at 'a.c:11'"
run 2 "$EVERETT" check -q --order a.c:10:2:before-load=seq_cst a.c
has err "error: there is no atomic access and no fence at 'a.c:10:2:before-load'"
run 2 "$EVERETT" check -q --order b.c:10=relaxed a.c
has err "error: there is no atomic access and no fence at 'b.c:10'"
for bad in a.c:10 a.c:10:2:before-fence=relaxed a.c:10:before-store=relaxed a.c:10:2:before-store=relaxed/relaxed a.c:10:2:before=relaxed a.c=relaxed a.c:=relaxed :10=relaxed a.c:10= =relaxed; do
	run 2 "$EVERETT" check -q --order "$bad" a.c
	has err "FILE:LINE\[:COLUMN"
done
sed 's/^	data = 1;$/	data = 1; flag = 0; flag += 0;/' a.c >two.c
run 2 "$EVERETT" check -q --order two.c:8=relaxed two.c
has err "'two.c:8' is ambiguous: it may be any of two.c:8:17:store, two.c:8:27:rmw"
finish
