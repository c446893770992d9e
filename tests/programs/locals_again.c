// A local that gets its place when its scope begins gets another one if memory has been given back in between: by the end of a
// variable-length array, or by longjmp. Two locals that are alive are never in the same place.
// executions: sc/none:1 rc11/rf:1
// finding: none under sc rc11
// output: arrays 1
// output: jumps 1
#include <assert.h>
#include <setjmp.h>
#include <stdio.h>

static void set(int *p, int value)
{
	*p = value;
}

static int arrays(void)
{
	int size[] = { 16, 48 }, good = 0;
	for (int i = 0; i < 2; i++) {
		char room[size[i]];
		set((int *)room, i);
		{
			int outer;
			set(&outer, 7);
			{
				int inner;
				set(&inner, 9);
				good += outer == 7;
				assert(&outer != &inner);
			}
		}
	}
	return good == 2;
}

static jmp_buf back;

static int jumps(void)
{
	volatile int round = 0, good = 0;
	while (round < 2) {
		if (setjmp(back))
			continue;
		round++;
		if (round == 2) {
			int filler[8];
			set(filler, 1);
			good += filler[0];
		}
		{
			int outer;
			set(&outer, 7);
			{
				int inner;
				set(&inner, 9);
				good += outer == 7;
				assert(&outer != &inner);
			}
		}
		longjmp(back, 1);
	}
	return good == 3;
}

int main(void)
{
	printf("arrays %d\n", arrays());
	printf("jumps %d\n", jumps());
	return 0;
}
