// The store that publishes may overtake the one before it under PSO alone; what is read then was written, but has not reached
// memory. TSO keeps the order of stores, RA makes a release of every store.
// everett: -k -I../programs --no-races
// executions: sc/none:3 sc/traces:2 sc/rf:2 tso/none:3 tso/traces:2 pso/none:7 pso/traces:3 ra/none:2 ra/rf:2
// finding: none under sc tso ra; uninitialised at publish.h:33 under pso
#define RELAXED
#include "publish.h"
