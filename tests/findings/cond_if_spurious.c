// `if` where `while` is needed: a wake-up for no reason is taken for a signal. The other comes first: 1; or the wait ends by the signal:
// 1; or for no reason, before or after the other comes: 2. In all 4.
// everett: -I../programs -k --spurious
// executions: sc/none:5 tso/traces:4 ra/none:5 ra/rf:4
// finding: assertion at cond_if.h:11
#include "cond_if.h"
