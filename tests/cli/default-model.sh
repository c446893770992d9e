#!/bin/bash
# Without -m, the program's memory orders choose the model: rc11 if one of them is weaker than seq_cst, else sc.
. "$(dirname "$0")/lib.bash"

# chosen MODEL COMMAND...: this is what the summary line says.
chosen()
{
	local model=$1
	shift
	run 0 "$@"
	has err "^everett: $model/[a-z]*: ok, "
}

cat >one.c <<'END'
#include <stdatomic.h>
#define static static __attribute__((unused))
typedef struct { long words[4]; } large;
static atomic_int x;
static atomic_flag flag;
static int plain, expected;
static _Atomic large wide;
static large value;
#define rlx memory_order_relaxed
#define con memory_order_consume
#define acq memory_order_acquire
#define rel memory_order_release
#define ar memory_order_acq_rel
#define sc memory_order_seq_cst
static int load_as(memory_order o) { return atomic_load_explicit(&x, o); }
#ifdef EXTERNAL
int load_any(memory_order o) { return atomic_load_explicit(&x, o); }
#endif
int main(void)
{
	CODE;
	return 0;
}
END

# MODEL CODE
while read -r model code; do
	chosen "$model" "$EVERETT" check -q "-DCODE=$code" one.c
done <<'END'
sc plain = 1
sc x = 1
sc x++
sc atomic_load_explicit(&x, sc)
sc atomic_compare_exchange_strong(&x, &expected, 1)
sc atomic_compare_exchange_weak_explicit(&x, &expected, 1, sc, sc)
sc atomic_thread_fence(sc)
sc atomic_flag_test_and_set(&flag)
sc __sync_fetch_and_add(&plain, 1)
sc wide = value
sc atomic_compare_exchange_strong(&wide, &value, value)
sc load_as(sc)
rc11 atomic_load_explicit(&x, rlx)
rc11 atomic_load_explicit(&x, con)
rc11 atomic_load_explicit(&x, acq)
rc11 atomic_store_explicit(&x, 1, rlx)
rc11 atomic_store_explicit(&x, 1, rel)
rc11 atomic_fetch_add_explicit(&x, 1, rlx)
rc11 atomic_fetch_add_explicit(&x, 1, ar)
rc11 atomic_exchange_explicit(&x, 1, acq)
rc11 atomic_compare_exchange_strong_explicit(&x, &expected, 1, ar, acq)
rc11 atomic_compare_exchange_strong_explicit(&x, &expected, 1, sc, rlx)
rc11 atomic_compare_exchange_weak_explicit(&x, &expected, 1, sc, acq)
rc11 atomic_thread_fence(acq)
rc11 atomic_thread_fence(rel)
rc11 atomic_thread_fence(ar)
rc11 atomic_flag_clear_explicit(&flag, rel)
rc11 __atomic_store_n(&plain, 1, __ATOMIC_RELAXED)
rc11 value = atomic_load_explicit(&wide, acq)
rc11 atomic_compare_exchange_strong_explicit(&wide, &value, value, sc, rlx)
rc11 load_as(sc) + load_as(acq)
rc11 if (load_as(sc)) load_as(rlx)
END
# A fence for signals is nothing, and fences of the machine have no order of C's.
chosen sc "$EVERETT" check -q '-DCODE=atomic_signal_fence(rel)' one.c
chosen sc "$EVERETT" check -q '-DCODE=__asm__ volatile("sfence" ::: "memory")' one.c
# Who calls it is not known here.
chosen rc11 "$EVERETT" check -q -DEXTERNAL '-DCODE=x = 1' one.c

# What counts is all code that was instrumented, whoever calls it, and nothing else: one file of several is enough.
cat >strong.c <<'END'
#include <pthread.h>
#include <stdatomic.h>
atomic_int shared;
void other(void);
static void *work(void *p)
{
	shared++;
	return p;
}
int main(void)
{
	pthread_t t;
	pthread_create(&t, 0, work, 0);
	other();
	pthread_join(t, 0);
	return 0;
}
END
cat >weak.c <<'END'
#include <stdatomic.h>
extern atomic_int shared;
void other(void) { atomic_fetch_add_explicit(&shared, 1, memory_order_relaxed); }
END
sed 's/relaxed/seq_cst/' weak.c >as_strong.c
chosen rc11 "$EVERETT" check -q strong.c weak.c
chosen rc11 "$EVERETT" check -q weak.c strong.c
chosen sc "$EVERETT" check -q strong.c as_strong.c
# A library that is called unseen.
echo 'void other(void) { int n = 0; __atomic_store_n(&n, 1, __ATOMIC_RELAXED); }' >native.c
run 0 gcc -c native.c -o native.o
chosen sc "$EVERETT" check -q --allow-external=other strong.c native.o

# A checker that `everett cc` has linked: for run, and by itself. From objects, an archive and a shared library.
run 0 "$EVERETT" cc -c strong.c -o strong.o
run 0 "$EVERETT" cc -c -fPIC weak.c -o weak.o
run 0 "$EVERETT" cc -c as_strong.c -o as_strong.o
run 0 ar rcs libweak.a weak.o
run 0 "$EVERETT" cc -shared weak.o -o libshared.so
run 0 "$EVERETT" cc strong.o weak.o -o weak
run 0 "$EVERETT" cc strong.o as_strong.o -o strong
run 0 "$EVERETT" cc strong.o -L. -lweak -o archive
run 0 "$EVERETT" cc strong.o -L. -lshared -Wl,-rpath,"$PWD" -o library
# Of an archive, what nobody needs is not linked.
run 0 "$EVERETT" cc strong.o as_strong.o -L. -lweak -o unneeded
for checker in weak archive library; do
	chosen rc11 "$EVERETT" run -q ./$checker
	chosen rc11 ./$checker
	EVERETT_OPTIONS='-q -u 3' chosen rc11 ./$checker
	EVERETT_OPTIONS='-m sc' chosen sc ./$checker
