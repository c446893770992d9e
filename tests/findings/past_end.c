// One item too many: it is there, written or not, unless there are as many as the block holds.
// everett: -k -I../programs --no-races
// executions: sc/none:19 sc/traces:5 sc/rf:5 sc/rvf:5 tso/none:19 tso/traces:5 pso/none:19 pso/traces:5 ra/none:5 ra/rf:5
// finding: out-of-bounds at past_end.h:25
#define ONE_MORE
#include "past_end.h"
