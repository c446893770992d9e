// The same with a store that releases.
// everett: --races -DSTORE=memory_order_release -Wno-atomic-alignment
// executions: sc/rf:2 sc/traces:2 ra/none:2 ra/rf:2
// finding: none
#include "../findings/race_large_relaxed.c"
