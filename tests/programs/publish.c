// The reader finds nothing or all. The reader's second read, if there is one, comes after both writes: with the first at one of
// three places between the writes, 3 orders.
// executions: sc/none:3 sc/traces:2 sc/rf:2 sc/rvf:2 tso/none:3 tso/traces:2 pso/none:3 pso/traces:2 ra/none:2 ra/rf:2
// finding: none
#include "publish.h"
