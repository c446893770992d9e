// As programs/race_not_sequence_c11.c with the release sequences of C++20 and C23, which a plain store of the same thread ends: whoever
// reads 2 does not know the data.
// everett: -I../programs --release-sequences=c20 --races -k
// executions: sc/none:5 sc/rf:3 tso/traces:3 pso/traces:3 tso/rf:3 pso/rf:3 ra/rf:3
// finding: race at race_not_sequence_c11.c:21
#include "../programs/race_not_sequence_c11.c"
