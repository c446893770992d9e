// exit() runs the handlers, _exit() does not.
// executions: sc/none:2
// finding: assertion at exit_handlers.c:9
#include <assert.h>
#include <everett.h>
#include <stdlib.h>
static void handler(void)
{
	assert(0);
}
int main(void)
{
	atexit(handler);
	if (everett_choose(2) == 0)
		_Exit(0);
	exit(0);
}
