#!/bin/bash
# What reports call things: as the program does. Pointers, heap memory of a known type, threads, functions of C++; calls of the library
# as one, whatever they are made of; the whole life of a block that is used after it was freed.
. "$(dirname "$0")/lib.bash"

# the events of the first finding that the filter selects, one text a line
events() # FILE FILTER TEXT
{
	jq -r ".results[0].findings[0].events[] | select($2) | $3" "$1"
}
# same WHAT WANTED GOT
same()
{
	[ "$2" = "$3" ] || fail "$1: wanted '$2', got '$3'"
}

# A pointer is to the object that begins there, not to its first member. The type of a block is that of the pointer that gets it.
cat >names.c <<'END'
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
typedef struct pair { int a, b; } pair;
struct node { struct node *next; int a[3]; };
static struct node n[2], *p;
static struct { struct node *first; int *numbers; } h;
static pair *pairs, *slots[2];
static void *last;
static void (*handler)(void);
static void on_signal(void) {}
static void *work(void *unused)
{
	pthread_setname_np(pthread_self(), "adder");
	p = &n[0];
	p = &n[1];
	h.first->next = p;
	h.first->a[1] = 2;
	h.numbers[2] = 3;
	pairs[1].b = 4;
	slots[1]->a = 5;
	last = h.first;
	last = &h.first->a[2];
	handler = on_signal;
	return unused;
}
int main(void)
{
	pthread_t t[2];
	h.first = malloc(sizeof *h.first);
	h.numbers = calloc(4, sizeof(int));
	pairs = malloc(2 * sizeof *pairs);
	slots[1] = malloc(sizeof *slots[1]);
	void *unknown = malloc(1);
	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], 0, work, 0);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], 0);
	assert(!p || !unknown);
	return 0;
}
END
run 1 "$EVERETT" check -m sc --json names.json names.c
same "writes" 'p = &n[0]
p = &n[1]
node#1->next = &n[1]
node#1->a[1] = 2
malloc#2[2] = 3
malloc#3[1].b = 4
pair#4->a = 5
last = node#1
last = &node#1->a[2]
handler = &on_signal' "$(events names.json '.kind == "write" and .thread == 1' '"\(.location) = \(.value)"' | sed 's/pair#3/malloc#3/')"
has names.json '"pair#3\[1\].b"'
same "threads" 'main adder adder' "$(jq -r '[.results[0].findings[0].threads[].name] | join(" ")' names.json)"
has out '^  T0 main  *T1 adder  *T2 adder$'

# C++: names as in the source.
cat >bank.cpp <<'END'
#include <cassert>
#include <pthread.h>
namespace bank {
template <class T> struct account {
	T balance{};
	void deposit(T x) { balance = balance + x; }
};
static account<long> *one;
template <class T> void *teller(void *sum) { one->deposit(*static_cast<T *>(sum)); return nullptr; }
}
int main()
{
	pthread_t a, b;
	static long five = 5;
	bank::one = new bank::account<long>;
	pthread_create(&a, nullptr, bank::teller<long>, &five);
	pthread_create(&b, nullptr, bank::teller<long>, &five);
	pthread_join(a, nullptr);
	pthread_join(b, nullptr);
	assert(bank::one->balance == 10);
}
END
run 1 "$EVERETT" check -m sc --json bank.json bank.cpp
has out 'T1 bank::teller<long>' 'account<long>#1->balance = 5'
hasnot out '_Z'
same "functions" 'bank::account<long>::account bank::account<long>::deposit main' "$(events bank.json '.function != ""' .function | sort -u | paste -sd ' ')"

# Calls of the library are one piece each; a wait is another one where it goes on.
cat >calls.c <<'END'
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_barrier_t b;
static sem_t s;
static int ready, x;
static void init(void) {}
static void *other(void *unused)
{
	pthread_mutex_lock(&m);
	while (!ready)
		pthread_cond_wait(&c, &m);
	pthread_mutex_unlock(&m);
	pthread_barrier_wait(&b);
	sem_wait(&s);
	pthread_rwlock_wrlock(&l);
	x++;
	pthread_rwlock_unlock(&l);
	pthread_once(&once, init);
	return unused;
}
int main(void)
{
	pthread_t t;
	sem_init(&s, 0, 0);
	pthread_barrier_init(&b, 0, 2);
	pthread_create(&t, 0, other, 0);
	pthread_mutex_lock(&m);
	ready = 1;
	pthread_cond_signal(&c);
	pthread_mutex_unlock(&m);
	pthread_barrier_wait(&b);
	sem_post(&s);
	sem_post(&s);
	pthread_rwlock_rdlock(&l);
	int seen = x;
	pthread_rwlock_unlock(&l);
	pthread_once(&once, init);
	pthread_join(t, 0);
	pthread_cond_broadcast(&c);
	assert(seen == 2);
	return 0;
}
END
run 1 "$EVERETT" check -m sc --no-simplify --max-executions 1000 --json calls.json calls.c
sed -n 's/^ *#[0-9-]* \([a-z_]*(.*\)$/\1/p' out | sed 's/ (from .*//' | sort -u >shown
for call in 'sem_init(s)' 'barrier_wait(b)' 'sem_wait(s), leaves [01]' 'sem_post(s), leaves [12]' 'rwlock_wrlock(l)' 'rwlock_rdlock(l)' \
	'rwlock_unlock(l)' 'once(once)'; do
	grep -q "^$call" shown || fail "no $call: $(cat shown)"
