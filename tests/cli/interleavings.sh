# Counts of engine none that contracts state, where memory is freed while others use it: counted once more, without Everett.
. "$TOP/tests/cli/lib.bash"
run 0 "$TOP/tests/interleavings.py"
[ "$(wc -l <out)" = 10 ] || fail "not all were counted"
