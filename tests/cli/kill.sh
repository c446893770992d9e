#!/bin/bash
# kill -9 of the driver or the checker, at random moments: no finding that was printed is missing from the JSON file.
# cli/kill-100.sh does it a hundred times.
. "$TOP/tests/faults/kill.bash"
kills 6

# Findings reach the JSON file while the search goes on: the checker below finds one and then waits to be told to end.
fake_checker waits <<'END'
say hello sc none
finding assertion 0.1.0
say progress 7 0 0 0 24
touch started
while [ ! -e seen ]; do sleep 0.05; done
finding deadlock 0.1.1
while [ ! -e seen2 ]; do sleep 0.05; done
say done 0 "" 9 0 0 0 24 0.5 3100
END
wait_for()
{
	until jq -e "$1" r.json >/dev/null 2>&1; do
		kill -0 $pid 2>/dev/null || { fail "no report with $1 came"; break; }
		sleep 0.05
	done
}
rm -f r.json
"$EVERETT" run -k --json r.json --html r.html ./waits >out 2>err </dev/null &
pid=$!
wait_for '.results[0] | (.findings | length) == 1 and .verdict == "finding" and .complete == false and (.stopped | test("running"))'
cp r.json now.json
faults=$(jq -r --slurpfile schema "$TOP/docs/report.schema.json" -f "$TOP/tests/schema/validate.jq" now.json 2>&1)
[ -z "$faults" ] || fail "a report on the way does not fit the schema: $faults"
[ -e r.html ] && fail "the web page was written before its time"
touch seen
wait_for '.results[0].findings | length == 2'
touch seen2
wait $pid
status=$?
last="waits"
[ $status = 1 ] || fail "$last: status $status"
jq -e '.results[0] | .executions == 9 and .stopped == ""' r.json >/dev/null || fail "the last report is another"
finish
