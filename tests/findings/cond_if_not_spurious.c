// Without wake-ups for no reason nothing is wrong with `if` here. Two ways: who has the mutex first.
// everett: -I../programs -k
// executions: sc/none:3 tso/traces:2 ra/none:3 ra/rf:2
// finding: none
#include "cond_if.h"
