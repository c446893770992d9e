#!/bin/bash
# Every format of a result: JSON, DOT, SARIF, JUnit. What is written fits its schema, and is the same from a saved result.
. "$(dirname "$0")/lib.bash"
schemas=$TOP/tests/schema
sb=$TOP/examples/sb.c

for tool in dot xmllint; do
	command -v $tool >/dev/null || echo "no $tool here: what it would check is skipped"
done

# fits SCHEMA FILE
fits()
{
	local faults
	faults=$(jq -r --slurpfile schema "$1" -f "$schemas/validate.jq" "$2" 2>&1) || fail "$last: $2: not JSON: $faults"
	[ -z "$faults" ] || fail "$last: $2: $(head -n 5 <<<"$faults")"
}

# holds FILE FILTER WHAT
holds()
{
	jq -e "$2" "$1" >/dev/null || fail "$last: $1: not so: $3"
}

well_formed()
{
	command -v xmllint >/dev/null || return
	xmllint --noout "$1" 2>warnings || fail "$last: $1: $(head -n 3 warnings)"
}

renders()
{
	command -v dot >/dev/null || return
	dot -Tsvg "$1" >"$1.svg" 2>warnings || fail "$last: $1 does not render"
	[ ! -s warnings ] || fail "$last: $1: $(head -n 3 warnings)"
	well_formed "$1.svg"
}

# The findings of all models, those that stronger ones have, which come first, left out.
distinct='reduce (.results | to_entries[] | .key as $model | .value.findings[] | {$model, kind, file, line, column, other}) as $f ([];
	if any(.[]; .model < $f.model and del(.model) == ($f | del(.model))) then . else . + [$f] end)'

# Indices lead to what they name, and every event has its own place in the order of the execution.
consistent()
{
	holds $1.sarif '.runs[0] as $run | all($run.results[]; $run.tool.driver.rules[.ruleIndex].id == .ruleId)' "rules have their index"
	holds $1.sarif '.runs[0] as $run | all($run | .. | objects | select(has("uri") and has("index"));
		. as $l | $run.artifacts[.index].location | .uri == $l.uri and .uriBaseId == $l.uriBaseId)' "artifacts have their index"
	holds $1.sarif '.runs[0] | [.originalUriBaseIds | keys[]] as $ids | all(.. | .uriBaseId? // empty; IN($ids[]))' "base ids are known"
	holds $1.sarif 'all(.runs[0].results[].codeFlows[]; [.threadFlows[].locations[].executionOrder] | length == (unique | length))' "the order is total"
	holds $1.sarif 'all(.runs[0].results[].codeFlows[].threadFlows[]; [.locations[].executionOrder] | . == sort)' "threads are in order"
	holds $1.sarif 'all(.runs[0].results[]; [.relatedLocations[].id] | length == (unique | length))' "ids differ"
	jq "$distinct" $1.json >distinct.json
	jq -e --slurpfile r distinct.json '[$r[0][] | .kind, .line] == [.runs[0].results[] |
		.ruleId, .locations[0].physicalLocation.region.startLine // 0]' $1.sarif >/dev/null || fail "$last: other findings in SARIF"
	jq -e --slurpfile r $1.json '.runs[0].properties.models == [$r[0].results[] | {model, equivalence, verdict, complete, executions}]' \
		$1.sarif >/dev/null || fail "$last: other results in SARIF"
	[ "$(grep -c 'subgraph cluster_f[0-9]* {' $1.dot)" = "$(jq length distinct.json)" ] || fail "$last: graphs"
	[ "$(grep -c '<testcase ' $1.xml)" = "$(jq '.results | length' $1.json)" ] || fail "$last: tests in JUnit"
}

# formats STATUS NAME COMMAND...: all formats at once, and again from the saved result.
formats()
{
	local status=$1 name=$2 command=$3
	shift 3
	run $status "$EVERETT" $command -q --json $name.json --dot $name.dot --sarif $name.sarif --junit $name.xml "$@"
	fits "$TOP/docs/report.schema.json" $name.json
	fits "$schemas/sarif.schema.json" $name.sarif
	renders $name.dot
	well_formed $name.xml
	consistent $name
	mkdir -p again
	run 0 "$EVERETT" report --dot again/$name.dot --sarif again/$name.sarif --junit again/$name.xml $name.json
	[ ! -s out ] || fail "$last: prints text, too"
	for file in $name.dot $name.sarif $name.xml; do
		cmp $file again/$file || fail "$last: $file is another from the saved result"
	done
}

