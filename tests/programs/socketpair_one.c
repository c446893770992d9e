// What one end of a pair of sockets sends, the other receives: the receiver waits for it, and there is one execution.
// executions: sc/rf:1 sc/traces:1 tso/traces:1 pso/traces:1 ra/rf:1 rc11/rf:1
// finding: none
#define _GNU_SOURCE
#include "run.h"
#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>
static int ends[2], through[2];
THREAD(receiver)
{
	char c = 0;
	assert(recv(ends[0], &c, 1, 0) == 1 && c == 'x');
	return argument;
}
THREAD(sender)
{
	assert(send(ends[1], "x", 1, 0) == 1);
	return argument;
}
int main(void)
{
	char c = 0;
	assert(!socketpair(AF_UNIX, SOCK_STREAM, 0, ends) && !pipe2(through, O_NONBLOCK));
	assert(read(through[0], &c, 1) == -1 && write(through[1], "y", 1) == 1 && read(through[0], &c, 1) == 1 && c == 'y');
	RUN(receiver, sender);
	for (int i = 0; i < 2; i++)
		assert(!close(ends[i]) && !close(through[i]));
	return 0;
}
