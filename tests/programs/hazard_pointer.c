// Reader and writer cannot both miss each other: their fences are in some order. Fences are events under RA, too.
// executions: sc/none:72 sc/traces:7 tso/none:156 tso/traces:7 pso/none:156 pso/traces:7 ra/none:166 ra/rf:10
// finding: none
#include "hazard_pointer.h"
