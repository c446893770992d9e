/* N threads, K writes each, to one variable. */
#include "run.h"
static int x;
THREAD(writer)
{
	for (int i = 0; i < K; i++)
		x = i;
	return argument;
}
int main(void)
{
	void *(*functions[N])(void *);
	pthread_t threads[N];
	for (int i = 0; i < N; i++)
		functions[i] = writer;
	run_all(N, functions, threads);
	return 0;
}
