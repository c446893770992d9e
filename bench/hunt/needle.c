/* One preemption at one place among many: thread 1 has to run between two accesses of thread 0, which are in the middle of others. */
#include "hunt.h"

static atomic_int noise[2], secret;

static void body(int number)
{
	for (int i = 0; i < 40; i++) {
		noise[number]++;
		noise[!number]++;
		if (number == 0 && i == 25) {
			secret = 1;
			secret = 0;
		}
		if (number == 1 && i == 12)
			assert(secret == 0);
	}
}

int main(void)
{
	run(2, body);
	return 0;
}
