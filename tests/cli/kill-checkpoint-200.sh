#!/bin/bash
# cli/kill-checkpoint.sh, two hundred times.
# set: long
. "$TOP/tests/faults/kill-checkpoint.bash"
kills 200
finish
