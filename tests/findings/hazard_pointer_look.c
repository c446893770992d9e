// The reader does not look again whether what it announced is still there: it may have been freed before.
// everett: -k -I../programs --no-races
// executions: sc/none:57 sc/traces:7 sc/rf:7 tso/none:126 tso/traces:7 pso/none:126 pso/traces:7 ra/none:82 ra/rf:11
// finding: use-after-free at hazard_pointer.h:30
#define WITHOUT_SECOND_LOOK
#include "hazard_pointer.h"
