/* Two threads pop the one node of a list and free it. With the exchange only one of them gets it. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
struct node {
	struct node *next;
};
static _Atomic(struct node *) top;
static struct node *pop(void)
{
	struct node *n = atomic_load(&top);
#ifdef EXCHANGED
	if (n && !atomic_compare_exchange_strong(&top, &n, NULL))
		return NULL;
#else
	atomic_store(&top, NULL);
#endif
	return n;
}
static void *work(void *argument)
{
	free(pop());
	return argument;
}
int main(void)
{
	pthread_t s, t;
	top = calloc(1, sizeof(struct node));
	pthread_create(&s, NULL, work, NULL);
	pthread_create(&t, NULL, work, NULL);
	pthread_join(s, NULL);
	pthread_join(t, NULL);
	return 0;
}
