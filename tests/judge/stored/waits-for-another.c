/*
A thread that waits was not let wait although somebody might still write what it waits for: engine revisit missed classes.
flavour: await
created: 1
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
#include <sched.h>
#include <stdio.h>
#include <unistd.h>
/* All that a thread knows in the end; role 9 is main, which knows all. */
#define TELL(role) printf("%d:%lx ", role, ((r0 * 64ul + r1) * 64 + r2) * 64 + r3);
/* What comes after that is of no interest. */
#define ASSUME(c) { if (!(c)) printf("- "); everett_assume(c); }
#define AWAIT(load, is_not) ({ int found; do found = load; while (found is_not); found; })
#define CALL(function) ({ \
	int r[4] = { r0, r1, r2, r3 }, success = function(r); \
	r0 = r[0], r1 = r[1], r2 = r[2], r3 = r[3]; \
	success; \
})
#define BACK_OFF { for (int k = 0; k < n; k++) sched_yield(); if (n < 4) n += n; }
#line 1 "waits-for-another.c"
static void *role_1102004613_1(void *argument)
{
	int r0 = 0, r1 = 0, r2 = 0, r3 = 0;
	static int own;
	static pthread_mutex_t own_mutex = PTHREAD_MUTEX_INITIALIZER;
#line 104 "waits-for-another.c"
	RELEASING(x1, 1) __atomic_store_n(&x1, 1, __ATOMIC_RELAXED); STORED(BY_RMW)
#line 105 "waits-for-another.c"
	{ do {
#line 106 "waits-for-another.c"
		r3 = __atomic_exchange_n(&x0, 1, __ATOMIC_RELAXED); DONE
		;
	} while (!(r3 != 0)); }
#line 107 "waits-for-another.c"
	r0 = __atomic_exchange_n(&x1, 2, __ATOMIC_RELAXED); DONE
	(void)r0, (void)r1, (void)r2, (void)r3, (void)own, (void)own_mutex;
	TELL(1)
	return argument;
}
static void main_1102004613(int order)
{
	int r0 = 0, r1 = 0, r2 = 0, r3 = 0;
	static int own;
	static pthread_mutex_t own_mutex = PTHREAD_MUTEX_INITIALIZER;
	pthread_t t[4];
	for (int k = 0, used = 0; k < 1; k++)
		START({ 1, role_1102004613_1 }, )
#line 100 "waits-for-another.c"
	STORING __atomic_store_n(&x1, 1, __ATOMIC_RELAXED); STORED(BY_FENCE)
#line 101 "waits-for-another.c"
	STORING __atomic_store_n(&x0, 1, __ATOMIC_RELAXED); STORED(BY_FENCE)
#line 102 "waits-for-another.c"
	{ do {
#line 103 "waits-for-another.c"
		r3 = __atomic_load_n(&x1, __ATOMIC_RELAXED); DONE
		;
	} while (!(r3 != 1)); }
	TELL(0)
	pthread_join(t[1], 0);
	TELL(9)
	(void)r0, (void)r1, (void)r2, (void)r3, (void)own, (void)own_mutex;
}
#line 1 "main.c"
int main(int argc, char **argv)
{
	static void (*const programs[])(int) = {
		main_1102004613,
	};
	int order = argc > 2 ? atoi(argv[2]) : 0;
	fences = argc > 3 ? atoi(argv[3]) : 0;
	programs[argc > 1 ? atoi(argv[1]) : 0](order);
	return 0;
}