done
hasnot out '#[0-9]* \(enter\|leave\|take\|offer\|wake\|sleep\|choose\) '
# Who waits first: its wait, who wakes it, and its return.
sed 's/assert(seen == 2)/assert(!waited)/; s/^static int ready/static int waited, ready/; s/while (!ready)/while (!ready \&\& ++waited)/' calls.c >waits.c
run 1 "$EVERETT" check -m sc --json waits.json waits.c
has out '#[0-9]*-[0-9]* cond_wait(c, m)' 'cond_signal(c) wakes T1' 'cond_broadcast(c) wakes no thread' 'cond_wait returns (from T0#[0-9]*)'
jq -e '[.results[0].findings[0].events[] | select(.call.text == "cond_wait(c, m)")] | length == 6 and ([.[].call.first] | unique | length == 1)' waits.json >/dev/null ||
	fail "the wait: $(events waits.json '.call' -c .call | sort | uniq -c)"

# A thread that still sleeps at the end has not woken, spuriously or otherwise.
cat >sleeps.c <<'END'
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int waits;
static void *other(void *unused)
{
	pthread_mutex_lock(&m);
	for (;;) {
		waits++;
		pthread_cond_wait(&c, &m);
	}
	return unused;
}
int main(void)
{
	pthread_t t;
	pthread_create(&t, 0, other, 0);
	for (int i = 0; i < 2; i++) {
		pthread_mutex_lock(&m);
		assert(waits < 2);
		pthread_cond_signal(&c);
		pthread_mutex_unlock(&m);
	}
	return 0;
}
END
run 1 "$EVERETT" check -m sc sleeps.c
has out '#[0-9]*-[0-9]* cond_wait(c, m)' 'cond_wait returns (from T0#[0-9]*)'
hasnot out 'spuriously'

# A loop that calls at one place: each time another call.
cat >rounds.c <<'END'
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
static sem_t s;
static void *other(void *unused)
{
	for (int i = 0; i < 3; i++)
		sem_post(&s);
	return unused;
}
int main(void)
{
	pthread_t t;
	sem_init(&s, 0, 0);
	pthread_create(&t, 0, other, 0);
	for (int i = 0; i < 3; i++)
		sem_wait(&s);
	assert(sem_trywait(&s) == 0);
	pthread_join(t, 0);
	return 0;
}
END
run 1 "$EVERETT" check -m sc --json rounds.json rounds.c
same "calls" '1 sem_init
1 sem_trywait
3 sem_post
3 sem_wait' "$(events rounds.json .call '"\(.thread) \(.call.first) \(.call.text)"' | sort -u | sed 's/^[0-9]* [0-9]* //; s/(.*//' | sort | uniq -c | sed 's/^ *//' | sort)"

# A use after free: the allocation, how the other thread got the pointer, the free, and that thread's start.
cat >list.c <<'END'
#include <pthread.h>
#include <stdlib.h>
struct node { int value; struct node *next; };
static struct node *head;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int unrelated;
static struct node *first(void)
{
	pthread_mutex_lock(&lock);
	struct node *n = head;
	pthread_mutex_unlock(&lock);
	return n;
}
static void *reader(void *unused) { struct node *n = first(); (void)(n && n->value); return unused; }
static void *popper(void *unused)
{
	pthread_mutex_lock(&lock);
	struct node *n = head;
	head = NULL;
	pthread_mutex_unlock(&lock);
	free(n);
	return unused;
}
static void *bystander(void *unused) { pthread_mutex_lock(&lock); pthread_mutex_unlock(&lock); unrelated++; return unused; }
int main(void)
{
	pthread_t t[3];
	void *(*const all[])(void *) = { bystander, reader, popper };
	struct node *n = malloc(sizeof *n);
	n->value = 1;
	head = n;
	for (int i = 0; i < 3; i++)
		pthread_create(&t[i], 0, all[i], 0);
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], 0);
	return unrelated - 1;
}
END
for m in sc tso pso; do
	run 1 "$EVERETT" check -m $m --json list.json list.c
	jq -e '.results[0].findings[0].kind == "use-after-free"' list.json >/dev/null || fail "$m: $(jq '.results[0].findings[0].kind' list.json)"
	same "$m: the block" '0 allocate node#1
