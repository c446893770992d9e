# everett orders: what it prints and writes, what it may change, and how it ends.
. "$TOP/tests/cli/lib.bash"

# holds FILE FILTER WHAT
holds()
{
	jq -e "$2" "$1" >/dev/null || fail "$last: $1: not so: $3"
}

# A library in a header, a test around it, and a function that nobody calls.
cat >box.h <<'END'
#include <stdatomic.h>
static atomic_int full;
static int box;
static inline void put(int value)
{
	box = value;
	atomic_store(&full, 1);
}
static inline int take(void)
{
	return atomic_load_explicit(&full, memory_order_seq_cst) ? box : -1;
}
int nobody(void);
int nobody(void)
{
	return atomic_fetch_add(&full, 1);
}
END
cat >test.c <<'END'
#include "box.h"
#include <assert.h>
#include <pthread.h>
static atomic_int started;
static void *producer(void *a)
{
	started++;
	put(7);
	return a;
}
int main(void)
{
	pthread_t t;
	pthread_create(&t, 0, producer, 0);
	int got = take();
	assert(got == -1 || got == 7);
	pthread_join(t, 0);
	return 0;
}
END
cp box.h box_before.h
run 0 "$EVERETT" orders --in box.h --json o.json --diff o.patch --sarif o.sarif --html o.html test.c
has out '^rc11  site  *operation  *now  *needed  *why$' '  box.h:7:2  *store  *seq_cst  release  race at box.h:11 with relaxed$' \
	'  box.h:11:9  *load  *seq_cst  acquire  race at box.h:11 with relaxed$' '  box.h:16:9  *read-modify-write  *seq_cst  seq_cst  never executed$' \
	'  test.c:7:9  *read-modify-write  *seq_cst  seq_cst  not checked$' '^2 of 2 orders could be weaker, as far as these tests can tell' \
	'^1 operation was never executed'
has err '^everett: rc11/rf: ok, [0-9]* executions, complete'
holds o.json '.command == "orders" and (.results[0].sites | length) == 4' "four sites"
holds o.json '.results[0].sites[0] | .file == "./box.h" or .file == "box.h"' "the file"
holds o.json '[.results[0].sites[] | [.line, .column, .operation, .now, .needed, .executed, (.because | if . then [.kind, .line, .with] else null end)]] == [
	[7, 2, "store", "seq_cst", "release", true, ["race", 11, "relaxed"]],
	[11, 9, "load", "seq_cst", "acquire", true, ["race", 11, "relaxed"]],
	[16, 9, "read-modify-write", "seq_cst", "seq_cst", false, null],
	[7, 9, "read-modify-write", "seq_cst", "seq_cst", true, null]]' "the sites"
# The patch applies, and its program is as the answer says.
run 0 patch -p1 -i o.patch
has box.h 'atomic_store_explicit(&full, 1, memory_order_release);' 'atomic_load_explicit(&full, memory_order_acquire) ? box : -1;' 'atomic_fetch_add(&full, 1);'
run 0 "$EVERETT" check -q -m rc11 test.c
run 0 "$EVERETT" orders --in box.h --diff again.patch test.c
has out '^0 of 2 orders could be weaker'
[ ! -s again.patch ] || fail "there is nothing to patch any more"
# Each reason is replayed, from the report, and by hand.
cp box_before.h box.h
for site in 1 2; do
	run 1 "$EVERETT" replay --site $site o.json
	has err 'FINDING race at \(\./\)\?box.h:11'
	mapfile -t changes < <(jq -r ".results[0].sites[$((site - 1))].because.orders[] | \"--order\n\" + ." o.json)
	run 1 "$EVERETT" check -q -m rc11 "${changes[@]}" --replay "$(jq -r ".results[0].sites[$((site - 1))].because.schedule" o.json)" test.c
done
run 2 "$EVERETT" replay --site 3 o.json
has err "no finding appears if site 3 of 'o.json' has a weaker order"
run 2 "$EVERETT" replay --site 5 o.json
has err "'o.json' has 4 sites, not 5"
run 2 "$EVERETT" replay o.json
has err "has no finding to replay"
# What is saved is rendered again.
run 0 "$EVERETT" report o.json
has out '  box.h:7:2  *store  *seq_cst  release  race at box.h:11 with relaxed$'
# As SARIF, and on the page.
holds o.sarif '[.runs[0].results[] | select(.ruleId == "memory-order") | [.level, .kind, .locations[0].physicalLocation.region.startLine]] ==
	[["note", "informational", 7], ["note", "informational", 11]]' "a note for each order that could be weaker"
