#!/bin/bash
# A deadlock is reported with all who wait: what each waits for and where, what it holds, and where it locked that.
. "$(dirname "$0")/lib.bash"

pairs="sc/none sc/rf sc/traces sc/rvf tso/traces tso/rf pso/traces pso/rf ra/rf"

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
	has out "cycle.c:8:[0-9]*: deadlock: T1 holds a\[0\].lock and waits for a\[1\].lock, T2 holds a\[1\].lock and waits for a\[0\].lock$"
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
	has out "ended.c:7:[0-9]*: deadlock: main waits for mutex m, held by T[12], which has ended$" "locked it at ended.c:7" \
		"thread 0 waits for mutex m, held by thread [12], which has ended, at ended.c:7"
done
# details NAME [SED]: the program's deadlock is described as in `expected`, under all pairs.
details() {
	local pair
	for pair in $pairs; do
		run 1 "$EVERETT" check -m "${pair%/*}" -e "${pair#*/}" --json "$1.json" "$1.c"
		has out "deadlock: "
		jq -r '.results[0].findings[0].detail' "$1.json" | sed "/^$/d; ${2:-}" >detail
		diff expected detail >diff.out || fail "$1, $pair: $(cat diff.out)"
	done
}

# The thread that could fill the queue waits for what the one keeps that waits for it to be filled.
cat >cond.c <<'EOF'
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
static struct queue { pthread_cond_t filled; int items; } q = { PTHREAD_COND_INITIALIZER, 0 };
static void *take(void *p)
{
	pthread_mutex_lock(&n);
	pthread_mutex_lock(&m);
	while (!q.items)
		pthread_cond_wait(&q.filled, &m);
	q.items--;
	pthread_mutex_unlock(&m);
	pthread_mutex_unlock(&n);
	return p;
}
static void *put(void *p)
{
	pthread_mutex_lock(&n);
	pthread_mutex_lock(&m);
	q.items++;
	pthread_cond_signal(&q.filled);
	pthread_mutex_unlock(&m);
	pthread_mutex_unlock(&n);
	return p;
}
int main(void)
{
	pthread_t t[2];
	pthread_create(&t[0], NULL, take, NULL);
	pthread_create(&t[1], NULL, put, NULL);
	pthread_join(t[1], NULL);
	pthread_join(t[0], NULL);
	return 0;
}
EOF
cat >expected <<'EOF'
thread 0 waits for thread 2 to end, at cond.c:30
thread 1 waits for condition variable q.filled, and no thread is left to wake it, at cond.c:9
  holds mutex n, locked at cond.c:6
thread 2 waits for mutex n, held by thread 1, at cond.c:17
EOF
details cond

# The same with a semaphore.
cat >sem.c <<'EOF'
#include <pthread.h>
#include <semaphore.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static sem_t items[2];
static void *take(void *p)
{
	pthread_mutex_lock(&m);
	sem_wait(&items[1]);
	pthread_mutex_unlock(&m);
	return p;
}
static void *put(void *p)
{
	pthread_mutex_lock(&m);
	sem_post(&items[1]);
	pthread_mutex_unlock(&m);
	return p;
}
int main(void)
{
	pthread_t t[2];
	sem_init(&items[1], 0, 0);
	pthread_create(&t[0], NULL, take, NULL);
	pthread_create(&t[1], NULL, put, NULL);
	pthread_join(t[0], NULL);
	pthread_join(t[1], NULL);
	return 0;
}
EOF
cat >expected <<'EOF'
thread 0 waits for thread 1 to end, at sem.c:25
thread 1 waits for semaphore items[1], and no thread is left to post it, at sem.c:8
  holds mutex m, locked at sem.c:7
thread 2 waits for mutex m, held by thread 1, at sem.c:14
EOF
details sem

# Who is at the barrier keeps the other from coming.
cat >barrier.c <<'EOF'
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t b;
static void *work(void *p)
{
	pthread_mutex_lock(&m);
	pthread_barrier_wait(&b);
	pthread_mutex_unlock(&m);
	return p;
}
int main(void)
{
	pthread_t t;
	pthread_barrier_init(&b, NULL, 2);
	pthread_mutex_lock(&m);
	pthread_create(&t, NULL, work, NULL);
	pthread_barrier_wait(&b);
	pthread_mutex_unlock(&m);
	pthread_join(t, NULL);
	return 0;
}
EOF
cat >expected <<'EOF'
thread 0 waits at barrier b, which 1 of 2 threads have reached, at barrier.c:17
  holds mutex m, locked at barrier.c:15
thread 1 waits for mutex m, held by thread 0, at barrier.c:6
EOF
details barrier

# A barrier that more threads use than it waits for. Who is left over depends on the order.
cat >crowd.c <<'EOF'
#include <pthread.h>
static pthread_barrier_t b;
static void *work(void *p)
{
	pthread_barrier_wait(&b);
	return p;
}
int main(void)
{
	pthread_t t[3];
	pthread_barrier_init(&b, NULL, 2);
	for (int i = 0; i < 3; i++)
		pthread_create(&t[i], NULL, work, NULL);
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
	return 0;
}
EOF
cat >expected <<'EOF'
thread 0 waits for thread N to end, at crowd.c:15
thread N waits at barrier b, which 1 of 2 threads have reached, at crowd.c:5
EOF
details crowd 's/thread [1-9]/thread N/'

