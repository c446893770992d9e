# Programs on which the judge has found a mismatch once: tests/judge/stored. Each says what it was.
. "$TOP/tests/cli/lib.bash"
n=0
for file in "$TOP"/tests/judge/stored/*.c; do
	run 0 "$BUILD/judge" --everett="$EVERETT" --file="$file"
	grep -qx 'judge: agrees' out err || fail "$file: $(cat out err)"
	if grep -qx 'flavour: c11' "$file"; then
		run 0 "$BUILD/judge" --everett="$EVERETT" --flavour=c11 --definition --classes --file="$file"
		grep -qx 'judge: agrees' out err || fail "$file, by definition: $(cat out err)"
	fi
	n=$((n + 1))
done
[ $n -ge 5 ] || fail "only $n programs"
