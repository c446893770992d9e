// Main waits for a thread that goes round for ever.
// everett: --execution-timeout 0.3 -I../programs
// executions: sc/none:1
// finding: no-progress at no_progress_thread.c:8
#include "run.h"
THREAD(work)
{
	for (;;)
		;
	return argument;
}
int main(void)
{
	RUN(work);
	return 0;
}