# The validator finds faults, and what it does not know.
last=validate.jq
faults()
{
	local n
	n=$(jq -r --slurpfile schema schema.json -f "$schemas/validate.jq" <<<"$2" | wc -l)
	[ "$n" = "$1" ] || fail "$n faults, not $1, in $2"
}
cat >schema.json <<'EOF'
{ "type": "object", "required": ["a"], "properties": { "a": { "$ref": "#/$defs/n", "minimum": 3 }, "b": { "type": ["array", "null"], "minItems": 1,
	"uniqueItems": true, "items": { "enum": ["x", "y"] } }, "c": { "additionalProperties": { "type": "string", "pattern": "^k" } },
	"d": { "anyOf": [ { "const": 1 }, { "type": "boolean" } ] }, "e": { "format": "uri" } }, "$defs": { "n": { "type": "integer" } } }
EOF
faults 0 '{"a": 3, "b": null, "c": {"x": "k"}, "d": true}'
faults 1 '{}'
faults 1 '{"a": 2}'
faults 1 '{"a": "x"}'
faults 1 '{"a": 3.5}'
faults 1 '{"a": 3, "z": 1}'
faults 1 '{"a": 3, "b": []}'
faults 2 '{"a": 3, "b": ["z", "x", "x"]}'
faults 1 '{"a": 3, "b": {}}'
faults 2 '{"a": 3, "c": {"x": 1, "y": "z"}}'
faults 1 '{"a": 3, "d": 2}'
faults 1 '{"a": 3, "e": ""}'
faults 1 '[]'

# Every property that json_write.c writes is in the schema, and has a word on what it is; every kind of finding is in both lists.
written=$(grep -oE 'put(_[a-z]+)?\([a-z]+, "[a-z_]+"|kinds\[\] = \{[^}]*' "$TOP/src/report/json_write.c" |
	grep -oE '"[a-z_]+"' | tr -d '"' | sort -u)
described=$(jq -r '[.. | .properties? // empty | keys[]] | unique[]' "$TOP/docs/report.schema.json")
diff <(echo "$written") <(echo "$described") || fail "the schema has other properties than are written"
[ "$(wc -l <<<"$written")" -gt 50 ] || fail "json_write.c is not understood: $written"
listed=$(jq -r '."$defs".finding.properties.kind.enum[]' "$TOP/docs/report.schema.json" | sort)
diff <(sed -nE 's/^KIND\("([a-z-]+)".*/\1/p' "$TOP/src/report/kinds.def" | sort) <(echo "$listed") || fail "kinds"

# Store buffering: fails under all models but SC.
mkdir 'a dir'
cp "$sb" 'a dir/1# 100% é:.c'
formats 1 sb check -m all -k 'a dir/1# 100% é:.c'
holds sb.json '[.results[].verdict] == ["ok", "finding", "finding", "finding", "finding"]' "what is tested"
holds sb.sarif '.runs[0].artifacts == [{"location": {"uri": "a%20dir/1%23%20100%25%20%C3%A9%3A.c", "uriBaseId": "%SRCROOT%"}}]' "the path is escaped"
holds sb.sarif '.runs[0].invocations[0] | .exitCode == 1 and .executionSuccessful' "a finding is a success of the tool"
holds sb.sarif '.runs[0].results[0] | .ruleId == "assertion" and .level == "error" and .properties.model == "tso" and
	.properties.replay == "everett replay sb.json" and (.message.text | contains("r1 || r2")) and
	.locations[0].physicalLocation.region == {"startLine": 31, "startColumn": 2} and
	.locations[0].logicalLocations[0].name == "main"' "the result"
holds sb.sarif '.runs[0].results[0].codeFlows | length == 1 and ([.[0].threadFlows[].id] == ["T0", "T1", "T2"]) and
	([.[0].threadFlows[0].locations[-1] | .kinds[], .importance] == ["danger", "essential"])' "a flow for each thread"
holds sb.sarif '.runs[0].results[0].codeFlows[0] | [.threadFlows[].locations[].location.message.text] |
	any(. == "T1#2 read relaxed y = 0 (initial)") and any(. == "T2#1 update y = 1")' "the events"
holds sb.sarif '.runs[0].results | length == 1' "a finding of four models is one result"
holds sb.sarif '.runs[0].results[0] | (.message.text | endswith("(under tso, pso, ra and rc11)")) and
	([.properties.others[] | .model, .replay] == ["pso", "everett replay --finding 2 sb.json", "ra", "everett replay --finding 3 sb.json",
		"rc11", "everett replay --finding 4 sb.json"])' "the other models"
