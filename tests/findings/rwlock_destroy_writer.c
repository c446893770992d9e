// Main destroys the lock before, while or after the writer has it: 3. A writer does not ask how many readers there are.
// everett: -I../programs -k
// executions: sc/none:3 tso/traces:3 pso/traces:3 ra/none:3 ra/rf:3
// finding: mutex-misuse at rwlock_destroy_writer.c:9, mutex-misuse at rwlock_destroy_writer.c:17
#include "run.h"
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
THREAD(write)
{
	pthread_rwlock_wrlock(&lock);
	pthread_rwlock_unlock(&lock);
	return argument;
}
int main(void)
{
	pthread_t t;
	pthread_create(&t, NULL, write, NULL);
	pthread_rwlock_destroy(&lock);
	return 0;
}
