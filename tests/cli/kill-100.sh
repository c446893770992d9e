#!/bin/bash
# cli/kill.sh, a hundred times.
# set: long
. "$TOP/tests/faults/kill.bash"
kills 100
finish