has sb.xml '<testsuite .*tests="5" failures="4" errors="0" skipped="0"' 'classname="a dir/1# 100% é:.c"' '<testcase name="tso/rf"' \
	'<failure type="assertion" message="assertion: r1 || r2 at a dir/1# 100% é:.c:31">' '  replay: everett replay --finding 2 sb.json' \
	'^  also under pso, ra and rc11; not under sc$' '^  also under tso, pso and ra; not under sc$'
has sb.dot 'label="1# 100% é:.c:31\\nassertion!"' 'label="#2 1# 100% é:.c:13\\nread relaxed y = 0 (initial)' '->.*label=fr' 'label="T2"' 'sc/rf: ok'
hasnot sb.dot 'label=co'
[ "$(grep -c 'label=fr' sb.dot)" = 2 ] || fail "not two from-reads in sb.dot"
# Each model has a graph of its own, with all of its findings; a single model has only the file that was asked for.
for model in $(jq -r '.results[].model' sb.json); do
	renders sb-$model.dot
	cmp sb-$model.dot again/sb-$model.dot || fail "$last: sb-$model.dot is another from the saved result"
	[ "$(grep -c 'subgraph cluster_f[0-9]* {' sb-$model.dot)" = \
		"$(jq --arg m $model '[.results[] | select(.model == $m) | .findings[]] | length' sb.json)" ] || fail "graphs in sb-$model.dot"
done
[ "$(ls sb-*.dot | wc -l)" -gt 2 ] || fail "no graphs of the models"
run 1 "$EVERETT" check -q -m tso --hunt 0 --dot single.dot "$TOP/examples/sb.c"
has single.dot '\\lexecution [0-9]*, tso/traces\\l'
run 1 "$EVERETT" check -q -m tso --dot single.dot "$TOP/examples/sb.c"
[ "$(ls single*.dot)" = single.dot ] || fail "a single model has $(ls single*)"
run 1 "$EVERETT" check -q -m tso,pso --dot - "$TOP/examples/sb.c"
[ "$(grep -c '^digraph' out)" = 1 ] || fail "not one graph on standard output"
has sb.dot '\\lrandom execution [0-9]* ([a-z]*), tso\\lalso under pso, ra and rc11; not under sc'

# A position in the source is counted in characters.
sed 's|assert(r1|/* éé */ assert(r1|' "$sb" >columns.c
formats 1 columns check -m tso columns.c
holds columns.json '.results[0].findings[0].column == 13' "what is tested"
holds columns.sarif '.runs[0].results[0].locations[0].physicalLocation.region.startColumn == 11' "columns are characters"

# A finding of the same place keeps its fingerprint when lines move.
sed '1i\\' "$sb" >columns.c
formats 1 moved check -m tso columns.c
[ "$(jq '.runs[0].results[0].partialFingerprints' columns.sarif)" = "$(jq '.runs[0].results[0].partialFingerprints' moved.sarif)" ] ||
	fail "another fingerprint"

# Reads-from and coherence; both sides of a race are told.
cat >race.c <<'EOF'
#include <assert.h>
#include <pthread.h>
static int x;
static void *set(void *p)
{
	x = 1;
	x = 2;
	return p;
}
int main(void)
{
	pthread_t t;
	pthread_create(&t, 0, set, 0);
	assert(x != 2);
	pthread_join(t, 0);
	return 0;
}
EOF
formats 1 race check -k --races -e none race.c
holds race.json '[.results[0].findings[].kind] | sort == ["assertion", "race", "race"]' "what is tested"
holds race.json '[.results[0].findings[] | select(.kind == "race") | .other] | sort == ["race.c:6:4", "race.c:7:4"]' "the other access"
holds race.json '[.results[0].findings[] | select(.kind != "race") | has("other")] == [false]' "no other access"
holds race.sarif '[.runs[0].results[] | select(.ruleId == "race") | [.locations[], .relatedLocations[] |
	.physicalLocation.region.startLine] | sort] | unique == [[6, 14], [7, 14]]' "both sides"
has race.dot 'label=rf' 'label=co' 'shape=note'

# The life of a block.
cat >freed.c <<'EOF'
#include <pthread.h>
#include <stdlib.h>
static int *p;
static void *use(void *unused)
{
	*p = 1;
	return unused;
}
int main(void)
{
	pthread_t t;
	p = malloc(4);
	pthread_create(&t, 0, use, 0);
	free(p);
	pthread_join(t, 0);
	return 0;
}
EOF
formats 1 freed check freed.c
holds freed.sarif '.runs[0].results[0] | .ruleId == "use-after-free" and
	([.relatedLocations[] | .physicalLocation.region.startLine] | sort == [12, 14]) and
	([.relatedLocations[].message.text] | any(contains("allocated")) and any(contains("freed")))' "allocation and free"

