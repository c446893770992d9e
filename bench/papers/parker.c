/*
 * A lost wake-up of the Java virtual machine's Parker (bug 6822370): main makes a condition true between two calls of unpark,
 * the other thread parks until it is true. The lock is a pair of flags with the fences that it needs.
 *
 * -DN=8: an execution ends when the parker has found the condition false N times (parker(N)).
 */
#include "papers.h"

enum { UNPARKER, PARKER };

static atomic_int flag[2];
static atomic_int permit, waiting;
static atomic_int condition, finished;

static void lock(int self)
{
	set(flag[self], 1);
	fence();
	/* Not a loop: two that come at once would wait for each other for ever. Those executions are left out, as in the papers. */
	everett_assume(get(flag[1 - self]) == 0);
}

static void unlock(int self)
{
	fence();
	set(flag[self], 0);
}

static int try_lock(int self)
{
	set(flag[self], 1);
	fence();
	if (get(flag[1 - self]) == 0)
		return 1;
	set(flag[self], 0);
	return 0;
}

static void unpark(void)
{
	lock(UNPARKER);
	int before = get(permit);
	set(permit, 1);
	unlock(UNPARKER);
	if (before == 0)
		set(waiting, 0);
}

static void wait_for_signal(void)
{
	set(waiting, 1);
	unlock(PARKER);
	/* Nobody is left who would wake the thread. */
	assert(!get(finished) || !get(waiting));
	wait_until(!get(waiting));
	lock(PARKER);
}

static void park(void)
{
	if (get(permit) > 0) {
		set(permit, 0);
		fence_pso();
		return;
	}
	if (!try_lock(PARKER))
		return;
	if (get(permit) == 0)
		wait_for_signal();
	set(permit, 0);
	unlock(PARKER);
}

static void *parker(void *unused)
{
	for (int i = 0; !get(condition); i++) {
#ifdef N
		everett_assume(i < N);
#endif
		park();
	}
	return unused;
}

int main(void)
{
	pthread_t thread;
	start(&thread, parker, 0);
	unpark();
	set(condition, 1);
	fence();
	unpark();
	fence();
	set(finished, 1);
	return 0;
}
