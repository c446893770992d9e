/* The checker's main program, as the rest of the runtime sees it. */
#ifndef EVR_MAIN_H
#define EVR_MAIN_H

/* Put the program's main thread in its place at the beginning of an execution. */
void evr_main_thread(void);

#endif
