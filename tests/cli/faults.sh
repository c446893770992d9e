#!/bin/bash
# Each call of the driver that asks the system for something fails once: the exit status is never wrong, no old report is
# lost, nothing is left behind. Of the many for memory and for writing, a sample; cli/faults-all.sh does all.
. "$TOP/tests/faults/faults.bash"
for call in open rename process; do
	each $call 1 1 run ./bug
done
each process 1 0 run ./fine
each write 901 1 run ./bug
each memory 701 1 run ./bug
others=
each write 301 0 run ./fine
each memory 201 0 run ./fine
each process 2 1 check bug.c
for n in 10 300 9000; do
	one memory $n 1 check bug.c
done
finish
