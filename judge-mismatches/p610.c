/*
Mismatch: engine sc/revisit, from seed 610
24 and 22 rf classes
  only 1: 0:;0.0: choose@0=1 lock@555555638858<init unlock@555555638858;0.1: lock@555555638858<0.2#3 unlock@555555638858;0.2: lock@555555638858<0.0#2 unlock@555555638858 lock@555555638858<0.2#1 unlock@555555638858;
  only 2: -
  1: everett check -m sc -e none -k --no-races --every-access --classes FILE THIS.c -- 0 0 0
  2: everett check -m sc -e revisit -k --no-races --check --every-access --classes FILE THIS.c -- 0 0 0
Or: judge --file=THIS.c
flavour: sync
created: 3
*/
/* Arguments: which program; then the order in which its threads are created; then 1 for a
 * seq_cst fence after every store. */
#include <assert.h>
#include <everett.h>
#include <pthread.h>
#include <stdlib.h>
static int x0, x1, x2;
static pthread_mutex_t m0 = PTHREAD_MUTEX_INITIALIZER, m1 = PTHREAD_MUTEX_INITIALIZER;
static int fences;
struct role { int number; void *(*run)(void *); };
/* Further fences, if they are asked for: 1: a barrier after stores; 2: stores in order; 3: seq_cst after all. */
#define STORING if (fences == 2) __atomic_thread_fence(__ATOMIC_RELEASE);
#define RELEASING(x, v) if (fences == 2) __atomic_store_n(&x, v, __ATOMIC_RELEASE); else
#define STORED(barrier) if (fences == 1) { barrier } DONE
#define BY_FENCE __atomic_thread_fence(__ATOMIC_SEQ_CST);
#define BY_RMW __atomic_fetch_add(&own, 1, __ATOMIC_RELAXED);
#define BY_STORE __atomic_store_n(&own, 1, __ATOMIC_SEQ_CST);
#define BY_LOCK pthread_mutex_lock(&own_mutex); pthread_mutex_unlock(&own_mutex);
#define DONE if (fences == 3) __atomic_thread_fence(__ATOMIC_SEQ_CST);
#define TRYLOCK(m) ({ int e = pthread_mutex_trylock(m); DONE e; })
/* Create the thread that comes k-th in the chosen order of all that main creates. */
static int kth(int n, int k, int *order, int *used)
{
	int skip = *order % (n - k), i = 0;
	*order /= n - k;
	for (; *used >> i & 1 || skip; i++)
		skip -= !(*used >> i & 1);
	*used |= 1 << i;
	return i;
}
#define START(...) { \
	static const struct role roles[] = { __VA_ARGS__ }; \
	const struct role *r = &roles[kth(sizeof(roles) / sizeof(roles[0]), k, &order, &used)]; \
	pthread_create(&t[r->number], 0, r->run, 0); \
}
#include <semaphore.h>
#include <stdio.h>
#include <time.h>
static sem_t s0, s1;
static pthread_rwlock_t w0 = PTHREAD_RWLOCK_INITIALIZER;
static pthread_cond_t c0 = PTHREAD_COND_INITIALIZER, c1 = PTHREAD_COND_INITIALIZER;
static pthread_barrier_t b0;
static pthread_once_t o0 = PTHREAD_ONCE_INIT;
static pthread_spinlock_t l0;
static const struct timespec soon = { 1, 0 };
#define FAILS(call) ({ int e = (call) != 0; DONE e; })
#define VALUE(s) ({ int v; sem_getvalue(s, &v); DONE v; })
/* All that a thread knows in the end; role 9 is main, which knows all. */
#define TELL(role) printf("%d:%lx ", role, ((r0 * 64ul + r1) * 64 + r2) * 64 + r3);
/* What comes after that is of no interest. */
#define ASSUME(c) { if (!(c)) printf("- "); everett_assume(c); }
#line 1 "p610.c"
static void *role_610_2(void *argument)
{
	int r0 = 0, r1 = 0, r2 = 0, r3 = 0;
	static int own;
	static pthread_mutex_t own_mutex = PTHREAD_MUTEX_INITIALIZER;
	pthread_cond_broadcast(&c0); DONE
	pthread_cond_signal(&c0); DONE
	(void)r0, (void)r1, (void)r2, (void)r3, (void)own, (void)own_mutex;
	TELL(2)
	return argument;
}
static void *role_610_1(void *argument)
{
	int r0 = 0, r1 = 0, r2 = 0, r3 = 0;
	static int own;
	static pthread_mutex_t own_mutex = PTHREAD_MUTEX_INITIALIZER;
	pthread_cond_signal(&c0); DONE
	(void)r0, (void)r1, (void)r2, (void)r3, (void)own, (void)own_mutex;
	TELL(1)
	return argument;
}
static void *role_610_0(void *argument)
{
	int r0 = 0, r1 = 0, r2 = 0, r3 = 0;
	static int own;
	static pthread_mutex_t own_mutex = PTHREAD_MUTEX_INITIALIZER;
	pthread_mutex_lock(&m0); DONE
	r2 = FAILS(pthread_cond_timedwait(&c0, &m0, &soon));
	(void)r0, (void)r1, (void)r2, (void)r3, (void)own, (void)own_mutex;
	TELL(0)
	return argument;
}
static void main_610(int order)
{
	int r0 = 0, r1 = 0, r2 = 0, r3 = 0;
	static int own;
	static pthread_mutex_t own_mutex = PTHREAD_MUTEX_INITIALIZER;
	pthread_t t[4];
	for (int k = 0, used = 0; k < 3; k++)
		START({ 0, role_610_0 }, { 1, role_610_1 }, { 2, role_610_2 }, )
	pthread_join(t[0], 0);
	pthread_join(t[1], 0);
	pthread_join(t[2], 0);
	TELL(9)
	(void)r0, (void)r1, (void)r2, (void)r3, (void)own, (void)own_mutex;
}
#line 1 "main.c"
int main(int argc, char **argv)
{
	static void (*const programs[])(int) = {
		main_610,
	};
	int order = argc > 2 ? atoi(argv[2]) : 0;
	fences = argc > 3 ? atoi(argv[3]) : 0;
	programs[argc > 1 ? atoi(argv[1]) : 0](order);
	return 0;
}
