/* A queue that fills up while it is read: the reader reads the items that there are, or one more, which may be past the end. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
enum { SIZE = 2 };
static int *items;
static atomic_int count;
static void *writer(void *argument)
{
	for (int i = 0; i < SIZE; i++) {
		items[i] = i + 1;
		atomic_store(&count, i + 1);
	}
	return argument;
}
static void *reader(void *argument)
{
	int n = atomic_load(&count);
#ifdef ONE_MORE
	for (int i = 0; i <= n; i++)
#else
	for (int i = 0; i < n; i++)
#endif
		assert(items[i] == i + 1 || i == n);
	return argument;
}
int main(void)
{
	pthread_t r, w;
	items = calloc(SIZE, sizeof(*items));
	pthread_create(&r, NULL, reader, NULL);
	pthread_create(&w, NULL, writer, NULL);
	pthread_join(r, NULL);
	pthread_join(w, NULL);
	free(items);
	return 0;
}
