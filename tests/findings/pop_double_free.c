// Both threads load the node before either has taken it away: then there are two orders of the stores and two of the frees; or
// one loads what the other has stored, and frees nothing. Whether the second free is tried before or after the first has
// taken place makes no trace: it fails.
// everett: -k -I../programs --no-races
// executions: sc/none:18 sc/traces:6 sc/rf:4 tso/none:40 tso/traces:6 pso/none:40 pso/traces:6 ra/none:16 ra/rf:4
// finding: double-free at pop_free.h:22
#include "pop_free.h"
