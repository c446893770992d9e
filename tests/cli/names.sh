# The pages that explain the sources name what is there: every `function()` is defined in src, in `file.c: function()` by that
# file, and every file, every `struct evr_x`, `evr_x.member` and `EVR_CONSTANT` exists. A path is relative to the top or to src; a
# name without a folder must be that of one file only.
. "$TOP/tests/cli/lib.bash"
cd "$TOP" || exit 1

declare -A defined files
functions=0

# Definitions begin in the first column and prototypes end with a semicolon; a header defines inline functions, macros and the
# members of tables of functions.
definitions() {
	find src -name '*.[ch]' -exec awk '
		FNR == 1 { header = FILENAME ~ /\.h$/ }
		function names(line, name) {
			while (match(line, /[a-z_][a-z0-9_]*\(/)) {
				name = substr(line, RSTART, RLENGTH - 1)
				line = substr(line, RSTART + RLENGTH)
				print FILENAME, name
			}
		}
		/^#define [a-z_0-9]+\(/ { sub(/^#define /, ""); sub(/\(.*/, "("); names($0); next }
		match($0, /\(\*[a-z_0-9]+\)\(/) && header { print FILENAME, substr($0, RSTART + 2, RLENGTH - 4); next }
		/^[a-z_]/ && !/;$/ && (!header || /^static inline/) { names($0) }' {} +
}

# struct NAME and NAME.WORD, for each word between its braces and outside of comments.
structs() {
	find src -name '*.[ch]' -exec sed -n '/^struct [a-z_]* {$/,/^}/p' {} + | sed 's,/\*.*\*/,,; /\/\*/,/\*\//d' | awk '
		/^struct/ { name = $2; print "struct " name; next }
		{ gsub(/[^a-z_0-9]+/, " "); for (i = 1; i <= NF; i++) print name "." $i }'
}

while read -r file name; do
	defined[$name]=1 defined[$file:$name]=1
	functions=$((functions + 1))
done < <(definitions)
while read -r name; do
	defined[$name]=1
done < <(structs; grep -rhoE '\bEVR_[A-Z0-9_]+' src)
[ $functions -gt 2000 ] || fail "only $functions functions found in src"

while read -r file; do
	files[$file]=$file
	name=${file##*/}
	files[$name]=${files[$name]:+several }$file
done < <(find src -type f)

# resolve PATH: the file that it names, or nothing.
resolve() {
	local path
	for path in "$1" "src/$1" "${files[$1]:-}"; do
		[ -f "$path" ] && echo "$path" && return
	done
}

# The functions that a program calls are wrapped.
is_defined() {
	[ -n "${defined[$1]:-}${defined[evr_libc_$1]:-}" ]
}

words() {
	grep -oE -e "$2" <<<"$1"
}

# wrong PAGE: a line for each name in it that does not exist. What stands in code blocks is no name; FILE.c is any file.
wrong() {
	local span file path name
	while read -r span; do
		path=
		for file in $(words "$span" '[A-Za-z0-9_./-]+\.(c|h|def|sh|bash)\b'); do
			[[ ${file%.*} == *[a-z]* ]] || continue
			path=$(resolve "$file")
			[ -n "$path" ] || echo "$1: no file $file, or several"
		done
		[[ $span == *": "*"()"* ]] || path=
		for name in $(words "$span" '[a-z_][a-z0-9_]*\(\)'); do
			name=${name%()}
			is_defined "${path:+$path:}$name" || echo "$1: $name() is not defined in ${path:-src}"
		done
		while read -r name; do
			[[ $name =~ \.(c|h|def|sh)$ ]] || is_defined "$name" || echo "$1: there is no $name"
		done < <(words "$span" 'struct [a-z_]+|\bevr_[a-z_]+\.[a-z_]+|\bEVR_[A-Z0-9_]+')
	done < <(spans "$1")
}

spans() {
	awk '/^```/ { code = !code } !code && !/^    /' "$1" | grep -o '`[^`]*`' | tr -d '`' |
		grep -E '\(\)|\.(c|h|def|sh|bash)\b|^struct |evr_[a-z_]*\.|EVR_'
}

total=0
for page in docs/architecture.md docs/reading.md docs/engines/*.md; do
	while read -r line; do
		fail "$line"
	done < <(wrong "$page")
	total=$((total + $(spans "$page" | wc -l)))
done
[ $total -gt 200 ] || fail "only $total names found"

# found ROW: does the grep that a row of docs/reading.md shows lead to the function or file in its second column?
found() {
	local where=$(cut -d '|' -f 3 <<<"$1" | grep -o '`[^`]*`' | head -n 1) how=$(grep -o '`grep -rn [^`]*`' <<<"$1")
	local words=${how#*-rn } folder
	words=${words%\`} folder=${words##* } words=${words% *}
	words=${words#\'} words=${words%\'}
	grep -rnF -e "$words" "$folder" | grep -qF -e "${where//\`/}"
}

rows=0
while read -r row; do
	rows=$((rows + 1))
	found "$row" || fail "docs/reading.md: not found in this way: $row"
done < <(grep '^|.*`grep -rn ' docs/reading.md)
[ $rows -gt 30 ] || fail "only $rows rows found"
found '| | `explore/rf.c: nothing()` | `grep -rn DfVisit docs/engines` |' && fail "nothing() was found"

# It does find what is wrong.
cat >"$TMPDIR/page.md" <<'PAGE'
`explore/rf.c: take_next()` and `evr_search()`, `explore/search.c`, `model->steps()`, `free()`, `FILE.c`, `struct evr_rf`, `evr_rf.order`, `EVR_READ` exist.
`explore/rf.c: take_nothing()`, `evr_search_nowhere()`, `explore/rf.c: evr_search()`, `explore/nowhere.c`, `predict.c`, `struct evr_nothing`, `evr_rf.nothing`,
`EVR_NOTHING` do not.
PAGE
[ "$(wrong "$TMPDIR/page.md" | wc -l)" = 8 ] || fail "not eight wrong names: $(wrong "$TMPDIR/page.md")"
rm "$TMPDIR/page.md"
cd "${TMPDIR%/tmp}" || exit 1
finish
