# The examples in one file do what the README says of them.
set -eu
"$EVERETT" check -m sc -e none --json sb.json "$TOP/examples/sb.c"
jq -e '.results[0] | .verdict == "ok" and .complete and .executions == 6' sb.json

status=0
"$EVERETT" check -e none --json counter.json "$TOP/examples/counter.c" || status=$?
test $status = 1
jq -e '.results[0].findings[0] | .kind == "assertion" and .function == "main"' counter.json
