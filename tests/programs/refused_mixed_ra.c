// everett: -m ra
// refused: refused_mixed_ra.c:20 and refused_mixed_ra.c:15 access the same memory in different sizes, which model 'ra' does not support
// Atomic accesses have one size: they are not made in pieces.
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
static union {
	_Atomic uint64_t whole;
	_Atomic uint32_t half[2];
} u;
static void *part(void *argument)
{
	(void)argument;
	/* the upper one */
	atomic_store(&u.half[1], 1);
	return NULL;
}
static void *whole(void *argument)
{
	atomic_store(&u.whole, 2);
	return argument;
}
int main(void)
{
	pthread_t t[2];
	pthread_create(&t[0], NULL, part, NULL);
	pthread_create(&t[1], NULL, whole, NULL);
	pthread_join(t[0], NULL);
	pthread_join(t[1], NULL);
	return 0;
}