cat >locks.c <<'EOF'
#include <pthread.h>
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static void *other(void *p)
{
	pthread_mutex_lock(&b);
	pthread_mutex_lock(&a);
	pthread_mutex_unlock(&a);
	pthread_mutex_unlock(&b);
	return p;
}
int main(void)
{
	pthread_t t;
	pthread_create(&t, 0, other, 0);
	pthread_mutex_lock(&a);
	pthread_mutex_lock(&b);
	pthread_mutex_unlock(&b);
	pthread_mutex_unlock(&a);
	pthread_join(t, 0);
	return 0;
}
EOF
formats 1 locks check locks.c
holds locks.sarif '.runs[0].results[0] | .ruleId == "deadlock" and
	([.locations[], .relatedLocations[] | .physicalLocation.region.startLine] | sort == [5, 6, 15, 16]) and
	([.relatedLocations[].message.text] | any(. == "thread 0 waits for mutex b, held by thread 1, at locks.c:16"))' "who waits where"
holds locks.sarif '[.. | .kinds? // empty] | any(. == ["acquire", "lock"])' "locks"

# Of a long execution the graph has the end.
cat >long.c <<'EOF'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x;
static void *add(void *p)
{
	for (int i = 0; i < 150; i++)
		x++;
	return p;
}
int main(void)
{
	pthread_t t;
	pthread_create(&t, 0, add, 0);
	add(0);
	pthread_join(t, 0);
	assert(x < 300);
	return 0;
}
EOF
formats 1 long check -e none --no-simplify long.c
events=$(jq '[.results[0].findings[0].events[] | select(.past)] | length' long.json)
[ "$events" -gt 200 ] || fail "what is tested: $events events"
has long.dot "$((events - 200)) earlier events are left out"
[ "$(grep -c '_e[0-9]* .label=' long.dot)" = 200 ] || fail "not 200 events in long.dot"
holds long.sarif "[.runs[0].results[0].codeFlows[0].threadFlows[].locations[]] | length == $((events + 1))" "SARIF has all"

# Cycles and fences; predictions; classes and other counts.
cp "$sb" sb.c
formats 1 robust robust sb.c
holds robust.sarif '.runs[0].results[0] | .ruleId == "not-robust" and .level == "warning" and
	([.relatedLocations[] | .physicalLocation.region.startLine] | contains([12, 19, 20]))' "where fences are missing"
formats 1 predict predict --decide sb.c
sed '/assert(/d' "$sb" >harmless.c
formats 0 predicted predict -m tso harmless.c
holds predicted.sarif '.runs[0].invocations[0] | .executionSuccessful and .exitCode == 0 and
	(.toolExecutionNotifications | any(.message.text | contains("verifies nothing")))' "a prediction is no proof"
has predicted.xml 'skipped="1"' '<skipped message=".*verifies nothing'
formats 0 classes check -m sc --classes c --unroll 3 --spurious --spurious-cas=2 -e rf sb.c
holds classes.json '.results[0] | has("classes") and has("class_digests") and has("stats") and .unroll == 3 and .spurious == 1 and
	.spurious_cas == 2' "what is tested"
has classes.xml 'tests="1" failures="0" errors="0" skipped="0"' '<testcase name="sc/rf" classname="sb.c"'
hasnot classes.xml '<\(failure\|error\|skipped\)[ >]'

# What stopped early is neither passed nor a success.
formats 3 stopped check -m sc --max-executions 1 sb.c
holds stopped.sarif '.runs[0] | .results == [] and (.invocations[0] | .executionSuccessful == false and .exitCode == 3 and
	(.toolExecutionNotifications[0] | .level == "warning" and (.message.text | contains("incomplete"))))' "incomplete is told"
has stopped.xml 'tests="1" failures="0" errors="0" skipped="1"' '<skipped message="incomplete, .*nothing was verified"/>'
has stopped.dot 'sc/rf: incomplete'
# The status of the run is that of the finding, but one model has no answer.
formats 1 mixed check -m sc,tso --max-executions 1 sb.c
holds mixed.sarif '.runs[0].invocations[0] | .executionSuccessful == false and .exitCode == 1' "one model is incomplete"
has mixed.xml 'failures="1" errors="0" skipped="1"'

