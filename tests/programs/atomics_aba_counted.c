// The pointer with a counter, sixteen bytes in one: no ABA.
// everett: -DCOUNTED -Wno-atomic-alignment
// executions: sc/none:124 tso/none:124 sc/rf:13 tso/traces:13
// finding: none
#include "../findings/atomics_aba.c"
