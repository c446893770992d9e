#!/bin/bash
# What a report says of an execution: names of locations, values, where they came from.
. "$(dirname "$0")/lib.bash"

cat >names.c <<'END'
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
struct node {
	struct node *next;
	short key;
};
static struct {
	struct node *head;
	struct {
		int x, y[3];
	} in[2];
} q;
static int buf[8];
static unsigned char small;
static signed char minus;
static unsigned long big;
static double d;
static int *pointer;
static long grid[2][3];
static _Thread_local int tls;
static int *mains_tls;
static void *write_all(void *argument)
{
	int *local = argument;
	q.head = malloc(sizeof(struct node));
	q.in[1].y[2] = -5;
	buf[3] = 3;
	small = 255;
	minus = -1;
	big = 0xffffffffffffffff;
	d = 0.5;
	pointer = &buf[5];
	grid[1][2] = 9;
	*local = 77;
	*mains_tls = 88;
	return NULL;
}
int main(void)
{
	pthread_t t;
	int local = 1;
	int *first = malloc(4), *block = calloc(4, sizeof(int));
	*first = 0;
	mains_tls = &tls;
	pointer = &block[2];
	pthread_create(&t, NULL, write_all, &local);
	long sum = (q.head == NULL) + q.in[1].y[2] + buf[3] + small + minus + (big > 0) + (d > 0) + grid[1][2] + local + tls;
	*pointer = 4;
	pthread_join(t, NULL);
	assert(sum == 12345);
	return 0;
}
END
run 1 "$EVERETT" check -e none --json r.json names.c
event() # FILTER: exactly one event of the finding matches
{
	local n
	n=$(jq "[.results[0].findings[0].events[] | select($1)] | length" r.json)
	[ "$n" = 1 ] || fail "$n events with $1"
}
jq -e '.results[0].findings | length == 1' r.json >/dev/null || fail "not one finding"
jq -e '.results[0].findings[0] | .kind == "assertion" and .line == 51 and .function == "main" and .thread == 0 and
	.message == "sum == 12345"' r.json >/dev/null || fail "the finding: $(jq -c '.results[0].findings[0] | del(.events)' r.json)"
event '.kind == "write" and .location == "q.head" and .value == "T1:node#1" and .thread == 1'
event '.kind == "write" and .location == "q.in[1].y[2]" and .value == "-5"'
event '.kind == "write" and .location == "buf[3]" and .value == "3" and .line == 28'
event '.kind == "write" and .location == "small" and .value == "255"'
event '.kind == "write" and .location == "minus" and .value == "-1"'
event '.kind == "write" and .location == "big" and .value == "18446744073709551615"'
event '.kind == "write" and .location == "d" and .value == "0.5"'
event '.kind == "write" and .location == "pointer" and .value == "&buf[5]" and .thread == 1'
event '.kind == "write" and .location == "grid[1][2]" and .value == "9"'
event '.kind == "write" and .location == "local" and .value == "77"'
event '.kind == "write" and .location == "T0:tls" and .value == "88"'
event '.kind == "read" and .location == "q.head" and .thread == 0'
event '.kind == "create" and .thread == 0'
event '.kind == "join" and .thread == 0'
# Main reads first in the first execution: initial values, which have no source.
event '.kind == "read" and .location == "buf[3]" and .value == "0" and .source == null'
event '.kind == "read" and .location == "local" and .value == "1"'

# A value that another thread wrote names its event; the text report says so, too.
cat >from.c <<'END'
#include <assert.h>
#include <pthread.h>
struct item { int id; unsigned flags; };
static struct item items[3];
static void *set(void *p)
{
	items[2].flags = 4000000000u;
	return p;
}
int main(void)
{
	pthread_t t;
	pthread_create(&t, 0, set, 0);
	unsigned f = items[2].flags;
	assert(f == 0);
	pthread_join(t, 0);
	return 0;
}
END
run 1 "$EVERETT" check -e none --json r.json from.c
has out 'items\[2\].flags' '(from T1#1)' 'from.c:15:'
event '.kind == "read" and .location == "items[2].flags" and .value == "4000000000" and .source.thread == 1 and .source.index == 1'
event '.kind == "write" and .thread == 1 and .index == 1'
run 1 "$EVERETT" replay r.json
has out '(from T1#1)'

# A file that was named from the root keeps that name, wherever the current folder is; else the source could not be shown.
mkdir -p elsewhere/below
last="a file named from the root"
(cd elsewhere/below && exec "$EVERETT" check -e none --json r.json "$OLDPWD/from.c" >out 2>err)
has elsewhere/below/out "^$PWD/from.c:15:" 'unsigned f = items'
jq -e --arg file "$PWD/from.c" '.results[0].findings[0].events | map(.file) | unique == ["", $file]' elsewhere/below/r.json >/dev/null ||
	fail "files: $(jq -c '[.results[0].findings[0].events[].file] | unique' elsewhere/below/r.json)"

# Blocks of the heap: the second, at an offset.
cat >heap.c <<'END'
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
static int *p;
static void *set(void *unused)
{
	p[2] = 1;
	return unused;
}
int main(void)
{
	pthread_t t;
	int *first = malloc(4);
	*first = 1;
	p = calloc(4, sizeof(int));
	pthread_create(&t, 0, set, 0);
	assert(p[2] == 0);
	pthread_join(t, 0);
	return 0;
}
END
run 1 "$EVERETT" check -e none --json r.json heap.c
event '.kind == "write" and .location == "malloc#2[2]" and .value == "1"'
has out 'malloc#2\[2\] = 1 (from T1#1)'
finish
