#!/bin/bash
# A deadlock is reported with all who wait: what each waits for and where, what it holds, and where it locked that.
. "$(dirname "$0")/lib.bash"

pairs="sc/none sc/rf sc/traces sc/rvf tso/traces pso/traces ra/rf"

# A cycle through functions that all have the same line in common, while another thread ends and main waits for somebody.
# `own` is no other thread's business, so that no event tells of it; `again` is locked twice, and once unlocked.
cat >cycle.c <<'EOF'
#include <pthread.h>
struct account { pthread_mutex_t lock; int money; };
static struct account a[2] = { { PTHREAD_MUTEX_INITIALIZER, 1 }, { PTHREAD_MUTEX_INITIALIZER, 2 } };
static pthread_mutex_t own = PTHREAD_MUTEX_INITIALIZER, given = PTHREAD_MUTEX_INITIALIZER, again;
static void transfer(struct account *from, struct account *to)
{
	pthread_mutex_lock(&from->lock);
	pthread_mutex_lock(&to->lock);
	from->money--;
	to->money++;
	pthread_mutex_unlock(&to->lock);
	pthread_mutex_unlock(&from->lock);
}
static void *left(void *p)
{
	pthread_mutex_lock(&given);
	pthread_mutex_lock(&own);
	pthread_mutex_unlock(&given);
	transfer(&a[0], &a[1]);
	pthread_mutex_unlock(&own);
	return p;
}
static void *right(void *p)
{
	pthread_mutex_trylock(&again);
	pthread_mutex_lock(&again);
	pthread_mutex_unlock(&again);
	transfer(&a[1], &a[0]);
	pthread_mutex_unlock(&again);
	return p;
}
static void *other(void *p)
{
	return p;
}
int main(void)
{
	pthread_t t[3];
	pthread_mutexattr_t recursive;
	pthread_mutexattr_init(&recursive);
	pthread_mutexattr_settype(&recursive, PTHREAD_MUTEX_RECURSIVE);
	pthread_mutex_init(&again, &recursive);
	pthread_create(&t[0], NULL, left, NULL);
	pthread_create(&t[1], NULL, right, NULL);
	pthread_create(&t[2], NULL, other, NULL);
	for (int i = 3; i-- > 0;)
		pthread_join(t[i], NULL);
	return 0;
}
EOF
cat >expected <<'EOF'
thread 0 waits for thread 2 to end, at cycle.c:47
thread 1 waits for mutex a[1].lock, held by thread 2, at cycle.c:8
  holds mutex own, locked at cycle.c:17
  holds mutex a[0].lock, locked at cycle.c:7
thread 2 waits for mutex a[0].lock, held by thread 1, at cycle.c:8
  holds mutex again, locked at cycle.c:25
  holds mutex a[1].lock, locked at cycle.c:7
EOF
for pair in $pairs; do
	run 1 "$EVERETT" check -m "${pair%/*}" -e "${pair#*/}" --json cycle.json cycle.c
	has out "cycle.c:8:[0-9]*: deadlock: threads wait for each other in a cycle"
	jq -r '.results[0].findings[0].detail' cycle.json | sed '/^$/d' >detail
	diff expected detail >diff.out || fail "$pair: $(cat diff.out)"
done

# Not a cycle: the error path of the one keeps the mutex, the other waits for it, main for the other.
cat >ended.c <<'EOF'
#include <pthread.h>
#include <stdlib.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int balance = 1;
static int withdraw(int amount)
{
	pthread_mutex_lock(&m);
	if (amount > balance)
		return -1;
	balance -= amount;
	pthread_mutex_unlock(&m);
	return 0;
}
static void *one(void *p)
{
	withdraw(1);
	return p;
}
int main(void)
{
	pthread_t t[2];
	pthread_create(&t[0], NULL, one, NULL);
	pthread_create(&t[1], NULL, one, NULL);
	pthread_join(t[0], NULL);
	pthread_join(t[1], NULL);
	withdraw(0);
	return 0;
}
EOF
for pair in $pairs; do
	run 1 "$EVERETT" check -m "${pair%/*}" -e "${pair#*/}" ended.c
	has out "ended.c:7:[0-9]*: deadlock: main waits for what will never happen" "locked it at ended.c:7" \
		"thread 0 waits for mutex m, held by thread [12], which has ended, at ended.c:7"
done
finish
