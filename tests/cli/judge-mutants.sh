#!/bin/bash
# set: long
# Every deliberate fault in the models is noticed by the judge.
. "$(dirname "$0")/lib.bash"
run 0 "$TOP/tests/judge/mutants.sh"
has out 'mutants noticed$'
hasnot out 'FAILED'
finish
