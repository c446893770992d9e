// Reader and writer cannot both miss each other: their fences are in some order. Fences are events under RA, too;
// there the free happens after all uses, by the declared orders, and neither node makes events.
// executions: sc/none:72 sc/traces:7 tso/none:156 tso/traces:7 pso/none:156 pso/traces:7 ra/none:65 ra/rf:10
// finding: none
#include "hazard_pointer.h"
