// The same with a release store of the flag: now PSO, too, has three classes.
// executions: sc/none:6 tso/none:6 pso/none:6 ra/none:3 sc/traces:3 tso/traces:3 pso/traces:3 sc/rf:3 tso/rf:3 pso/rf:3 ra/rf:3
// traces: sc/none:3 tso/none:3 pso/none:3 ra/none:3
// rf: sc/none:3 tso/none:3 pso/none:3 ra/none:3
// finding: none
#define RELEASE
#include "mp.c"
