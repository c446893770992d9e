// As wait_with_own_mutex.c, but the loop releases while it holds the mutex: by a read-modify-write that changes nothing. Whoever acquires from it
// could find the mutex held; nobody looks.
// executions: sc/rf:0 ra/rf:0 rc11/rf:0
// blocked: sc/rf:1 ra/rf:1 rc11/rf:1
// finding: no-progress at wait_with_own_mutex.h:13
#define LOOK(x) atomic_fetch_add(x, 0)
#include "wait_with_own_mutex.h"
