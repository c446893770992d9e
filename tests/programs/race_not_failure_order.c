// The same with a failure order that acquires.
// everett: --races -DFAILURE=memory_order_acquire
// executions: sc/rf:2 sc/traces:2 tso/traces:2 ra/none:2 ra/rf:2
// finding: none
#include "../findings/race_failure_order.c"
