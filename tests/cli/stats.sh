#!/bin/bash
# What an engine counts: the same in JSON and with -v, since the last restart, and what it must be where that is known.
# Without random executions, which are counted, too (hunt.sh).
. "$(dirname "$0")/lib.bash"

value() # NAME: of r.json
{
	jq -e ".results[0].stats.$1" r.json || fail "$last: no statistic '$1'"
}

# -v says what JSON does.
agree()
{
	local line
	line=$(jq -r '.results[0].stats | "everett: sc/rf: \(.questions) questions, \(.inserted) answered by insertion, " +
		"\(.saturated) refuted by saturation, \(.guided) answered by a guided run, \(.decided) left to the decision procedure" +
		(if .skipped then ", \(.skipped) events skipped by rollback" else "" end)' r.json)
	grep -qFx -e "$line" err || fail "$last: no '$line' in: $(cat err)"
	tail -n 1 err | grep -q ' explore)$' || fail "$last: the summary is not last"
}

# Every question is answered by one phase; every execution but the first comes of a question.
add_up()
{
	jq -e '.results[0] | .stats.questions == .stats.inserted + .stats.saturated + .stats.guided + .stats.decided and
		.executions + .blocked + .truncated - 1 <= .stats.questions - .stats.saturated and
		.executions + .blocked + .truncated - 1 >= .stats.inserted + .stats.guided' r.json >/dev/null ||
		fail "$last: does not add up: $(jq -c '.results[0] | .executions, .blocked, .truncated, .stats' r.json)"
}

# Store buffering: both threads cannot read 0, which is asked once; the two others can be.
sb=$TOP/examples/sb.c
run 0 "$EVERETT" check --hunt 0 -m sc -e rf -v --json r.json "$sb"
agree
add_up
[ "$(value questions) $(value saturated)" = "3 1" ] || fail "$last: $(jq -c '.results[0].stats' r.json)"
stats=$(jq -c '.results[0].stats | del(.skipped)' r.json)

# The same again: repeated, checked, quiet, in a saved checker.
same()
{
	[ "$(jq -c '.results[0].stats | del(.skipped)' r.json)" = "$stats" ] || fail "$last: $(jq -c '.results[0].stats' r.json), not $stats"
}
run 0 "$EVERETT" check --hunt 0 -m sc -e rf -v --repeat 3 --json r.json "$sb"; agree; same
run 0 "$EVERETT" check --hunt 0 -m sc -e rf -v --check --json r.json "$sb"; agree; same
run 0 "$EVERETT" check --hunt 0 -m sc -e rf -v -q --keep sb --json r.json "$sb"; agree; same
run 0 "$EVERETT" run --hunt 0 -m sc -e rf -v --json r.json ./sb; agree; same
run 0 "$EVERETT" check --hunt 0 -m sc -e rf --json r.json "$sb"; same; one_line

# Independent reads of independent writes: every phase but the last has something to do. A search that is cut short has counted less.
iriw=$TOP/tests/litmus/iriw.c
run 0 "$EVERETT" check --hunt 0 -m sc -e rf -v --json r.json "$iriw"
agree
add_up
for name in questions inserted saturated guided; do
	[ "$(value $name)" -gt 0 ] || fail "$last: no $name"
done
all=$(value questions)
run 3 "$EVERETT" check --hunt 0 -m sc -e rf -v --max-executions 2 --json r.json "$iriw"
agree
[ "$(value questions)" -lt "$all" ] || fail "$last: as many questions as in all"

# The decision procedure finds executions, and refutes one question: all others are executed, besides the first execution.
for name in rf_decision rf_decision_rmw; do
	run 0 "$EVERETT" check --hunt 0 -e rf -v --json r.json "$TOP/tests/programs/$name.c"
	agree
	add_up
	jq -e '.results[0] | .stats.decided > 1 and .stats.questions - .stats.saturated - 1 == .executions - 1' r.json >/dev/null ||
		fail "$last: $(jq -c '.results[0] | .executions, .stats' r.json)"
done

# With a finding, too.
run 1 "$EVERETT" check --hunt 0 -e rf -v --json r.json "$TOP/examples/counter.c"
agree
[ "$(value questions)" -gt 0 ] || fail "$last: no questions"

# Engines that count nothing, and a replay, have no statistics, but for the events that were not run again.
run 1 "$EVERETT" replay -v r.json
hasnot err questions
for engine in traces none; do
	run 0 "$EVERETT" check --hunt 0 -m sc -e $engine -v --json r.json "$sb"
	hasnot err questions
	jq -e '.results[0].stats // {} | keys - ["skipped"] == []' r.json >/dev/null || fail "$last: statistics"
done
run 0 "$EVERETT" check --hunt 0 -m sc -e none --no-rollback -v --json r.json "$sb"
jq -e '.results[0] | has("stats") | not' r.json >/dev/null || fail "$last: statistics"
finish