holds o.sarif '.runs[0].results[0].message.text | test("could be release: seq_cst is not needed by these tests")' "what it says"
has o.html '"needed":"release"\|"needed": "release"' 'sites-card'

# A checker that `everett cc` linked.
run 0 "$EVERETT" cc -g -o checker test.c
run 0 "$EVERETT" orders --in box.h --json c.json ./checker
holds c.json '.checker == "./checker" and [.results[0].sites[].needed] == ["release", "acquire", "seq_cst", "seq_cst"]' "the same answer"
run 1 "$EVERETT" replay -q --trust-report --site 1 c.json

# A macro around operations: all of one kind are one site, and the patch changes each.
cat >macro.c <<'END'
#include <assert.h>
#include <stdatomic.h>
#define likely(x) __builtin_expect((x), 1)
static atomic_int x, y;
int main(void)
{
	if (likely(atomic_load(&x) == 0 && atomic_load_explicit(&y, memory_order_seq_cst) == 0))
		atomic_store(&x, 1);
	assert(atomic_exchange(&x, (2)) == 1);
	return 0;
}
END
run 0 "$EVERETT" orders --diff m.patch macro.c
run 0 patch -p1 -i m.patch
has macro.c 'if (likely(atomic_load_explicit(&x, memory_order_relaxed) == 0 && atomic_load_explicit(&y, memory_order_relaxed) == 0))$' \
	'	assert(atomic_exchange_explicit(&x, (2), memory_order_relaxed) == 1);'
run 0 "$EVERETT" check -q -m rc11 macro.c

# ---- repair ----

sed -i 's/seq_cst/relaxed/' box.h
sed -i 's/atomic_store(&full, 1)/atomic_store_explicit(\&full, 1, memory_order_relaxed)/' box.h
run 1 "$EVERETT" check -q test.c
run 0 "$EVERETT" orders --in box.h --diff r.patch --json r.json test.c
has out '  box.h:7:2  *store  *relaxed  release  race' '^2 of 4 orders must be stronger'
holds r.json '.results[0].verdict == "ok" and .results[0].repaired' "repaired"
run 0 patch -p1 -i r.patch
run 0 "$EVERETT" check -q test.c
# What no order repairs.
cat >broken.c <<'END'
#include <pthread.h>
#include <stdatomic.h>
static atomic_int a;
static int data;
static void *work(void *p)
{
	data++;
	atomic_store_explicit(&a, 1, memory_order_relaxed);
	return p;
}
int main(void)
{
	pthread_t t;
	pthread_create(&t, 0, work, 0);
	data++;
	pthread_join(t, 0);
	return 0;
}
END
run 1 "$EVERETT" orders --json b.json broken.c
has out 'race: data race on data' '^No stronger order and no added fence fixes it: this is the result with seq_cst everywhere'
holds b.json '.results[0].verdict == "finding" and (.results[0].sites[0] | .needed == null and .asked)' "no answer"
has out '  store  *relaxed  ?  *not fixed$'
# Its finding is that of the strongest orders, and so is its replay: fences that are not there as compiled are events there.
cat >vain.c <<'END'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x, y;
static int a, b;
static void *work(void *p)
{
	atomic_store_explicit(&x, 1, memory_order_relaxed);
	atomic_thread_fence(memory_order_acquire);
	a = atomic_load_explicit(&y, memory_order_relaxed);
	return p;
}
int main(void)
{
	pthread_t t;
	pthread_create(&t, 0, work, 0);
	atomic_store_explicit(&y, 1, memory_order_relaxed);
	atomic_thread_fence(memory_order_release);
	b = atomic_load_explicit(&x, memory_order_relaxed);
	pthread_join(t, 0);
	assert(!(a && b));
	return 0;
}
END
run 1 "$EVERETT" orders -m tso --json b.json vain.c
run 1 "$EVERETT" replay -q b.json
run 1 "$EVERETT" orders -m tso vain.c
replay=$(sed -n 's/^ *replay: everett //p' out)
eval "run 1 \"\$EVERETT\" $replay"
has err 'FINDING assertion at vain.c:21'

# ---- orders that are variables ----

