# The documentation shows what the program prints: the README's example, the options, what -v tells, and the cycle.
set -u
cd "$TOP" || exit 1
status=0

# Times vary, and so do the addresses in a schedule.
normal() {
	sed -E "s/[0-9]+\.[0-9]+ s/T s/g; s/--replay '[^']*'/--replay S/"
}

example() {
	sed -n '/^    \$ everett check -m sc,tso/,/^Each thread/p' README.md | sed -n 's/^    //; /^\$ /d; /^Each thread/d; p' |
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

diff <(example | column) <(real | sed '/^$/d' | normal | column) || { echo "README.md does not show what the example prints"; status=1; }

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

cycle() {
	sed -n '/^    \$ everett robust/,/^$/s/^    //p' docs/command-line.md | sed '1d'
}
drawn() {
	"$EVERETT" robust examples/sb.c 2>"$OLDPWD/err" | sed -n '/^  a cycle/,/^$/s/^  //p'
}
predicted() {
	sed -n '/^    \$ everett predict/,/^Labels/s/^    //p' docs/command-line.md | sed '1d' | sed -E 's/ +[0-9]+\.[0-9]+$/ T/'
}
created() {
	"$EVERETT" predict -m pso examples/sb.c 2>"$OLDPWD/err" | sed -n '/^pso:/,$p' | normal | sed -E 's/ +[0-9]+\.[0-9]+$/ T/'
}
diff <(predicted | sed '/^$/d') <(created | sed '/^$/d') || { echo "docs/command-line.md does not show what predict prints"; status=1; }
diff <(cycle) <(drawn) || { echo "docs/command-line.md does not show the cycle"; status=1; }
exit $status
