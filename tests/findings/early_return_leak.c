// Who comes second leaves without freeing its record.
// everett: -k --leaks -I../programs
// executions: sc/none:2 sc/traces:2 sc/rf:2 sc/rvf:2 tso/none:2 tso/traces:2 pso/none:2 pso/traces:2 ra/none:2 ra/rf:2
// finding: leak at early_return.h:8
#define MISSED_FREE
#include "early_return.h"
