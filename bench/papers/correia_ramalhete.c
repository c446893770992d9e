/*
 * Correia_Ramalhete(N): mutual exclusion in which a thread gives way to those before itself and waits for those after itself, until
 * somebody who leaves finds another waiting; from then on the lock is handed over. Built on sequential consistency, which RA is not;
 * -DFENCES=1 repairs it. With -DAS_MEASURED whoever looks for others always believes to have seen one, so that nobody enters.
 */
#include "lockfree.h"

#ifndef N
#define N 3
#endif

enum state { UNLOCKED, WAITING, LOCKED };

static atomic_int states[N], handed[N], handing;
static int shared;

static void announce(int self, enum state state)
{
	store(states[self], state);
	fence_tso();
}

/* Has nobody before self come? */
static bool nobody_before(int self)
{
	for (int i = 0; i < self; i++)
		if (load(states[i]) != UNLOCKED)
			return false;
	return !as_measured;
}

/* Does nobody after self hold the lock, or try to? */
static bool nobody_after(int self)
{
	for (int i = self + 1; i < N; i++)
		if (load(states[i]) == LOCKED)
			return false;
	return !as_measured;
}

enum step { ENTER, AGAIN, GIVE_UP };

/* While the lock is handed over: wait until it is handed to self, or is free for all. */
static enum step await_hand(int self, bool *announced)
{
	for (int rounds = 0; load(handing);) {
		if (!*announced)
			announce(self, WAITING);
		*announced = true;
		if (load(handed[self])) {
			store(handed[self], 0);
			announce(self, LOCKED);
			return ENTER;
		}
		if (give_up(rounds))
			return GIVE_UP;
	}
	*announced = true;
	return AGAIN;
}

/* While it is free for all: try to get it. */
static enum step compete(int self)
{
	announce(self, LOCKED);
	if (!nobody_before(self)) {
		announce(self, WAITING);
		for (int rounds = 0; !load(handing) && !nobody_before(self);)
			if (give_up(rounds))
				return GIVE_UP;
		return AGAIN;
	}
	for (int rounds = 0; !load(handing);) {
		if (nobody_after(self) && !load(handing))
			return ENTER;
		if (give_up(rounds))
			return GIVE_UP;
	}
	announce(self, WAITING);
	return AGAIN;
}

static bool lock(int self)
{
	bool announced = false;
	for (int rounds = 0;;) {
		enum step step = await_hand(self, &announced);
		if (step == AGAIN)
			step = compete(self);
		if (step != AGAIN)
			return step == ENTER;
		if (give_up(rounds))
			return false;
	}
}

static void unlock(int self)
{
	for (int i = (self + 1) % N; i != self; i = (i + 1) % N) {
		if (load(states[i]) != WAITING)
			continue;
		if (!load(handing))
			store(handing, 1);
		store(handed[i], 1);
		announce(self, UNLOCKED);
		return;
	}
	if (load(handing))
		store(handing, 0);
	announce(self, UNLOCKED);
}

static void *body(void *argument)
{
	int self = number(argument);
	if (!lock(self))
		return NULL;
	shared++;
	unlock(self);
	return NULL;
}

int main(void)
{
	run(N, body);
	return 0;
}
