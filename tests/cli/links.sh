# The pages hang together: every relative link leads to a file, every anchor to a heading, the README names all pages, and
# docs/messages.md has every kind of finding, every refusal and every note that the sources have.
. "$TOP/tests/cli/lib.bash"
cd "$TOP" || exit 1

# What stands in code is no link.
prose() {
	awk '/^```/ { code = !code } !code && !/^    /' "$1"
}

# GitHub's anchors: lower case, no punctuation, a hyphen for each blank.
anchors() {
	prose "$1" | sed -n 's/^##* *//p' | tr 'A-Z ' 'a-z-' | tr -cd 'a-z0-9_\n-'
}

links() {
	prose "$1" | sed 's/`[^`]*`//g' | grep -o ']([^)]*)' | sed 's/^](//; s/)$//'
}

check_links() {
	local page=$1 link file anchor n=0
	while read -r link; do
		[[ $link == *://* || $link == mailto:* ]] && continue
		n=$((n + 1))
		file=${link%%#*} anchor=
		[[ $link == *#* ]] && anchor=${link#*#}
		[[ $file == /* ]] && fail "$page: $link is not relative"
		file=${file:+$(dirname "$page")/$file}
		file=${file:-$page}
		if [ ! -e "$file" ]; then
			fail "$page: $link leads nowhere"
		elif [ -n "$anchor" ] && ! anchors "$file" | grep -qxF -e "$anchor"; then
			fail "$page: $link: no such heading"
		fi
	done < <(links "$page")
	total=$((total + n))
}

total=0
for page in README.md docs/*.md docs/*/*.md tests/README.md bench/papers/README.md bench/scale/README.md examples/*/README.md; do
	check_links "$page"
done
[ $total -gt 60 ] || fail "only $total links found"

for page in docs/*.md docs/*/*.md; do
	links README.md | sed 's/#.*//' | grep -qxF "$page" || fail "README.md does not name $page"
done

# The longest piece of a format between its conversions: what can be looked for.
longest() {
	sed -E 's/\\"/"/g; s/%%/%/g; s/%[-0-9.*]*[lz]*[dsuxgcX]/\n/g' | awk '
		{ if (length($0) > length(best)) best = $0 }
		END { gsub(/^ +| +$/, "", best); print best }'
}

# formats NAME FOLDER: the texts that calls of the function have as their first string, each on a line; adjacent strings are one.
formats() {
	find "$2" -name '*.c' -exec cat {} + | tr '\n\t' '  ' | sed 's/" *"//g' |
		grep -oE "\b$1\([^;\"]*\"([^\"\\\\]|\\\\.)*\"" | sed -E 's/^[^"]*"//; s/"$//' | sort -u
}

tr '\n' ' ' <docs/messages.md >"$TMPDIR/messages"
searched=0
while IFS= read -r format; do
	text=$(longest <<<"$format")
	searched=$((searched + 1))
	grep -qF -e "$text" "$TMPDIR/messages" || fail "docs/messages.md does not have: $format"
done < <(formats evr_unsupported src/runtime; formats refuse src/instrument; formats evr_wire_note src/runtime)
[ $searched -gt 50 ] || fail "only $searched messages found in the sources"

kinds=$(sed -n '/^Kinds: /,/\./p' docs/reports.md | tr '\n' ' ' | sed 's/^Kinds: //; s/\..*//; s/,//g')
[ "$(wc -w <<<"$kinds")" -ge 17 ] || fail "docs/reports.md: the kinds are not found"
for kind in $kinds; do
	grep -q "^| \`$kind\` |" docs/messages.md || fail "docs/messages.md does not have the kind $kind"
done
rm -f "$TMPDIR/messages"
cd "${TMPDIR%/tmp}" || exit 1
finish
