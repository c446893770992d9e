#!/bin/bash
# kill -9 of the driver, the checker or a worker, at random moments of a search with --checkpoint: resumed, it has the counts and findings of an undisturbed run.
# cli/kill-checkpoint-200.sh does it two hundred times.
# set: slow
. "$TOP/tests/faults/kill-checkpoint.bash"
kills 10
finish
