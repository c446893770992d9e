// Without the fences the reader's announcement waits in its buffer while it looks again, and the writer misses it. Under SC the
// fences are nothing, and the counts those of hazard_pointer.c.
// everett: -k -I../programs --no-races
// executions: sc/none:72 sc/traces:7 tso/none:902 tso/traces:9 pso/none:902 pso/traces:9 ra/none:66 ra/rf:9
// finding: none under sc; use-after-free at hazard_pointer.h:30 under tso pso ra
#define WITHOUT_FENCE
#include "hazard_pointer.h"
