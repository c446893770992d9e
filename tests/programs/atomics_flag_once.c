// The same where everybody releases it once: at most one is in.
// everett: -DTWICE=0
// executions: sc/none:78 tso/none:78 sc/rf:24 ra/rf:24
// finding: none
#include "../findings/atomics_flag_twice.c"
