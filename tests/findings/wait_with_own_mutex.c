// A loop that waits for what nobody writes, and takes a mutex in each round that nobody else uses: to take and release it changes nothing. It
// is held while the loop reads. A read releases nothing, even if it is seq_cst.
// executions: sc/rf:0 ra/rf:0 rc11/rf:0
// blocked: sc/rf:1 ra/rf:1 rc11/rf:1
// finding: no-progress at wait_with_own_mutex.h:13
#define LOOK(x) atomic_load(x)
#include "wait_with_own_mutex.h"
