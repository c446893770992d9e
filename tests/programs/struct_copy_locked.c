// Who locks first.
// executions: sc/none:2 sc/traces:2 sc/rf:2 sc/rvf:2 tso/none:2 tso/traces:2 pso/traces:2 ra/none:2 ra/rf:2
// finding: none
#define LOCKED
#include "struct_copy_pair.h"
