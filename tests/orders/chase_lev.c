/*
 * The work-stealing deque of Chase and Lev, with the orders of Le, Pop, Cohen and Zappa Nardelli (PPoPP 2013), in a ring that does not grow: the
 * owner pushes and takes at the bottom, thieves steal at the top. Each job comes out at most once, complete, and in the end all have come out.
 */
#include "orders.h"

#define SIZE 2
#define JOBS 3

struct job {
	int number;
	int taken;
};

static atomic_int top, bottom;
static struct job *_Atomic ring[SIZE];
static struct job jobs[JOBS];

static bool push(struct job *job)
{
	int b = LOAD(push_bottom, relaxed, &bottom);
	int t = LOAD(push_top, acquire, &top);
	if (b - t >= SIZE)
		return false;
	STORE(push_slot, relaxed, &ring[b % SIZE], job);
	FENCE(push_fence, release);
	STORE(push_bottom_store, relaxed, &bottom, b + 1);
	return true;
}

static struct job *take(void)
{
	int b = LOAD(take_bottom, relaxed, &bottom) - 1;
	STORE(take_bottom_store, relaxed, &bottom, b);
	FENCE(take_fence, seq_cst);
	int t = LOAD(take_top, relaxed, &top);
	struct job *job = NULL;
	if (t <= b) {
		job = LOAD(take_slot, relaxed, &ring[b % SIZE]);
		if (t < b)
			return job;
		if (!CAS(take_cas, seq_cst, take_cas_failed, relaxed, &top, &t, t + 1))
			job = NULL;
	}
	STORE(take_bottom_restore, relaxed, &bottom, b + 1);
	return job;
}

static struct job *steal(void)
{
	int t = LOAD(steal_top, acquire, &top);
	FENCE(steal_fence, seq_cst);
	int b = LOAD(steal_bottom, acquire, &bottom);
	if (t >= b)
		return NULL;
	struct job *job = LOAD(steal_slot, relaxed, &ring[t % SIZE]);
	return CAS(steal_cas, seq_cst, steal_cas_failed, relaxed, &top, &t, t + 1) ? job : NULL;
}

/* Plain accesses: two threads that get one job race, and so does one that gets it too early. */
static int finished(struct job *job)
{
	if (!job)
		return 0;
	assert(job->number == 10 && job->taken == 0);
	job->taken = 1;
	return 1;
}

static void *thief(void *count)
{
	for (int i = 0; i < 2; i++)
		*(int *)count += finished(steal());
	return NULL;
}

static bool give(int i)
{
	jobs[i].number = 10;
	return push(&jobs[i]);
}

int main(void)
{
	int count = 0, stolen = 0, pushed = 0;
	pthread_t thread = start(thief, &stolen);
	pushed += give(0);
	pushed += give(1);
	count += finished(take());
	pushed += give(2);
	finish(thread);
	for (int i = 0; i < JOBS; i++)
		count += finished(take());
	assert(count + stolen == pushed);
	return 0;
}
