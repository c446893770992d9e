#!/bin/bash
# tools/wrap.py breaks long lines of Markdown and nothing else.
. "$(dirname "$0")/lib.bash"
wrap=$TOP/tools/wrap.py

long='one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty'
cat >page.md <<END
# A heading that is $long $long
---

$long
$long \`code with blanks that stays whole\` and [a link whose text stays whole](page.md#a-heading) - 1. a dash and a number $long

- an item $long $long
  continued
  - within it $long
    $long [x](y)
10. numbered $long $long  
    after a break $long $long

| a table | $long $long |
|---|---|

    code $long $long

\`\`\`
fenced $long $long
- no item $long $long

\`\`\`

[definition]: https://example.org/$long-$long
> a quotation $long $long
<p>$long $long</p>

short
lines stay

https://example.org/${long// /-}${long// /-}
END
cp page.md before.md
run 1 "$wrap" --check page.md
[ "$(wc -l <out)" = 6 ] || fail "lines that are too long: $(cut -c1-60 out)"
cmp -s page.md before.md || fail "--check changes the file"
run 0 "$wrap" page.md
run 0 "$wrap" --check page.md
[ -s out ] && fail "still too long: $(cat out)"
tr -s ' \n' '\n\n' <before.md >words.before; tr -s ' \n' '\n\n' <page.md >words.after
cmp words.before words.after || fail "the words are not the same"
cp page.md once.md; run 0 "$wrap" page.md
cmp -s page.md once.md || fail "running it twice changes something"

# A paragraph right after an item is not joined to it, and --check says so.
printf -- '- an item\n  and its %s %s\nno item\n  1. another\n     of two\n  not its\n' "$long" "$long" >joined.md
run 1 "$wrap" --check joined.md
has out '^joined.md:2: 2[0-9]* columns' '^joined.md:3: a blank line is missing' '^joined.md:6: a blank line is missing'
[ "$(wc -l <out)" = 3 ] || fail "more than three lines: $(cat out)"
run 0 "$wrap" joined.md
has joined.md '^no item$' '^  not its$'

# What is not to change.
grep -e '^#' -e '^|' -e '^---' -e '^    code' -e '^fenced' -e '^- no item' -e '^\[' -e '^>' -e '^<' -e '^short' -e '^lines stay' -e '^https' before.md >fixed
while IFS= read -r line; do
	grep -qxF -e "$line" page.md || fail "changed: ${line:0:60}"
done <fixed
[ "$(wc -l <fixed)" = 13 ] || fail "$(wc -l <fixed) fixed lines"
# Structure: items keep their indentation, what would begin one does not come first, breaks stay.
has page.md '`code with blanks that stays whole`' '\[a link whose text stays whole\](page.md#a-heading)' '^- an item' '^  - within it' '^10. numbered' '  $'
hasnot page.md '^- 1' '^1\. a'
[ "$(grep -c '^ *\([-*+]\|[0-9]*\.\) ' page.md)" = "$(grep -c '^ *\([-*+]\|[0-9]*\.\) ' before.md)" ] || fail "another number of items"
awk 'length > 140 && !/^(#|\||    code|fenced|- no item|\[|>|<|https)/' page.md >rest
[ -s rest ] && fail "$(cut -c1-80 rest)"
finish
