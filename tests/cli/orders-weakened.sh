# Algorithms with their memory orders weakened, one at a time, under rc11: the quick part of tests/orders/run.sh.
. "$TOP/tests/cli/lib.bash"

run 0 "$TOP/tests/orders/run.sh" --quick
has out '^ok   chase_lev  *take_fence  *seq_cst  *acq_rel  *race ' '^[1-9][0-9]* passed, 0 failed$'

# In C11 a later store of the same thread belongs to the release sequence, so that this order may be relaxed.
run 0 "$EVERETT" check -q -m rc11 --release-sequences=c11 -DWEAKEN_reader_announce=relaxed "$TOP/tests/orders/hazard.c"

# What is not as expected is noticed: another verdict, a line too many, and a line too few.
cp -r "$TOP/tests/orders" .
sed -i -e '/^ticket | unlock_store/s/race/ok/' -e '/^ticket | lock_wait/d' orders/expected
echo 'ticket | nowhere | relaxed | ok |' >>orders/expected
run 1 orders/run.sh ticket
has out '^FAIL ticket unlock_store release relaxed: race instead of ok$' '^FAIL ticket lock_wait acquire relaxed: race, and no line' \
	'^FAIL ticket nowhere relaxed: is expected, but' '^1 passed, 3 failed$'
rm -r orders
finish
