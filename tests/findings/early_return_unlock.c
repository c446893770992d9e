// Who comes second leaves with the mutex held, and main waits for it.
// everett: -k -I../programs
// executions: sc/none:2 sc/traces:2 sc/rf:2 sc/rvf:2 tso/none:2 tso/traces:2 pso/none:2 pso/traces:2 ra/none:2 ra/rf:2
// finding: deadlock at early_return.h:10
#define MISSED_UNLOCK
#include "early_return.h"
