/* How a checker is started: is it one, what is it told, and what becomes of the process that was forked for it. */
#ifndef EVR_DRIVER_LAUNCH_H
#define EVR_DRIVER_LAUNCH_H

#include "driver/options.h"
#include "report/result.h"

#include <sys/types.h>

/* Dies unless this is an executable that holds a checker: another program must not be run at all. */
void evr_require_checker(const char *path);

/* The words of EVERETT_CHECKER, which tell the checker what to do. To be freed. */
char *evr_checker_words(const struct evr_options *o, const char *model, int fd);

/* What the child needs: made before the fork, so that nothing can go wrong in it that would end like the driver does. */
struct evr_launch {
	const char *checker;
	char *words;
	char **argv, **environment;
	int fd, classes_fd, turn_fd;
	pid_t driver;
};

/* `fd` is where the checker sends its records; `turn_fd` is readable while it may run, -1 if it always may. */
void evr_launch_prepare(struct evr_launch *l, const struct evr_options *o, const char *checker,
			const struct evr_result *r, int fd, int turn_fd, int resume_fd);
/* A checker that waits for orders (runtime/serve.h) on `control`; its copies write to `records`. */
void evr_launch_prepare_server(struct evr_launch *l, const struct evr_options *o, const char *checker, int control,
			       int records);
void evr_launch_release(struct evr_launch *l);
/* In the child: be the checker. */
_Noreturn void evr_launch_become(const struct evr_launch *l);

#endif
