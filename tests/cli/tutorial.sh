# Every command of docs/tutorial.md, docs/reducing.md and docs/orders.md is run, in order, in a copy of the sources, and prints what the page
# shows. The numbers in docs/choosing.md are real, too.
. "$TOP/tests/cli/lib.bash"
. "$TOP/tests/cli/like.bash"

mkdir bin
ln -s "$EVERETT" bin/everett
export PATH=$PWD/bin:$PATH

# Times, schedules and addresses vary, and so does how deep gdb's frames are in ours. Empty lines count for nothing.
normal() {
	sed -E "s/[0-9]+\.[0-9]+ s/T s/g; s/ +[0-9]+\.[0-9]+( |$)/ T\1/; s/--replay '[^']*'/--replay S/
		s/^#[0-9]+ .* in ([a-z]+) \(.*\) at /#N in \1 at /; s/ *$//; /^\$/d"
}

# expected PAGE N: what the Nth command is to print, that is, what stands below it up to the next one or to a line of text.
expected() {
	awk -v wanted="$2" '
		/^    \$ / { inside = ++n == wanted; next }
		/^[^ ]/ { inside = 0 }
		inside { print substr($0, 5) }' "$TOP/docs/$1"
}

# try PAGE N COMMAND
try() {
	(eval "timeout -s KILL 3600 env $3") >"$TMPDIR/out" 2>"$TMPDIR/err" </dev/null
	cat "$TMPDIR/out" "$TMPDIR/err" | normal >"$TMPDIR/printed"
	expected "$1" "$2" | normal >"$TMPDIR/shown"
	[ -s "$TMPDIR/shown" ] || fail "$1: $3: the page shows nothing"
	like "$TMPDIR/shown" "$TMPDIR/printed" || fail "$1: $3: prints something else"
}

# page NAME COMMANDS: there are at least so many.
page() {
	local number=0 command
	mkdir -p copy/bench
	cp -r "$TOP/examples" copy/
	cp -r "$TOP/bench/papers" copy/bench/
	mkdir copy/tests
	cp -r "$TOP/tests/orders" copy/tests/
	rm -f copy/examples/tutorial/queue_5
	cd copy || exit 1
	while IFS= read -r command; do
		number=$((number + 1))
		if [[ $command == "cd "* ]]; then
			eval "$command" || fail "$1: $command"
		elif [[ $command != *--gdb* ]] || command -v gdb >/dev/null; then
			try "$1" $number "$command"
		fi
	done < <(sed -n 's/^    \$ //p' "$TOP/docs/$1")
	[ $number -ge "$2" ] || fail "$1: only $number commands found"
	cd "$folder" && rm -rf tmp/* copy
}

# The rows of the table: the files with their options, and executions by the engines of its head.
counted() {
	sed -n 's/^| `\(.*\)` | \([0-9]*\) | \([0-9]*\) | \([0-9]*\) | \([0-9]*\) |$/\2 \3 \4 \5 \1/p' "$TOP/docs/choosing.md"
}

table() {
	local none traces rf rvf words rows=0 e got
	while read -r none traces rf rvf words; do
		rows=$((rows + 1))
		for e in none traces rf rvf; do
			# shellcheck disable=SC2086 # words are several
			got=$(cd "$TOP" && "$EVERETT" check -q -k -m sc -e $e $words 2>&1 </dev/null | sed -n 's/.* \([0-9]*\) executions\{0,1\}[ ,].*/\1/p')
			[ "$got" = "${!e}" ] || fail "choosing.md: $words: $e has '$got' executions, not ${!e}"
		done
	done < <(counted)
	[ $rows -ge 6 ] || fail "choosing.md: only $rows rows found"
}

folder=$PWD
page tutorial.md 21
page reducing.md 15
page orders.md 4
table
finish
