// Two reads and two writes in C(4,2) = 6 orders; each half is old or new: 4 traces. Under PSO the writes come to memory
// in either order, which makes twice as many.
// everett: -k -I../programs --no-races
// executions: sc/none:6 sc/traces:4 sc/rf:4 sc/rvf:4 tso/none:6 tso/traces:4 pso/none:12 pso/traces:4 ra/none:4 ra/rf:4
// finding: assertion at struct_copy_pair.h:29
#include "struct_copy_pair.h"
