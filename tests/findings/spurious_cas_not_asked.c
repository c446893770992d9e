// The same where it is not to fail for no reason.
// executions: sc/none:2 tso/none:2 ra/rf:2
// finding: none
#include "spurious_cas_once.c"
