#!/bin/bash
# The tests of library functions, tests/programs/libc_*.c, do the same where they are compiled by a plain compiler: the
# real library does what the tests expect of ours, and prints the same.
. "$(dirname "$0")/lib.bash"

# No file of ours may be where a test looks for its own, and both print the name they are called by.
mkdir native checked
differs=" libc_time.c libc_names.c libc_verifier_choose.c libc_file_shared.c " # clocks begin elsewhere; names that this library lacks; either may be first
compared=0
for source in "$TOP"/tests/programs/libc_*.c; do
	name=$(basename "$source")
	[[ $differs == *" $name "* ]] && continue
	options=$(sed -n 's,^// everett: *,,p' "$source")
	arguments=
	[[ $options == *'-- '* ]] && arguments=${options#*-- } options=${options%%-- *}
	libraries=$(grep -o -e '-l[a-z]*\b' <<<" $options" | grep -v -e '^-leaks' | tr '\n' ' ')
	cp "$source" native
	cp "$source" checked
	if ! cc -w -std=gnu11 -pthread -o native/program "native/$name" $libraries 2>err; then
		fail "$name: cc: $(head -n 3 err)"
		continue
	fi
	# Standard output and error in the order of writing; standard input is empty.
	(cd native && timeout 3600 stdbuf -o0 ./program $arguments) >expected 2>&1 </dev/null
	status=$?
	[ $status -lt 128 ] || fail "$name: ends with status $status without Everett: $(tail -n 1 expected)"
	run 0 "$EVERETT" cc -w "checked/$name" -o checked/program $libraries
	(cd checked && "$EVERETT" run -q --output ../output ./program -- $arguments) >/dev/null 2>err </dev/null
	[ $? -le 1 ] || fail "$name: $(cat err)"
	diff expected output >difference || fail "$name: Everett prints something else: $(head -n 10 difference)"
	compared=$((compared + 1))
done
[ $compared -ge 20 ] || fail "only $compared programs were compared"
finish
