// The reader finds 0, 1 or 2 items.
// executions: sc/none:8 sc/traces:3 sc/rf:3 sc/rvf:3 tso/none:8 tso/traces:3 pso/none:8 pso/traces:3 ra/rf:3
// finding: none
#include "past_end.h"
