// Who locks first gets the money.
// everett: --leaks
// executions: sc/none:2 sc/traces:2 sc/rf:2 sc/rvf:2 tso/none:2 tso/traces:2 pso/none:2 pso/traces:2 ra/none:2 ra/rf:2
// finding: none
#include "early_return.h"
