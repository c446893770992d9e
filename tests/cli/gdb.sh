#!/bin/bash
# `everett replay --gdb`: the program's threads, where each of them is, and the execution event by event.
. "$(dirname "$0")/lib.bash"
if ! has_gdb; then
	echo "skipped: there is no gdb, or it has no Python"
	finish
fi
export HOME=$PWD # whatever the user's own gdb does at its start

cat >handover.c <<'EOF'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int data, ready;

__attribute__((noinline)) static void put(int value)
{
	atomic_store(&ready, 1);
	atomic_store(&data, value);
}

static void *writer(void *unused)
{
	put(42);
	return unused;
}

__attribute__((noinline)) static int get(int wanted)
{
	int found = atomic_load(&ready) ? atomic_load(&data) : wanted;
	assert(found == wanted);
	return found;
}

static void *reader(void *unused)
{
	get(42);
	return unused;
}

int main(void)
{
	pthread_t a, b;
	pthread_create(&a, NULL, writer, NULL);
	pthread_create(&b, NULL, reader, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
EOF

# debug COMMAND...: in gdb, after the program has failed; the file out has what comes of each.
debug()
{
	last="gdb: $*"
	{ printf '%s\n' 'set width 0' "$@" quit; } |
		timeout -s KILL 3600 "$EVERETT" replay --gdb r.json >out 2>&1 || fail "$last: status $?"
	hasnot out 'Python Exception\|Traceback\|Error occurred'
}

run 1 "$EVERETT" check -m sc -e traces --json r.json handover.c
cp out first
# Without the debugger it is the same report once more.
run 1 "$EVERETT" replay r.json
cmp -s <(grep -v '^ *replay: ' first | cat -s) <(cat -s out) || 
	{ fail "the replay says something else"; diff first out; }

# Where it fails.
debug 'everett threads' 'everett bt' 'everett bt 1' 'everett thread 1' 'print value' 'up' 'everett bt 2' \
	'everett bt 3' 'everett bt x' 'everett events' 'everett next' 'everett threads'
has out 'SIGTRAP' '  0   main             waits for thread 1 to end at handover.c:37 in main$' \
	'  1   writer           about to write data: 42 at handover.c:10 in put$' \
	'\* 2   reader           running at handover.c:22 in get$' \
	'#[0-9]*  *get (wanted=42) at handover.c:2[12]$' '#[0-9]*  *reader (unused=0x0) at handover.c:28$' \
	'#[0-9]*  *put (value=42) at handover.c:10$' '#[0-9]*  *writer (unused=0x0) at handover.c:15$' \
	'^(gdb) \$1 = 42$' 'there is no thread 3$' "'x' is not the number of a thread" \
	' thread 1  write ready: 1 at handover.c:9 in put$' ' thread 2  read ready: 1 at handover.c:21 in get$' \
	' thread 2  read data: 0 at handover.c:21 in get$' 'the execution is over' "is not running: 'everett start'"
[ "$(grep -c 'put (value=42)' out)" = 2 ] || fail "thread 1 was not shown, and looked at"
hasnot out 'evr_yield (\|whose_turn ('

# It has stopped in the program, and names are those of reports.
debug 'print wanted' 'frame'
has out '^(gdb) (gdb) \$1 = 42$' '#[0-9]* .*get (wanted=42) at handover.c:22'
cat >names.c <<'EOF'
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
struct node { int value; struct node *next; };
static struct node n[2], *head;
static void *push(void *unused)
{
	pthread_setname_np(pthread_self(), "pusher");
	n[0].next = &n[1];
	head->next = &n[0];
	return unused;
}
int main(void)
{
	pthread_t t;
	head = calloc(1, sizeof(struct node));
	pthread_create(&t, NULL, push, NULL);
	assert(!head->next);
	assert(!n[0].next);
	pthread_join(t, NULL);
	return 0;
}
EOF
cp r.json handover.json
run 1 "$EVERETT" check -m sc -e traces --hunt 0 --json r.json names.c
debug 'everett threads' 'everett events'
has out ' 1   pusher  ' ' thread 1  write n\[0\].next: &n\[1\] at names.c:10 in push$' ' thread 1  write node#1->next: &n\[0\] at names.c:11 in push$' \
	' thread 0  read n\[0\].next: &n\[1\] at names.c:20 in main$'
# A block that one thread frees while another uses it; a local whose register was lost in the call is not shown with another's value.
cat >freed.c <<'EOF'
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
struct node { int value; struct node *next; };
static struct node *_Atomic head;
static void *look(void *unused)
{
	struct node *n = head;
	return n && n->value ? unused : NULL;
}
int main(void)
{
	pthread_t t;
	struct node *own = calloc(1, sizeof(*own));
	head = own;
	pthread_create(&t, NULL, look, NULL);
	head = NULL;
	free(own);
	pthread_join(t, NULL);
	return 0;
}
EOF
run 1 "$EVERETT" check -m sc --json r.json freed.c
debug 'print n' 'everett events' 'everett start' 'everett next 1' 'everett threads'
has out '(gdb) \$1 = \(<optimized out>\|(struct node \*) 0x20[0-9a-f]*\)$' ' thread 0  free node#1 at freed.c:18 in main$' ' thread 1  use node#1 at freed.c:9 in look$'
hasnot out ' 0x20[0-9a-f]* at '
cp handover.json r.json

# From its beginning: one event, one of a thread, to the end.
debug 'everett start' 'everett threads' 'everett bt 2' 'everett next' 'print ready' 'everett next 2' 'everett bt 1' \
	'everett bt 0' 'everett next' 'everett bt' 'next' 'everett start' 'help everett next'
has out '  1   writer           about to write ready: 1 at handover.c:9 in put$' \
	'[ *] 2   reader           about to read ready at handover.c:21 in get$' \
	'#[0-9]*  *get (wanted=42) at handover.c:21$' '^(gdb) \$1 = 1$' '#[0-9]*  *main () at handover.c:37$' \
	' thread 2  assertion: .*found == wanted.* at handover.c:22 in get$' 'everett next \[N\]: continue'
[ "$(grep -c 'thread 1  write ready: 1' out)" = 1 ] || fail "one 'everett next' is not one event"
[ "$(grep -c 'thread 1  start' out)" = 2 ] || fail "'everett start' does not start again"
debug 'everett start' 'everett next 2' 'everett threads'
has out '^(gdb)  *5  thread 1  write ready: 1 at' '^  *6  thread 2  read ready: 1 at' \
	'[ *] 2   reader           about to read data at handover.c:21 in get$'
hasnot out '^  *7 '
# What is looked at is not where the program goes on.
debug 'everett start' 'everett thread 1' 'continue' 'everett bt'
has out 'SIGTRAP' '#[0-9]*  *put (value=42) at handover.c:9$' '#[0-9]*  *reader (unused=0x0) at handover.c:28$'

# What is asked of Everett leaves the program's registers as they are, those of floating point included.
cat >halves.c <<'EOF'
#include <assert.h>
#include <pthread.h>
static double sum;
__attribute__((noinline)) static double half(double a, double b) { return (a + b) / 2; }
static void *add(void *unused) { sum = half(3.25, 4.75); return unused; }
int main(void)
{
	pthread_t t;
	pthread_create(&t, 0, add, 0);
	double before = sum;
	pthread_join(t, 0);
	assert(before == sum + 1);
	return 0;
}
EOF
run 1 "$EVERETT" check -m sc --json r.json halves.c
debug 'break *half' 'everett start' 'everett threads' 'print $xmm0.v2_double[0]' 'print $xmm1.v2_double[0]' 'everett next 1'
if [ "$(uname -m)" = x86_64 ]; then
	has out '\$1 = 3.25$' '\$2 = 4.75$'
fi
has out 'write sum: 4 at halves.c:5'
finish
