# The manual pages: one for each command, with every option that the command has, and nothing that a reader of pages complains of.
. "$TOP/tests/cli/lib.bash"
pages=$BUILD/share/man

commands=$("$EVERETT" --help | sed -nE 's/^  everett ([a-z]+) .*/\1/p')
[ "$(wc -w <<<"$commands")" -ge 7 ] || fail "commands: $commands"
# As it is read, without the overstrikes that make it bold.
text() {
	MANWIDTH=200 man --warnings -l "$1" 2>warnings | col -bx
}
for command in $commands; do
	page=$pages/everett-$command.1
	text "$page" >page.txt || fail "$page"
	[ -s warnings ] && fail "$page: $(cat warnings)"
	grep -q "^EVERETT-${command^^}(1)" page.txt || fail "$page has no title"
	text "$pages/everett.1" | grep -q "^ *everett-$command(1)" || fail "everett(1) does not name $command"
	[ "$command" = cc ] && continue
	"$EVERETT" "$command" --help >help.txt
	grep -qF "everett $command $(sed -n "1s/.*everett $command //p" help.txt)" page.txt || fail "$page: no synopsis"
	options=$(grep -oE '^ +(-[a-z], )?--[a-z-]+' help.txt | sed 's/^ *//')
	[ -n "$options" ] || fail "no options of $command"
	while IFS= read -r option; do
		grep -qE "^ +$option( |\[|$)" page.txt || fail "$page: no $option"
	done <<<"$options"
	# And what they mean.
	for words in "colours: auto, always or never" "stuck"; do
		! grep -qF "$words" help.txt || grep -qF "$words" page.txt || fail "$page: no '$words'"
	done
done
text "$pages/everett.1" >page.txt
[ -s warnings ] && fail "everett.1: $(cat warnings)"
grep -q "EVERETT_OPTIONS" page.txt || fail "everett(1) has no environment"
cp "$TOP/share/mpi/everett-mpi.1" .
text ./everett-mpi.1 >page.txt
[ -s warnings ] && fail "everett-mpi.1: $(cat warnings)"
if command -v mandoc >/dev/null; then
	mandoc -T lint -W warning "$pages"/*.1 || fail "mandoc"
else
	echo "mandoc is not installed: not tried"
fi
finish
