# Every command of docs/tutorial.md is run, in order, in a copy of the sources, and prints what the page shows.
. "$TOP/tests/cli/lib.bash"

mkdir bin copy
ln -s "$EVERETT" bin/everett
export PATH=$PWD/bin:$PATH
cp -r "$TOP/examples" copy/
rm -f copy/examples/tutorial/queue_5
export MAKEFLAGS=

# Times, schedules and addresses vary, and so does how deep gdb's frames are in ours. Empty lines count for nothing.
normal() {
	sed -E "s/[0-9]+\.[0-9]+ s/T s/g; s/ +[0-9]+\.[0-9]+( |$)/ T\1/; s/--replay '[^']*'/--replay S/
		s/^#[0-9]+ .* in ([a-z]+) \(.*\) at /#N in \1 at /; s/ *$//; /^\$/d"
}

# The block below a command, up to the next one or to a line of text: what it is to print.
expected() {
	awk -v wanted="$1" '
		/^    \$ / { inside = ++n == wanted; next }
		/^[^ ]/ { inside = 0 }
		inside { print substr($0, 5) }' "$TOP/docs/tutorial.md"
}

# like PATTERN TEXT: a line "..." in the file PATTERN stands for any number of lines of TEXT.
like() {
	awk 'FNR == NR { p[++n] = $0; next }
		{ l[++m] = $0 }
		function fits(i, j) {
			for (; i <= n && p[i] != "..."; i++) {
				if (j > m || l[j] != p[i]) {
					if (j > far) { far = j; want = p[i] }
					return 0
				}
				j++
			}
			if (i > n)
				return j > m
			for (; j <= m + 1; j++)
				if (fits(i + 1, j))
					return 1
			return 0
		}
		END {
			if (fits(1, 1))
				exit 0
			print "wanted:  " want "\nprinted: " l[far]
			exit 1
		}' "$1" "$2"
}

folder=$PWD number=0
cd copy || exit 1
while IFS= read -r command; do
	number=$((number + 1))
	if [[ $command == "cd "* ]]; then
		eval "$command" || fail "$command"
		continue
	fi
	[[ $command == *--gdb* ]] && ! command -v gdb >/dev/null && continue
	(eval "timeout -s KILL 100 env $command") >"$TMPDIR/out" 2>"$TMPDIR/err" </dev/null
	cat "$TMPDIR/out" "$TMPDIR/err" | normal >"$TMPDIR/printed"
	expected $number | normal >"$TMPDIR/shown"
	[ -s "$TMPDIR/shown" ] || fail "$command: the page shows nothing"
	like "$TMPDIR/shown" "$TMPDIR/printed" || fail "$command: prints something else"
done < <(sed -n 's/^    \$ //p' "$TOP/docs/tutorial.md")
[ $number -gt 15 ] || fail "only $number commands found"
cd "$folder" && rm -f tmp/*
finish
