/* The checker's main program, as the rest of the runtime sees it. */
#ifndef EVR_MAIN_H
#define EVR_MAIN_H

#include <stdbool.h>

/* The timer has gone off: tell the driver how far we are; stop if it is time. */
void evr_on_tick(void);
/* End the running execution, which does not count, and the search; the reason must be constant text. */
void evr_stop_search(const char *reason);
bool evr_search_stopped(void);
/* Has the program made no visible event for longer than it may? */
bool evr_no_progress(void);
/* It has made some now. */
void evr_progress(void);
/* Put the program's main thread in its place at the beginning of an execution. */
void evr_main_thread(void);

#endif