cat >variable.c <<'END'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int flag;
static int data;
static void set(atomic_int *p, int v, memory_order order) { atomic_store_explicit(p, v, order); }
static int get(atomic_int *p, memory_order order) { return atomic_load_explicit(p, order); }
static void *one(void *p)
{
	data = 1;
	set(&flag, 1, ORDER);
	return p;
}
int main(void)
{
	pthread_t t;
	pthread_create(&t, 0, one, 0);
	if (get(&flag, memory_order_acquire))
		assert(data == 1);
	pthread_join(t, 0);
	return get(&flag, memory_order_relaxed) != 1;
}
END
# Of those that the program passes, the strongest counts.
run 0 "$EVERETT" orders -DORDER=memory_order_release variable.c
has out ':6:61  store  *release  release  race' ':7:60  load  *acquire  acquire  race' '^0 of 2 orders could be weaker'
run 0 "$EVERETT" orders -DORDER=memory_order_seq_cst variable.c
has out ':6:61  store  *seq_cst  release  race' ':7:60  load  *acquire  acquire  race' '^1 of 2 orders could be weaker'
# If it fails, the weakest does; and what has to be stronger, has to be so wherever it is passed.
run 0 "$EVERETT" orders -DORDER=memory_order_relaxed --json v.json variable.c
has out ':6:61  store  *relaxed  release  race' ':7:60  load  *relaxed  acquire  race' '^2 of 2 orders must be stronger'
run 0 "$EVERETT" check -q -DORDER=memory_order_relaxed --order variable.c:6=release variable.c
run 1 "$EVERETT" replay -q --site 2 v.json

# ---- fences under TSO ----

cat >sb.c <<'END'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x, y;
static int a, b;
static void *one(void *p)
{
	atomic_thread_fence(memory_order_seq_cst);
	atomic_store_explicit(&x, 1, memory_order_relaxed);
	atomic_thread_fence(memory_order_seq_cst);
	a = atomic_load_explicit(&y, memory_order_relaxed);
	return p;
}
static void *two(void *p)
{
	atomic_store_explicit(&y, 1, memory_order_relaxed);
	atomic_thread_fence(memory_order_seq_cst);
	b = atomic_load_explicit(&x, memory_order_relaxed);
	return p;
}
int main(void)
{
	pthread_t t[2];
	pthread_create(&t[0], 0, one, 0);
	pthread_create(&t[1], 0, two, 0);
	pthread_join(t[0], 0);
	pthread_join(t[1], 0);
	assert(a || b);
	return 0;
}
END
run 0 "$EVERETT" orders -m tso,pso,rc11 --json f.json sb.c
for model in 0 1 2; do
	holds f.json "[.results[$model].sites[] | select(.operation == \"fence\") | .needed] == [\"relaxed\", \"seq_cst\", \"seq_cst\"]" "which fences are needed"
done
holds f.json '[.results[0].sites[] | select(.operation != "fence") | .asked] | any | not' "accesses are not asked about"

# From relaxed, another answer may be cheaper than the program's orders: some of it is stronger, some weaker, whatever the search began with.
run 0 "$EVERETT" orders -m rc11 --target x86-64 --from relaxed --json f.json --sarif f.sarif sb.c
has out '^4 of 7 orders must be stronger\.$' '^3 of 7 orders could be weaker, as far as these tests can tell\.$' 'fence  *seq_cst  relaxed *$'
hasnot out 'left as it is'
holds f.json '[.results[0].sites[] | [.now, .needed]] | sort == ([range(4) | ["relaxed", "seq_cst"]] + [range(3) | ["seq_cst", "relaxed"]])' "stores and loads in place of fences"
holds f.sarif '[.runs[0].results[] | select(.ruleId == "memory-order") | [.level, (.message.text | test("too weak"))]] | sort == [["note", false], ["note", false],
	["note", false], ["warning", true], ["warning", true], ["warning", true], ["warning", true]]' "warnings are about what has to be stronger"

# ---- fences that the program does not have ----

cat >bare.c <<'END'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x, y;
static int a, b;
static void *one(void *p)
{
	atomic_store_explicit(&x, 1, memory_order_relaxed);
	a = atomic_load_explicit(&y, memory_order_relaxed);
	return p;
}
static void *two(void *p)
{
	atomic_store_explicit(&y, 1, memory_order_relaxed);
	if (p && !atomic_load_explicit(&x, memory_order_relaxed))
		b = 1;
	return p;
}
int main(void)
{
	pthread_t t[2];
	pthread_create(&t[0], 0, one, 0);
	pthread_create(&t[1], 0, two, &x);
	pthread_join(t[0], 0);
	pthread_join(t[1], 0);
	assert(a || !b);
	return 0;
}
END
cp bare.c bare_before.c
for models in tso pso ra tso,pso,ra,rc11; do
	cp bare_before.c bare.c
	run 1 "$EVERETT" check -q -m $models bare.c
	run 0 "$EVERETT" orders -m $models --json n.json --diff n.patch --sarif n.sarif --html n.html bare.c
	has out '  bare.c:9:6  *fence before load  *none  *seq_cst  assertion at bare.c:26 with' '^2 fences must be added\.$'
	run 0 patch -p1 -i n.patch
	run 0 "$EVERETT" check -q -m $models bare.c
	run 0 "$EVERETT" orders -q -m $models --in nothing.h bare.c
