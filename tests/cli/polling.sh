#!/bin/bash
# A thread polls memory that is not yet known to be shared, while those who will write it have visible events to make before: that ends on
# every machine, so it is no finding. A loop that nobody can end is one.
. "$(dirname "$0")/lib.bash"

cat >poll.c <<'END'
#include <everett.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>
static int ready;
static long k;
static atomic_int x;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int get(void) { return ready; }
static int (*function)(void) = get;
static void tail(void)
{
	if (ready)
		return;
	k++;
	__attribute__((musttail)) return tail();
}
#define LOCKED (pthread_mutex_lock(&m), pthread_mutex_unlock(&m))
static void *writer(void *p)
{
	(void)tail, (void)function;
	BEFORE;
	WRITE;
	return p;
}
#ifdef MAIN
int main(void)
{
	pthread_t t;
	pthread_create(&t, NULL, writer, NULL);
	BEFORE;
	POLL;
	pthread_join(t, NULL);
	return 0;
}
#else
static void *poller(void *p)
{
	BEFORE;
	POLL;
	return p;
}
int main(void)
{
	pthread_t t, u;
	pthread_create(&t, NULL, poller, NULL);
	pthread_create(&u, NULL, writer, NULL);
	END;
	pthread_join(t, NULL);
	return 0;
}
#endif
END
write='-DWRITE=ready = 1' join='-DEND=pthread_join(u, NULL)'

# polls STATUS OPTIONS...: no alarm. Once the memory is known to be shared, a loop that does more than wait goes round as often as it likes.
polls() {
	run "$@" poll.c
	hasnot err no-progress
	hasnot err FINDING
}

# who BEFORE POLL STATUS
while IFS='|' read -r who before poll status; do
	# The time limit only makes an alarm come sooner.
	polls "$status" "$EVERETT" check --max-executions 50 --execution-timeout 1 "-D$who" "-DBEFORE=$before" "-DPOLL=$poll" "$write" "$join"
done <<'END'
MAIN|x++|while (!ready) k++|3
THREAD|x++|do k++; while (!ready)|3
MAIN|LOCKED|while (!function()) k++|3
MAIN|LOCKED|while (!ready) usleep(10)|0
THREAD|LOCKED|while (!ready) sched_yield()|0
END
polls 0 "$EVERETT" check -m tso --unroll 3 -DMAIN -DBEFORE=x++ '-DPOLL=while (!ready) k++' "$write"
# A loop of tail calls has no hook but that of its accesses.
polls 3 "$EVERETT" check --max-executions 50 --execution-timeout 0.3 -DMAIN -DBEFORE=x++ '-DPOLL=tail()' "$write"
# The random executions at the start do not come upon it.
polls 3 "$EVERETT" check --max-executions 900 --execution-timeout 0.3 '-DBEFORE=x++' "-DPOLL=if (everett_choose(300) == 234) while (!ready) k++" "$write" "$join"

# The process ends without the loop.
polls 0 "$EVERETT" check --execution-timeout 0.2 '-DBEFORE=x++' '-DPOLL=for (;;) k++' '-DWRITE=exit(0)' '-DEND=(void)u'
has err 'ok, 2 executions, complete'
polls 0 "$EVERETT" check --execution-timeout 0.2 '-DBEFORE=x++' '-DPOLL=for (;;) k++' '-DWRITE=(void)0' '-DEND=pthread_join(u, NULL); return 0'
has err 'ok, 2 executions, complete'
# Who might write it was stopped by an assumption.
polls 3 "$EVERETT" check --execution-timeout 0.2 '-DBEFORE=x++' '-DPOLL=for (;;) k++' '-DWRITE=everett_assume(0)' "$join"
has err 'incomplete, 0 executions, 2 blocked'

# Nobody writes it: others go on to their ends, and the loop is reported; replay shows it again.
for poll in 'while (!ready) k++' 'tail()'; do
	run 1 "$EVERETT" check --execution-timeout 0.2 --json r.json -DMAIN -DBEFORE=x++ "-DPOLL=$poll" -DWRITE=x++ poll.c
	has err ': FINDING no-progress at poll.c:[0-9]* after 1 execution'
	has out 'no-progress: .* ran for 0.2 seconds without a visible event'
	run 1 "$EVERETT" replay r.json
	has err ': FINDING no-progress at poll.c:'
done
run 1 "$EVERETT" robust --execution-timeout 0.2 -DBEFORE=x++ '-DPOLL=for (;;) k++' -DWRITE=x++ "$join" poll.c
has err ': FINDING no-progress at poll.c:'
finish