fake_checker broken <<'EOF'
say hello sc none
finding
say error 4 "it {broke} <here> & \"there\""
EOF
formats 4 broken run ./broken
holds broken.sarif '.runs[0] | (.results | length == 1) and (.invocations[0] | .executionSuccessful == false and .exitCode == 4 and
	.toolExecutionNotifications[0].level == "error")' "errors are told"
has broken.xml 'failures="0" errors="1" skipped="0"' '<error type="error" message="it {broke} &lt;here&gt; &amp; &quot;there&quot;">' 'sb.c:17:5: assertion'
has broken.dot 'it {broke} <here> &amp; \\"there\\"'

# Text that means something to the format, or nothing at all. Places that are not known.
fake_checker odd <<'EOF'
odd=$'q"\\\\l &lt; <b> ]]> {0} \x1b[31m \x7f \x01 \xef\xbf\xbe \xc3\xa9 \xff \\n 2nd\tline at nowhere.c:3'
odd=${odd//$'\t'/\\t}
say hello tso traces
say finding assertion "$odd" "" 0 0 "" -1 4 "" "$odd" "${odd%at*}" 0 0 0 0
say event 1 0 read relaxed "$odd" 3 0 "$odd" "$odd" "$odd" -1 -1 1 1 -1 -1 0 1 "" 0 4
say event 7 3 write "" /abs/x.c 9 9 f "buf[3](x)" "&y" -1 -1 0 1 5 5 1 0 "" 0 4
say event 7 3 join "" "" 0 0 "" "" "99" -1 -1 0 1 -1 -1 0 0 "" 0 4
say finding crash "" ./x.c 1 0 f 2 4 0.1 "" "" 1 2 3 1
say finding leak "8 bytes (allocated at my file.c:7 by thread 0)" x.c 2 0 f 0 4 0.1 "" "" 1 2 3 1
say note "$odd"
say done 0 "time limit" 4 0 0 0 24 0.5 3100
EOF
formats 1 odd run ./odd
holds odd.sarif '.runs[0].results[0] | (.locations == []) and (.message.text | contains("{{0}}") and contains("\u001b[31m") and contains("\ufffd")) and
	(.codeFlows[0].threadFlows | length == 2)' "odd text"
holds odd.sarif '[.runs[0].artifacts[].location.uri] | contains(["file:///abs/x.c", "x.c", "my%20file.c"])' "paths"
holds odd.sarif '.runs[0].results[0].relatedLocations == []' "the program's own words are no places"
holds odd.sarif '.runs[0].results[2].relatedLocations | length == 1 and .[0].physicalLocation.region.startLine == 7' "a path with a blank"
holds odd.sarif '[.runs[0].artifacts[].location.uri | select(. == "x.c")] | length == 1' "./x.c is x.c"
holds odd.sarif '.runs[0].results[0].properties | has("replay") | not' "no schedule, no replay"
has odd.xml 'q&quot;\\l &amp;lt; &lt;b&gt; \]\]&gt; {0} \\x1b\[31m \\x7f \\x01 \\xef\\xbf\\xbe é .* &#10; 2nd&#9;line at nowhere.c:3'
has odd.dot 'q\\"\\\\l &amp;lt; <b> ]]> {0} \\\\x1b\[31m \\\\x7f'
printf '{ "everett": "0.1.0", "results": [ 1, null, { "findings": [ 7, { "kind": 3, "events": [ "x", {} ] } ] } ] }' >edited.json
run 0 "$EVERETT" report --dot edited.dot --sarif edited.sarif --junit edited.xml edited.json
fits "$schemas/sarif.schema.json" edited.sarif
renders edited.dot
well_formed edited.xml

# Standard output has the report alone, and only one.
for format in dot sarif junit; do
	run 1 "$EVERETT" check -m tso --$format - sb.c
	has err 'sb.c:31:2: assertion' 'FINDING'
	[ "$(head -c 2 out)" = "$(head -c 2 <"$([ $format = junit ] && echo sb.xml || echo sb.$format)")" ] || fail "$last: something else comes first"
	run 0 "$EVERETT" report --$format - sb.json
	cmp out "$([ $format = junit ] && echo sb.xml || echo sb.$format)" || fail "$last: is another"
done
run 2 "$EVERETT" check --json - --sarif - sb.c; one_line; has err "options '--json' and '--sarif' both write to '-'"
run 2 "$EVERETT" report --dot x --junit x sb.json; one_line; has err "both write to 'x'"
run 2 "$EVERETT" report --json x sb.json; one_line
finish