# A reader is part of a cycle.
cat >rwlock.c <<'EOF'
#include <pthread.h>
static pthread_rwlock_t cache = PTHREAD_RWLOCK_INITIALIZER;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *reader(void *p)
{
	pthread_rwlock_rdlock(&cache);
	pthread_mutex_lock(&m);
	pthread_mutex_unlock(&m);
	pthread_rwlock_unlock(&cache);
	return p;
}
static void *writer(void *p)
{
	pthread_mutex_lock(&m);
	pthread_rwlock_wrlock(&cache);
	pthread_rwlock_unlock(&cache);
	pthread_mutex_unlock(&m);
	return p;
}
int main(void)
{
	pthread_t t[2];
	pthread_create(&t[0], NULL, reader, NULL);
	pthread_create(&t[1], NULL, writer, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	return 0;
}
EOF
cat >expected <<'EOF'
thread 0 waits for thread 1 to end, at rwlock.c:26
thread 1 waits for mutex m, held by thread 2, at rwlock.c:7
  holds rwlock cache, locked at rwlock.c:6
thread 2 waits for rwlock cache, held by thread 1, at rwlock.c:15
  holds mutex m, locked at rwlock.c:14
EOF
details rwlock

# Readers that have ended without unlocking.
cat >rwended.c <<'EOF'
#include <pthread.h>
static pthread_rwlock_t cache = PTHREAD_RWLOCK_INITIALIZER;
static void *reader(void *p)
{
	pthread_rwlock_rdlock(&cache);
	return p;
}
int main(void)
{
	pthread_t t[2];
	pthread_create(&t[0], NULL, reader, NULL);
	pthread_create(&t[1], NULL, reader, NULL);
	pthread_join(t[0], NULL);
	pthread_join(t[1], NULL);
	pthread_rwlock_wrlock(&cache);
	return 0;
}
EOF
cat >expected <<'EOF'
thread 0 waits for rwlock cache, held by thread 1, which has ended and by thread 2, which has ended, at rwended.c:15
  thread 1 locked it at rwended.c:5
  thread 2 locked it at rwended.c:5
EOF
details rwended

# Two readers wait for main, who waits for one of them: the second of them not for the first.
cat >rwwriter.c <<'EOF'
#include <pthread.h>
static pthread_rwlock_t cache = PTHREAD_RWLOCK_INITIALIZER;
static void *reader(void *p)
{
	pthread_rwlock_rdlock(&cache);
	pthread_rwlock_unlock(&cache);
	return p;
}
int main(void)
{
	pthread_t t[2];
	pthread_rwlock_wrlock(&cache);
	pthread_create(&t[0], NULL, reader, NULL);
	pthread_create(&t[1], NULL, reader, NULL);
	pthread_join(t[0], NULL);
	pthread_join(t[1], NULL);
	pthread_rwlock_unlock(&cache);
	return 0;
}
EOF
cat >expected <<'EOF'
thread 0 waits for thread 1 to end, at rwwriter.c:15
  holds rwlock cache, locked at rwwriter.c:12
thread 1 waits for rwlock cache, held by thread 0, at rwwriter.c:5
thread 2 waits for rwlock cache, held by thread 0, at rwwriter.c:5
EOF
details rwwriter

# The headline names the threads and what they wait for, in the order of the cycle, or of the chain that begins at main.
headline() # NAME TEXT
{
	run 1 "$EVERETT" check -m sc -I"$TOP/tests/programs" "$TOP/tests/findings/$1.c"
	has out " deadlock: $2\$"
}
headline deadlock_abba 'T1 holds a and waits for b, T2 holds b and waits for a'
headline deadlock_join_cycle 'T1 waits for T2 to end, T2 waits for T1 to end'
headline deadlock_join_waiter 'T1 waits for m, main holds m and waits for T1 to end'
headline deadlock_ended_holder 'main waits for mutex m, held by T1, which has ended'
headline cond_lost_wakeup 'main waits for T1 to end, T1 waits for condition variable c, and no thread is left to wake it'
headline semaphore_abba 'main waits for T1 to end, T1 waits for semaphore b, and no thread is left to post it'
headline rwlock_upgrade 'main waits for rwlock lock, which it holds itself'
cat >round.c <<'END'
#include <pthread.h>
#define N 6
static pthread_mutex_t fork_of[N];
static void *eat(void *p)
{
	long i = (long)p;
	pthread_mutex_lock(&fork_of[i]);
	pthread_mutex_lock(&fork_of[(i + 1) % N]);
	pthread_mutex_unlock(&fork_of[(i + 1) % N]);
	pthread_mutex_unlock(&fork_of[i]);
	return 0;
}
int main(void)
{
	pthread_t t[N];
	for (long i = 0; i < N; i++)
		pthread_mutex_init(&fork_of[i], 0);
	for (long i = 0; i < N; i++)
		pthread_create(&t[i], 0, eat, (void *)i);
	for (long i = 0; i < N; i++)
		pthread_join(t[i], 0);
	return 0;
}
END
run 1 "$EVERETT" check -m sc --no-simplify round.c
has out ' deadlock: T1 holds fork_of\[0\] and waits for fork_of\[1\], T2 holds .* and waits for .*, T4 holds fork_of\[3\] and waits for fork_of\[4\], and 2 more threads in the same cycle$'
finish
