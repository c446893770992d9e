// The same through the library's functions, which clang calls where the machine may lack the instruction.
// everett: -Wno-atomic-alignment
// executions: sc/none:6
// finding: none
#include "atomics_16.c"
