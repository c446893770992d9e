#!/bin/bash
# One replayed execution without a finding verifies nothing: the program has a bug in another.
. "$(dirname "$0")/lib.bash"
run 3 "$EVERETT" check -e none --replay '1;0.0;;' "$TOP/examples/counter.c"
has err '^everett: sc/none: incomplete, 1 execution, one execution was replayed'
run 1 "$EVERETT" check -e none "$TOP/examples/counter.c"
finish
