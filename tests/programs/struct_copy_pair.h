/* A struct of two words is copied while another thread replaces it. With the mutex the halves belong together. */
#include <assert.h>
#include <pthread.h>
struct range {
	long first, last;
};
static struct range range = { 1, 1 };
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
#ifdef LOCKED
#define LOCK() pthread_mutex_lock(&mutex)
#define UNLOCK() pthread_mutex_unlock(&mutex)
#else
#define LOCK() (void)mutex
#define UNLOCK() (void)mutex
#endif
static void *writer(void *argument)
{
	struct range next = { 2, 2 };
	LOCK();
	range = next;
	UNLOCK();
	return argument;
}
static void *reader(void *argument)
{
	LOCK();
	struct range copy = range;
	UNLOCK();
	assert(copy.first == copy.last);
	return argument;
}
int main(void)
{
	pthread_t r, w;
	pthread_create(&r, NULL, reader, NULL);
	pthread_create(&w, NULL, writer, NULL);
	pthread_join(r, NULL);
	pthread_join(w, NULL);
	return 0;
}
