# The result of pthread_barrier_wait(): what cannot be told apart is not explored, and whatever can be is.
. "$TOP/tests/cli/lib.bash"
cp "$TOP/tests/programs/barrier_told.c" "$TOP/tests/programs/barrier_checked.c" "$TOP/tests/programs/run.h" .

# Each of the three threads is the serial one in some execution, however the program looks at it.
for way in 1 2 3 4 5 6 7 8 9; do
	run 0 "$EVERETT" check -q -m sc -DWAY=$way barrier_told.c
	has err 'ok, 3 executions, complete'
	for thread in 0 1 2; do
		run 1 "$EVERETT" check -q -m sc -DWAY=$way -DNEVER=$thread barrier_told.c
		has err 'FINDING assertion'
	done
done
# A mistake in the check itself is found: one of the two results is not expected.
sed 's/r != 0 && r != PTHREAD_BARRIER_SERIAL_THREAD/r != 0 \&\& r != 1/' barrier_checked.c >wrong.c
run 1 "$EVERETT" check -q -m sc wrong.c; has err 'FINDING assertion'
sed 's/r == 0 || r == PTHREAD_BARRIER_SERIAL_THREAD/r == PTHREAD_BARRIER_SERIAL_THREAD/' barrier_checked.c >wrong.c
run 1 "$EVERETT" check -q -m sc wrong.c; has err 'FINDING assertion'
finish
