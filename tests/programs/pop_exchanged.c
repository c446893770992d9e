// Two loads and two compare-exchanges: in each thread the load comes first, 6 orders. A thread whose load found NULL, after the
// other has exchanged, makes none. Traces: who is first, and whether the other's load came before that exchange.
// everett: --leaks
// executions: sc/none:6 sc/traces:4 sc/rf:4 sc/rvf:4 tso/none:6 tso/traces:4 pso/none:6 pso/traces:4 ra/rf:4
// finding: none
#define EXCHANGED
#include "pop_free.h"