done
# Where a statement begins with the access, the fence gets a line; elsewhere it is part of the expression, and executed exactly before the access.
sed -n 9p bare.c | grep -q '^	atomic_thread_fence(memory_order_seq_cst);$' || fail "no fence in line 9: $(sed -n 9p bare.c)"
grep -q '	if (p && !(atomic_thread_fence(memory_order_seq_cst), atomic_load_explicit(&x, memory_order_seq_cst)))$' bare.c || fail "no fence in the condition"
holds n.json '[.results[0].sites[] | select(.operation == "fence before load") | [.line, .column, .now, .needed, .because.kind]] == [
	[9, 6, "relaxed", "seq_cst", "assertion"], [15, 12, "relaxed", "seq_cst", "assertion"]]' "the fences"
holds n.json '[.results[3].sites[] | select(.operation | startswith("fence before"))] == []' "orders are enough under rc11"
holds n.sarif '[.runs[0].results[] | select(.message.text | test("a fence must be added before the load: seq_cst .under tso"))] | length == 2' "the same as SARIF"
has n.html 'fence before load'
faults=$(jq -r --slurpfile schema "$TOP/docs/report.schema.json" -f "$TOP/tests/schema/validate.jq" n.json 2>&1)
[ -z "$faults" ] || fail "n.json is not as the schema says: $faults"
cp bare_before.c bare.c
run 1 "$EVERETT" replay -q --site 2 n.json
# One fence is cheaper than two stores that are seq_cst; and with __atomic builtins it is one of them.
cat >dear.c <<'END'
#include <assert.h>
#include <pthread.h>
static int x, y, z, a, b;
static void *one(void *p)
{
	__atomic_store_n(&x, 1, __ATOMIC_RELAXED);
	__atomic_store_n(&y, 1, __ATOMIC_RELAXED);
	a = __atomic_load_n(&z, __ATOMIC_RELAXED);
	return p;
}
static void *two(void *p)
{
	__atomic_store_n(&z, 1, __ATOMIC_RELAXED);
	b = __atomic_load_n(&x, __ATOMIC_RELAXED) && __atomic_load_n(&y, __ATOMIC_RELAXED);
	return p;
}
int main(void)
{
	pthread_t t[2];
	pthread_create(&t[0], 0, one, 0);
	pthread_create(&t[1], 0, two, 0);
	pthread_join(t[0], 0);
	pthread_join(t[1], 0);
	assert(a || b);
	return 0;
}
END
run 0 "$EVERETT" orders -m rc11 --target x86-64 --diff n.patch dear.c
has out '  dear.c:8:6  *fence before load  *none  *seq_cst  ' '^1 fence must be added\.$' '  dear.c:13:2  *store  *relaxed  seq_cst  '
has n.patch '^+	__atomic_thread_fence(__ATOMIC_SEQ_CST);$'
run 0 patch -p1 -i n.patch
run 0 "$EVERETT" check -q -m rc11 dear.c
# Where the arguments do something first, a fence before the access cannot be written; and where there is no call, neither.
sed -e 's/	a = atomic_load.*/	a = y;/' bare_before.c >bare.c
sed -i 's/static atomic_int x, y;/&\nstatic int *choose(int *p) { return p; }/; s/load_explicit(&x/load_explicit((atomic_int *)choose((int *)\&x)/' bare.c
run 0 "$EVERETT" orders -m tso --diff n.patch bare.c
has err 'note: bare.c:10:6: cannot write the fence before load there; it should be seq_cst$' \
	'note: bare.c:16:12: cannot write the fence before load there; it should be seq_cst$'
[ ! -s n.patch ] || fail "a fence is written in the wrong place"

# ---- limits, and what makes no sense ----

run 3 "$EVERETT" orders -q --max-executions 1 sb.c
has err 'rc11/rf: incomplete'
run 3 "$EVERETT" orders -q --timeout 0.000001 sb.c
run 2 "$EVERETT" orders -q -m sc sb.c
has err "'everett orders' is not available for model 'sc'"
run 2 "$EVERETT" orders -q --target vax sb.c
has err "the costs of orders on 'vax' are unknown"
run 2 "$EVERETT" orders -q --from acquire sb.c
has err "option '--from' needs relaxed or seq_cst, not 'acquire'"
run 2 "$EVERETT" orders -q
has err "no source file and no checker"
run 2 "$EVERETT" orders -q --in '' sb.c
echo 'int main(void) { return 0; }' >none.c
run 0 "$EVERETT" orders none.c
has out '^rc11: there are no atomic accesses and no fences$'
finish
