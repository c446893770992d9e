// A thread finds its own number where its creator put it; errors of join. Nothing is shared: 1.
// executions: sc/none:1
// finding: none
#include "run.h"
#include <errno.h>
static pthread_t ids[2];
THREAD(work)
{
	assert(pthread_equal(ids[(size_t)argument], pthread_self()));
	assert(pthread_join(pthread_self(), NULL) == EDEADLK);
	return argument;
}
int main(void)
{
	for (size_t i = 0; i < 2; i++)
		pthread_create(&ids[i], NULL, work, (void *)i);
	assert(!pthread_equal(ids[0], ids[1]) && !pthread_equal(ids[0], pthread_self()));
	assert(pthread_join(ids[0], NULL) == 0 && pthread_join(ids[0], NULL) == EINVAL);
	assert(pthread_join(ids[1], NULL) == 0);
	assert(pthread_join(12345, NULL) == ESRCH && pthread_detach(12345) == ESRCH);
	return 0;
}
