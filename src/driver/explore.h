/* One checker run under one model: started, listened to, limited, and survived. */
#ifndef EVR_DRIVER_EXPLORE_H
#define EVR_DRIVER_EXPLORE_H

#include "driver/options.h"

/* Dies unless `path` is an executable that holds a checker: another program must not be run at all. */
void evr_require_checker(const char *path);

/* The words of EVERETT_CHECKER, which tell the checker what to do. To be freed. */
char *evr_checker_words(const struct evr_options *o, const char *model, int fd);

/* Never fails: whatever happens to the checker is in the result. `checker` is a path with a slash. */
struct evr_result *evr_explore(const struct evr_options *o, const char *checker, const char *model);

/* The user has asked to stop: do not start another run. */
bool evr_interrupted(void);

#endif