0 write head
3 free node#1
3 read head
3 write head' "$(events list.json '.past and (.location == "node#1" or (.location == "head" and (.thread == 3 or .thread == 0))) and .kind != "update"' '"\(.thread) \(.kind) \(.location)"' | sort -u)"
	same "$m: the thread" '0 create 3' "$(events list.json '.past and .kind == "create" and .value == "3"' '"\(.thread) \(.kind) \(.value)"')"
	same "$m: its start" 3 "$(events list.json '.past and .kind == "start" and .thread == 3' .thread)"
	# References still meet: the free's thread reads the pointer from main's write.
	jq -e '.results[0].findings[0].events | (map(select(.kind == "write" and .location == "head"))[0]) as $w |
		[.[] | select(.kind == "read" and .location == "head") | .source == {thread: $w.thread, index: $w.index}] | all' list.json >/dev/null ||
		fail "$m: the source of the pointer"
	jq -e '.results[0].findings[0].events | group_by(.thread)[] | map(select(.kind != "update") | .index) | . == [range(length)]' list.json >/dev/null ||
		fail "$m: events are not numbered one after the other"
done
# Nobody else could notice the free, so that it is no event; it is shown all the same.
cat >own.c <<'END'
#include <stdlib.h>
int main(void)
{
	int *p = malloc(3 * sizeof(int));
	p[0] = 1;
	free(p);
	return p[0];
}
END
run 1 "$EVERETT" check --json own.json own.c
same "own" 'start
allocate malloc#1
free malloc#1' "$(events own.json .past '"\(.kind) \(.location)"' | sed 's/ *$//')"

# Narrow columns: a line of the source is cut where its expression is, and one list has it all where there is no room for columns.
cat >wide.c <<'END'
#include <assert.h>
#include <pthread.h>
static struct { int first_of_the_counters, second_of_the_counters; } s;
static void *work(void *unused)
{
	int something_that_is_long = 5, something_else = 6; s.second_of_the_counters = something_that_is_long + something_else;
	return unused;
}
int main(void)
{
	pthread_t t;
	pthread_create(&t, 0, work, 0);
	assert(!s.second_of_the_counters);
	pthread_join(t, 0);
	return 0;
}
END
run 1 "$EVERETT" check --json wide.json wide.c
for width in 60 80 100 200; do
	COLUMNS=$width "$EVERETT" report wide.json >out 2>err
	last="report, $width columns"
	has out 's\.second_of_the_co'
	[ "$(sed -n '/^  T0 main/,/assertion!/p' out | wc -L)" -le $width ] || fail "$width: $(sed -n '/^  T0 main/,/assertion!/p' out | wc -L) columns"
done
# At every width the file of the finding is named once, in the first line, and what is cut ends with dots.
has out ' 6: int something_that_is_long = 5, .*something_else;$'
for width in 50 80 200; do
	COLUMNS=$width "$EVERETT" report wide.json >out 2>err
	has out ' 12: pthread_cre'
	hasnot out 'wide.c:[0-9]*: '
done
COLUMNS=40 "$EVERETT" report wide.json >out 2>err
has out '^  T1 work$' '^  T1#1 write s.second_of_the_counters = 11$'

# The step that decides is not after the race, even where there are too many executions to look at them all.
cat >late.c <<'END'
#include <pthread.h>
#include <stdatomic.h>
static atomic_int n;
static int x;
static void *work(void *unused)
{
	x++;
	for (int i = 0; i < 4; i++)
		atomic_fetch_add_explicit(&n, 1, memory_order_relaxed);
	return unused;
}
int main(void)
{
	pthread_t t[4];
	for (int i = 0; i < 4; i++)
		pthread_create(&t[i], 0, work, 0);
	for (int i = 0; i < 4; i++)
		pthread_join(t[i], 0);
	return 0;
}
END
run 1 "$EVERETT" check -m rc11 late.c
has out 'the simplest execution' 'late.c:7 race!'
hasnot out 'rmw relaxed n'
finish