done
for checker in strong unneeded; do
	chosen sc "$EVERETT" run -q ./$checker
	chosen sc ./$checker
done

# Whoever names models gets them, and only them.
chosen sc "$EVERETT" run -m sc ./weak
chosen tso "$EVERETT" run -m tso ./weak
chosen rc11 "$EVERETT" run -m rc11 ./strong
run 0 "$EVERETT" run -q -m all ./weak
[ "$(sed -n 's|^everett: \([a-z0-9]*\)/rf: ok, .*|\1|p' err | tr '\n' ' ')" = 'sc tso pso ra rc11 ' ] || fail "-m all: $(cat err)"
# The other commands keep their defaults.
run 0 "$EVERETT" robust -q strong.c weak.c
has err '^everett: tso/traces: '
run 0 "$EVERETT" predict -q strong.c weak.c
has err '^everett: tso' '^everett: pso' '^everett: pslo'

# An engine that rc11 does not have: sc, and it is said.
for engine in rf traces none; do
	chosen rc11 "$EVERETT" run -e $engine ./weak
	hasnot err 'note: memory orders'
done
for engine in rvf; do
	chosen sc "$EVERETT" run -e $engine ./weak
	has err "^everett: note: memory orders weaker than seq_cst were treated as seq_cst: equivalence '$engine' is not available under model 'rc11'$"
	chosen sc "$EVERETT" run -e $engine ./strong
	hasnot err 'note: memory orders'
	run 2 "$EVERETT" run -m rc11 -e $engine ./weak
	has err "equivalence '$engine' is not available under model 'rc11'"
done
run 2 "$EVERETT" run -e magic ./weak
has err "unknown equivalence 'magic' (equivalences: "

# --check compares with brute force under the same model; other options do not matter.
run 0 "$EVERETT" run -v -k --check --unroll 2 ./weak
has err '^everett: rc11: the findings were compared with those of all' '^everett: rc11/rf: ok'

# Reports name it, and a replay takes it from them.
cat >sb.c <<'END'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x, y;
static int seen;
static void *work(void *p)
{
	atomic_store_explicit(&x, 1, memory_order_relaxed);
	seen = atomic_load_explicit(&y, memory_order_relaxed);
	return p;
}
int main(void)
{
	pthread_t t;
	pthread_create(&t, 0, work, 0);
	atomic_store_explicit(&y, 1, memory_order_relaxed);
	int r = atomic_load_explicit(&x, memory_order_relaxed);
	pthread_join(t, 0);
	assert(r || seen);
	return 0;
}
END
run 1 "$EVERETT" check --json r.json sb.c
has err '^everett: rc11/rf: FINDING assertion at sb.c:19 '
has out '  in main, thread T0, random execution [0-9]* (pos), rc11$'
jq -e '.results[0].model == "rc11"' r.json >jq.log || fail "the report: $(cat jq.log)"
run 1 "$EVERETT" replay r.json
has err '^everett: rc11/rf: FINDING assertion at sb.c:19 '
run 1 "$EVERETT" check sb.c
replay=$(sed -n 's/^ *replay: everett //p' out)
[[ $replay == 'check --model rc11 --replay '* ]] || fail "the replay: $replay"
eval "run 1 \"\$EVERETT\" $replay"
has err '^everett: rc11/rf: FINDING assertion at sb.c:19 '
run 0 "$EVERETT" check -m sc sb.c

# C++: the orders of std::atomic are parameters, so that its code has all of them; those count that are asked for.
cat >one.cc <<'END'
#include <atomic>
#include <memory>
static std::atomic<int> x;
static std::atomic<bool> b;
static std::atomic<int *> p;
static int plain;
struct local { int n; local(); };
local::local() : n(plain) {}
static int guarded() { static local only; return only.n; }
#define order(o) std::memory_order_##o
int main()
{
	x = 1;
	x++;
	x.fetch_add(x);
	int expected = x.load();
	x.compare_exchange_strong(expected, 3);
	x.compare_exchange_weak(expected, 4, order(seq_cst));
	x.compare_exchange_weak(expected, 4, order(seq_cst), order(seq_cst));
	b = b.exchange(true);
	p.store(&plain);
	std::atomic_thread_fence(order(seq_cst));
	std::atomic_signal_fence(order(acquire));
	std::shared_ptr<int> counted(new int(3)), copy = counted; /* with orders that are none of our business */
	CODE;
	return guarded();
}
END
while read -r model code; do
	chosen "$model" "$EVERETT" check -q "-DCODE=$code" one.cc
done <<'END'
sc (void)0
rc11 (void)x.load(order(relaxed))
rc11 p.store(nullptr, order(release))
rc11 b.exchange(false, order(acq_rel))
rc11 x.compare_exchange_strong(expected, 5, order(acq_rel))
rc11 x.compare_exchange_strong(expected, 5, order(seq_cst), order(relaxed))
rc11 std::atomic_thread_fence(order(acquire))
rc11 [] { x.store(1, order(relaxed)); }()
END
run 0 "$EVERETT" c++ '-DCODE=(void)x.load(order(acquire))' one.cc -o weakpp
run 0 "$EVERETT" c++ '-DCODE=x.load()' one.cc -o strongpp
chosen rc11 ./weakpp
chosen rc11 "$EVERETT" run ./weakpp
chosen sc ./strongpp
finish
