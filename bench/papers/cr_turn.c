/*
 * Correia_Ramalhete_turn(N): mutual exclusion in which a thread gives way to those between the turn and itself and waits for those
 * behind itself; who leaves moves the turn on. Built on sequential consistency, which RA is not; -DFENCES=1 repairs it. With
 * -DAS_MEASURED who has waited in its last round enters, and whoever is inside leaves its name there and asserts that it still stands.
 */
#include "lockfree.h"

#ifndef N
#define N 3
#endif

enum state { UNLOCKED, WAITING, LOCKED };

static atomic_int states[N], turn, inside;
static int shared;

static void announce(int self, enum state state)
{
	store(states[self], state);
	fence_tso();
}

/* Is nobody there from the turn up to self? */
static bool nobody_before(int self, int now)
{
	for (int i = now; i != self; i = (i + 1) % N)
		if (load(states[i]) != UNLOCKED)
			return false;
	return true;
}

/* Does nobody hold the lock, or try to, from behind self up to the turn? */
static bool nobody_behind(int self, int now)
{
	for (int i = (self + 1) % N; i != now; i = (i + 1) % N)
		if (load(states[i]) == LOCKED)
			return false;
	return true;
}

static bool lock(int self)
{
	announce(self, LOCKED);
	for (int rounds = 0;;) {
		int now = load(turn);
		bool waits = !nobody_before(self, now);
		if (waits) {
			announce(self, WAITING);
			for (int spins = 0; !nobody_before(self, now) || load(turn) != now;) {
				now = load(turn);
				if (give_up(spins))
					return false;
			}
			announce(self, LOCKED);
		} else {
			for (int spins = 0; load(turn) == now && !nobody_behind(self, now);)
				if (give_up(spins))
					return false;
			if (load(turn) == now)
				return true;
		}
		if (give_up(rounds))
			return as_measured && waits;
	}
}

/* The critical section. */
static void enter(int self)
{
	if (!as_measured) {
		shared++;
		return;
	}
	store(inside, self);
	int stands = load(inside);
#ifndef NO_ASSERT
	assert(stands == self);
#endif
	(void)stands;
}

static void *body(void *argument)
{
	int self = number(argument);
	if (!lock(self))
		return NULL;
	enter(self);
	store(turn, (load(turn) + 1) % N);
	store(states[self], UNLOCKED);
	return NULL;
}

int main(void)
{
	run(N, body);
	return 0;
}
