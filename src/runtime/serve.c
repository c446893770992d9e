#include "runtime/serve.h"

#include "base/base.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* The arguments take the places of those that the checker was started with: no order has more. */
static const char *take_order(char *order, size_t n, int *argc, char **argv)
{
	int k = 1;
	for (char *s = order + strlen(order) + 1; s < order + n; s += strlen(s) + 1) {
		if (k >= *argc)
			evr_die("an order has too many arguments");
		argv[k++] = s;
	}
	*argc = k;
	argv[k] = NULL;
	return order;
}

/* Not fork(), which the program may define. */
static pid_t copy_process(void)
{
	return (pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
}

const char *evr_serve(int fd, int *argc, char **argv)
{
	static EVR_LASTING char order[65536]; /* the copy points into it, for good */
	for (;;) {
		ssize_t n = read(fd, order, sizeof(order) - 1);
		if (n <= 0)
			_exit(n < 0);
		order[n] = '\0';
		pid_t pid = copy_process();
		if (!pid) {
			prctl(PR_SET_PDEATHSIG, SIGKILL);
			close(fd);
			return take_order(order, (size_t)n, argc, argv);
		}
		int status = -1;
		while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
			;
		if (write(fd, &status, sizeof(status)) != sizeof(status))
			_exit(1);
	}
}
