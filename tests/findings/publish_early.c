// Published before it is complete: the reader may come between.
// everett: -k -I../programs
// executions: sc/none:4 sc/traces:3 sc/rf:3 sc/rvf:3 tso/none:4 tso/traces:3 pso/none:7 pso/traces:3 ra/none:3 ra/rf:3
// finding: uninitialised at publish.h:33 under sc tso pso; uninitialised at publish.h:33, race under ra
#define TOO_EARLY
#include "publish.h"
