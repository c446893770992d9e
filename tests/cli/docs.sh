# The documentation shows what the program prints: the README's example, the options, what -v tells, and the cycle.
set -u
. "$TOP/tests/cli/like.bash"
cd "$TOP" || exit 1
status=0

# Times vary, and so do the addresses in a schedule.
normal() {
	sed -E "s/[0-9]+\.[0-9]+ s/T s/g; s/--replay '[^']*'/--replay S/"
}

example() {
	sed -n '/^    \$ everett check -m sc,tso/,/^Two threads/p' README.md | sed -n 's/^    //; /^\$ /d; /^Two threads/d; p' |
		sed '/^$/d' | normal
}

real() {
	"$EVERETT" check -m sc,tso examples/sb.c 2>"$OLDPWD/err"
	cat "$OLDPWD/err"
}

# The seconds in the table.
column() {
	sed -E 's/ +[0-9]+\.[0-9]+( |$)/ T\1/'
}

example | column >"$OLDPWD/example"
real | sed '/^$/d' | normal | column >"$OLDPWD/real"
[ "$(wc -l <"$OLDPWD/example")" -gt 15 ] || { echo "README.md has no example"; status=1; }
like "$OLDPWD/example" "$OLDPWD/real" || { echo "README.md does not show what the example prints"; status=1; }

options() {
	sed -n '/^    -m, --model/,/^    .*handed to the compiler/s/^    //p' docs/command-line.md | sed 's/ *$//'
}
help() {
	"$EVERETT" check --help | sed -n '/-m, --model/,/handed to the compiler/s/^  //p' | sed 's/ *$//'
}
diff <(options) <(help) || { echo "docs/command-line.md does not show the options"; status=1; }

verbose() {
	sed -n '/^    \$ everett check -v/,/^$/s/^    //p' docs/command-line.md | sed '1d' | sed -E 's/[0-9]+\.[0-9]+/T/g'
}
told() {
	"$EVERETT" check -v -m sc -e rf examples/sb.c 2>&1 | sed -E 's/[0-9]+\.[0-9]+/T/g'
}
diff <(verbose) <(told) || { echo "docs/command-line.md does not show what -v tells"; status=1; }

cycles() {
	sed -n '/^    \$ everett robust/,/^$/s/^    //p' docs/command-line.md
}
drawn() {
	cycles | sed -n 's/^\$ everett //p' | while read -r arguments; do
		echo "\$ everett $arguments"
		# shellcheck disable=SC2086 # words
		"$EVERETT" $arguments 2>"$OLDPWD/err" | sed -n '/^  a cycle/,/^$/s/^  //p'
	done
}
predicted() {
	sed -n '/^    \$ everett predict/,/^The accesses of one thread/s/^    //p' docs/command-line.md | sed '1d' | sed -E 's/ +[0-9]+\.[0-9]+$/ T/'
}
created() {
	"$EVERETT" predict -m pso examples/sb.c 2>"$OLDPWD/err" | sed -n '/^pso:/,$p' | normal | sed -E 's/ +[0-9]+\.[0-9]+$/ T/'
}
diff <(predicted | sed '/^$/d') <(created | sed '/^$/d') || { echo "docs/command-line.md does not show what predict prints"; status=1; }
[ "$(cycles | grep -c '^\$')" -ge 2 ] || { echo "docs/command-line.md has no cycles"; status=1; }
diff <(cycles) <(drawn) || { echo "docs/command-line.md does not show the cycles"; status=1; }

# No prose of more than 140 columns: `make format` breaks it.
find . -name '*.md' -not -path './build*' -exec tools/wrap.py --check {} + || status=1
exit $status
