#!/bin/bash
# What --html says of the program's calls and local variables: gdb runs the finding once more.
. "$(dirname "$0")/lib.bash"
if ! has_gdb; then
	echo "skipped: there is no gdb, or it has no Python"
	finish
fi
export HOME=$PWD

cat >calls.c <<'END'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
struct node { int key; struct node *next; };
static struct node *_Atomic head;
static atomic_int taken;
__attribute__((noinline)) static struct node *make(int key, double weight)
{
	struct node *n = malloc(sizeof *n);
	n->key = key + (weight > 1);
	taken++;
	head = n;
	return n;
}
__attribute__((noinline)) static unsigned char depth(int levels)
{
	unsigned char low = 1;
	if (levels)
		low = (unsigned char)(depth(levels - 1) + 1);
	taken++;
	return low;
}
static void *worker(void *unused)
{
	unsigned char all = depth(2);
	assert(all != 3 || !head);
	return all > 5 ? unused : 0;
}
int main(void)
{
	pthread_t t;
	pthread_create(&t, 0, worker, 0);
	make(5, 0.5);
	make(6, 0.5);
	pthread_join(t, 0);
	return 0;
}
END
run 1 "$EVERETT" check -q -m sc --json calls.json --html calls.html calls.c
f='.results[0].findings[0]'
same()
{
	[ "$(jq -c "$1" calls.json)" = "$2" ] || fail "$1 is $(jq -c "$1" calls.json), not $2"
}
# Each call once, in the order in which they were seen, with its result if it has returned.
same "[$f.locals.calls[] | select(.thread == 1) | .function + \"(\" + ([.arguments[].name] | join(\",\")) + \") = \" + (.result // \"?\")]" \
	'["worker(unused) = ?","depth(levels) = 3","depth(levels) = 2","depth(levels) = 1"]'
same "[$f.locals.calls[] | select(.function == \"make\") | .result] | unique" '["node#1","node#2"]'
# At the innermost level three calls are under way, each with its own variables.
same "[$f.locals.calls as \$c | $f.locals.events[] | select(.thread == 1 and (.frames | length) == 4) | [.frames[] | \$c[.call].function]] | first" \
	'["worker","depth","depth","depth"]'
same "[$f.locals.calls[] | select(.function == \"depth\") | .arguments[0].value]" '["2","1","0"]'
same "$f.locals.failure | [.thread, (.frames | length)]" '[1,1]'
same "[$f.locals.events[] | select(.thread == 1)] | last | [.frames[0].locals[] | select(.name == \"all\") | .value]" '["3"]'
# Every event of the report that has frames is one of the report's.
same "($f.locals.events | map([.thread, .index])) - ($f.events | map([.thread, .index]))" '[]'
# A saved report keeps it, and replay finds it again; without gdb, and if it is not wanted, nothing is missing but that.
run 0 "$EVERETT" report --html again.html calls.json
grep -q '"function": *"depth"' again.html || fail "the page of the saved report has no calls"
run 1 "$EVERETT" replay -q --html replayed.html calls.json
grep -q '"function": *"depth"' replayed.html || fail "the page of the replay has no calls"
run 1 "$EVERETT" check -q -m sc --no-locals --json without.json --html without.html calls.c
[ "$(jq "$f.locals" without.json)" = null ] || fail "--no-locals does not keep gdb away"
mkdir bin
printf '#!/bin/sh\nexit 1\n' >bin/gdb
chmod +x bin/gdb
run 1 env PATH="$PWD/bin:$PATH" "$EVERETT" check -q -m sc --json without.json --html without.html calls.c
[ "$(jq "$f.locals" without.json)" = null ] || fail "there are locals although gdb fails"
jq "del($f.locals)" calls.json >rest.json
run 0 "$EVERETT" report rest.json
finish
