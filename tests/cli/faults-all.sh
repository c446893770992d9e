#!/bin/bash
# cli/faults.sh with every call; only the memory that LLVM asks for is still a sample.
# set: long
. "$TOP/tests/faults/faults.bash"
for call in open rename process; do
	each $call 1 1 run -k -m all ./bug
	each $call 1 1 check bug.c
	each $call 1 0 check fine.c
done
each write 31 1 run ./bug
each memory 29 1 run ./bug
each memory 97 1 check bug.c
each memory 101 0 check fine.c
others=
for call in memory open write rename process; do
	each $call 1 1 run ./bug
	each $call 1 0 run ./fine
done
finish
