// main writes a message after it has created the reader, and sets the flag with release; the reader looks at it with a relaxed load. The
// reader knows of the creation, and of nothing later. Once the race is known, the message is read as 0 or 1.
// everett: --races -k
// executions: rc11/none:3 rc11/rf:3
// finding: race at race_relaxed_main.c:23
#include <pthread.h>
#include <stdatomic.h>

static int message, seen;
static atomic_int flag;

static void *reader(void *p)
{
	if (atomic_load_explicit(&flag, memory_order_relaxed))
		seen = message;
	return p;
}

int main(void)
{
	pthread_t t;
	pthread_create(&t, 0, reader, 0);
	message = 1;
	atomic_store_explicit(&flag, 1, memory_order_release);
	pthread_join(t, 0);
	(void)seen;
	return 0;
}
