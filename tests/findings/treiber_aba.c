// Without the tag the compare-exchange succeeds when the top has come back; so does it in each of the executions of
// treiber_tagged.c in which it failed for the tag alone, and there it fails for nothing else: as many executions.
// everett: -k -I../programs
// executions: sc/none:455 sc/traces:16 sc/rf:16 tso/none:455 tso/traces:16 pso/none:455 pso/traces:16 ra/none:579 ra/rf:16
// finding: assertion at treiber.h:41
#include "treiber.h"
