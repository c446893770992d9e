#!/bin/bash
# The web page as a file: it is one, it holds the report and the sources, and nothing in them can end it early. What a browser
# makes of it is html-browser.sh's matter.
. "$(dirname "$0")/lib.bash"
. "$TOP/tests/cli/html.bash"

# The report in a page, as JSON.
data()
{
	sed -n '/<script type="application\/json" id="data">/{n;p}' "$1"
}

# The page without what the program has a say in.
frame()
{
	sed '/<script type="application\/json" id="data">/{n;d}' "$1"
}

# One file: nothing is loaded, and the end is there.
whole()
{
	frame "$1" >frame
	hasnot frame 'https\?:'
	hasnot frame '[^-]src='
	hasnot frame '@import\|url([^#]\|<link[^>]*href="[^d]'
	hasnot frame '^@[a-z]*$'
	has frame "Content-Security-Policy.*default-src 'none'"
	[ "$(tail -n 1 "$1")" = "</html>" ] || fail "$1 has no end"
	[ "$(grep -c '</script>' "$1")" = 2 ] || fail "$1: $(grep -c '</script>' "$1") ends of scripts"
	data "$1" | jq -e . >/dev/null || fail "$1: no JSON"
	LC_ALL=C data "$1" | LC_ALL=C grep -q '[^ -~]' && fail "$1: the data is not plain ASCII"
	data "$1" | grep -q '<' && fail "$1: '<' in the data"
}

# The report is that of --json; the sources are the files.
run 1 "$EVERETT" check -m all --json sb.json --html sb.html sb.c
has out "assertion"
whole sb.html
diff <(jq -S . sb.json) <(data sb.html | jq -S 'del(.sources, .replays, .conclusion, .models, .repeated)') || fail "sb.html is not sb.json"
diff sb.c <(data sb.html | jq -j '.sources[] | select(.file == "sb.c") | .text') || fail "the source is another"
data sb.html | jq -e '.replays == ["everett replay sb.json", "everett replay --finding 2 sb.json", "everett replay --finding 3 sb.json", "everett replay --finding 4 sb.json"]' >/dev/null ||
	fail "replays: $(data sb.html | jq -c .replays)"
data sb.html | jq -e '.models == ["also under pso, ra and rc11; not under sc", "also under tso, ra and rc11; not under sc",
	"also under tso, pso and rc11; not under sc", "also under tso, pso and ra; not under sc"]' >/dev/null ||
	fail "models: $(data sb.html | jq -c .models)"
data sb.html | jq -e '.repeated == [false, true, true, true]' >/dev/null || fail "repeated: $(data sb.html | jq -c .repeated)"
data sb.html | jq -e '.conclusion | test("safe: sc")' >/dev/null || fail "no conclusion"
data sb.html | jq -e '.results | map(.verdict) == ["ok", "finding", "finding", "finding", "finding"]' >/dev/null || fail "verdicts"

# Whatever a program says.
run 1 "$EVERETT" check --html odd.html odd.c
whole odd.html
data odd.html | jq -e '.results[0].findings[0].message | test("</script><script>window.broken = 1</script>")' >/dev/null || fail "message"
data odd.html | jq -e '.results[0].findings[0].output | startswith("<b>bold & \"quoted\" <!-- <script> \u0001 \ufffd")' >/dev/null || fail "output"
data odd.html | jq -j '.sources[0].text' >text
diff <(grep -v Latin odd.c) <(grep -v Latin text) || fail "the source is another"
[ "$(grep Latin text)" = $'// Latin-1: caf\xef\xbf\xbd; separators: \xe2\x80\xa8 \xe2\x80\xa9; an emoji \xf0\x9f\x98\x80; cut: \xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd' ] ||
	fail "not UTF-8: $(grep Latin text)"

# report and replay write the same page; the text report of a replay goes where it does not disturb.
run 0 "$EVERETT" report --html again.html sb.json
whole again.html
diff sb.html again.html >/dev/null || fail "report writes another page than check"
run 1 "$EVERETT" replay --finding 3 --html one.html sb.json
has out "assertion"
whole one.html
data one.html | jq -e '[.results[] | .model, (.findings | length)] == ["ra", 1]' >/dev/null || fail "replay: not the one finding"
run 0 "$EVERETT" cc -pthread -g sb.c -o sb
run 1 "$EVERETT" run -q -m tso --html run.html --json run.json ./sb
whole run.html
run 1 "$EVERETT" replay --trust-report --html two.html run.json
whole two.html
data two.html | jq -e '.checker == "./sb" and (.replays[0] | test("^everett run --model tso .*--replay .* ./sb$"))' >/dev/null ||
	fail "a checker: $(data two.html | jq -c '.checker, .replays')"
for command in "check odd.c" "report sb.json" "replay sb.json"; do
	read -r name file <<<"$command"
	run "$([ "$name" = report ]; echo $?)" "$EVERETT" "$name" --html - "$file"
	whole out
	has err "assertion"
done
run 1 "$EVERETT" check --html - --json x.json odd.c; whole out
run 2 "$EVERETT" check --html - --json - odd.c; one_line; has err "both write to '-'"
run 2 "$EVERETT" check --html - --output - odd.c; one_line

# Sources that are gone, reports of others, and failures of writing.
cp sb.c gone.c
run 1 "$EVERETT" check -q -m tso --json gone.json gone.c
rm gone.c
run 0 "$EVERETT" report --html gone.html gone.json
whole gone.html
data gone.html | jq -e '.sources == [{ file: "gone.c", text: null }]' >/dev/null || fail "gone.c is there"
printf '{ "everett": "0.1.0", "results": [ 1, null, { "findings": [ 7, { "kind": "</script>", "events": [ "x", {} ] } ] } ] }' >strange.json
run 0 "$EVERETT" report --html strange.html strange.json
whole strange.html
run 2 "$EVERETT" report --html nowhere/x.html sb.json; has err "cannot write 'nowhere/x.html'"
run 2 "$EVERETT" report --html /dev/full sb.json; has err "cannot write '/dev/full'"
run 2 "$EVERETT" replay --html /dev/full sb.json; has err "cannot write '/dev/full'"
run 1 "$EVERETT" robust --html robust.html sb.c; whole robust.html
run 1 "$EVERETT" predict -m tso --html predict.html sb.c; whole predict.html
data predict.html | jq -e '.results[0].cycles | length > 0' >/dev/null || fail "no cycles"
finish
