/*
An execution that is run once more without its last step found more steps than were asked for, and went on from a mark behind these.
flavour: await
created: 2
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
#line 1 "p1210007.c"
static int try_1210007_100(int *r)
{
	int r0 = r[0], r1 = r[1], r2 = r[2], r3 = r[3];
	static int own;
	static pthread_mutex_t own_mutex = PTHREAD_MUTEX_INITIALIZER;
#line 101 "p1210007.c"
	r1 = 0;
#line 102 "p1210007.c"
	r3 = __atomic_load_n(&x0, __ATOMIC_RELAXED); DONE
#line 103 "p1210007.c"
	if (r3 == 1) {
#line 104 "p1210007.c"
		r1 = 1; __atomic_compare_exchange_n(&x0, &r1, 3, 0, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED); DONE
	}
	r[0] = r0, r[1] = r1, r[2] = r2, r[3] = r3;
	(void)own, (void)own_mutex;
	return r1 == 1;
}
static int try_1210007_105(int *r)
{
	int r0 = r[0], r1 = r[1], r2 = r[2], r3 = r[3];
	static int own;
	static pthread_mutex_t own_mutex = PTHREAD_MUTEX_INITIALIZER;
#line 106 "p1210007.c"
	r2 = 0;
#line 107 "p1210007.c"
	r0 = __atomic_load_n(&x0, __ATOMIC_SEQ_CST); DONE
#line 108 "p1210007.c"
	if (r0 == 1) {
#line 109 "p1210007.c"
		r1 = __atomic_load_n(&x1, __ATOMIC_RELAXED); DONE
#line 110 "p1210007.c"
		if (r1 != 0) {
#line 111 "p1210007.c"
			r2 = 1;
		}
	}
	r[0] = r0, r[1] = r1, r[2] = r2, r[3] = r3;
	(void)own, (void)own_mutex;
	return r2 == 1;
}
static int try_1210007_113(int *r)
{
	int r0 = r[0], r1 = r[1], r2 = r[2], r3 = r[3];
	static int own;
	static pthread_mutex_t own_mutex = PTHREAD_MUTEX_INITIALIZER;
#line 114 "p1210007.c"
	r3 = __atomic_compare_exchange_n(&x0, &r0, (r0 + 1) & 3, 0, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED); DONE
	r[0] = r0, r[1] = r1, r[2] = r2, r[3] = r3;
	(void)own, (void)own_mutex;
	return r3 == 1;
}
static void *role_1210007_1(void *argument)
{
	int r0 = 0, r1 = 0, r2 = 0, r3 = 0;
	static int own;
	static pthread_mutex_t own_mutex = PTHREAD_MUTEX_INITIALIZER;
#line 115 "p1210007.c"
	RELEASING(x0, 1) x0 = 1; STORED(BY_FENCE)
#line 116 "p1210007.c"
	__atomic_store_n(&x1, (r0 + 2) & 3, __ATOMIC_SEQ_CST); STORED(BY_RMW)
#line 117 "p1210007.c"
	pthread_mutex_lock(&m0); DONE
#line 118 "p1210007.c"
	r0 = __atomic_load_n(&x1, __ATOMIC_RELAXED); DONE
#line 119 "p1210007.c"
	STORING x0 = (r0 + 2) & 3; STORED(BY_LOCK)
#line 120 "p1210007.c"
	pthread_mutex_unlock(&m0); DONE
	(void)r0, (void)r1, (void)r2, (void)r3, (void)own, (void)own_mutex;
	TELL(1)
	return argument;
}
static void *role_1210007_0(void *argument)
{
	int r0 = 0, r1 = 0, r2 = 0, r3 = 0;
	static int own;
	static pthread_mutex_t own_mutex = PTHREAD_MUTEX_INITIALIZER;
#line 100 "p1210007.c"
	{ int n = 1; while (!CALL(try_1210007_100)) BACK_OFF }
#line 105 "p1210007.c"
	{ int (*function)(int *) = try_1210007_105; while (!CALL(function)) usleep(1); }
#line 112 "p1210007.c"
	r0 = x0; DONE
#line 113 "p1210007.c"
	{ int (*function)(int *) = try_1210007_113; while (!CALL(function)) sched_yield(); }
	(void)r0, (void)r1, (void)r2, (void)r3, (void)own, (void)own_mutex;
	TELL(0)
	return argument;
}
static void main_1210007(int order)
{
	int r0 = 0, r1 = 0, r2 = 0, r3 = 0;
	static int own;
	static pthread_mutex_t own_mutex = PTHREAD_MUTEX_INITIALIZER;
	x0 = 1;
	pthread_t t[4];
	for (int k = 0, used = 0; k < 2; k++)
		START({ 0, role_1210007_0 }, { 1, role_1210007_1 }, )
	pthread_join(t[0], 0);
	pthread_join(t[1], 0);
	TELL(9)
	(void)r0, (void)r1, (void)r2, (void)r3, (void)own, (void)own_mutex;
}
#line 1 "main.c"
int main(int argc, char **argv)
{
	static void (*const programs[])(int) = {
		main_1210007,
	};
	int order = argc > 2 ? atoi(argv[2]) : 0;
	fences = argc > 3 ? atoi(argv[3]) : 0;
	programs[argc > 1 ? atoi(argv[1]) : 0](order);
	return 0;
}
