// everett: -Wno-atomic-alignment
// The tag makes the compare-exchange of 16 bytes fail when the top has come back.
// executions: sc/none:455 sc/traces:16 sc/rf:16 sc/rvf:16 tso/none:455 tso/traces:16 pso/none:455 pso/traces:16 ra/none:579 ra/rf:16
// redundant: sc/rvf:11
// finding: none
#define TAGGED
#include "treiber.h"
