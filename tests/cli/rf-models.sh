#!/bin/bash
# rf runs one execution for each reads-from class under TSO and PSO, too: the programs of bench/papers, at sizes at which `traces`
# meets all classes.
. "$(dirname "$0")/lib.bash"

. "$TOP/tests/cli/rf-programs.bash"

# Of each model: what was explored, and what had to be; and how many traces and classes there are.
compare='def all: .executions + .blocked + .truncated;
	def found: .findings | map("\(.kind) at \(.file):\(.line)") | unique | join(", ");
	def says: "rf classes \(.classes.rf), \(.class_digests.rf), complete \(.complete), found: \(found)";
	([.[0].results, .[1].results] | transpose[] as [$t, $r] |
	"\($t.model)/\($r.equivalence): \($r | all) executions, \($r.redundant) redundant, \($r | says)",
	"\($t.model)/rf: \($t.classes.rf) executions, 0 redundant, \($t | says)"),
	(.[0].results | "\(.[0].classes.traces) \(.[1].classes.traces) \(.[1].classes.rf)")'

# explore ENGINE OPTION...: under both models, into the files ENGINE and ENGINE.classes.
explore()
{
	"$EVERETT" run -k -q -m tso,pso -e "$1" --json "$1" --classes "$1.classes" "${@:2}" ./checker >out 2>err </dev/null
	[ $? -le 1 ] || fail "$program ${options[*]}: $1: $(tail -n 3 err)"
}

more=0 relaxed=0
while IFS='|' read -r program words; do
	defines=() options=()
	for word in $words; do
		if [[ $word == -D* ]]; then defines+=("$word"); else options+=("$word"); fi
	done
	rm -f checker traces rf
	"$EVERETT" check -q -m sc -e none --max-executions 1 --keep checker "${defines[@]}" "$TOP/bench/papers/$program.c" >out 2>err
	[ -x checker ] || fail "$program does not compile: $(tail -n 3 err)"
	explore traces "${options[@]}"
	explore rf "${options[@]}"
	mapfile -t compared < <(jq -rs "$compare" traces rf)
	[ ${#compared[@]} = 5 ] || fail "$program $words: not compared under two models"
	for i in 0 2; do
		[ "${compared[i]:-}" = "${compared[i + 1]:-}" ] && continue
		fail "$program $words: ${compared[i]}"
		echo "    expected: ${compared[i + 1]}"
		diff <(grep '^rf ' traces.classes | cut -c1-400 | sort -u) <(grep '^rf ' rf.classes | cut -c1-400 | sort -u) | head -n 6
	done
	# So that the comparison means something: classes with several traces, and programs that notice the buffers.
	read -r tso pso classes <<<"${compared[4]:-0 0 0}"
	[ "$pso" -gt "$classes" ] && more=$((more + 1))
	[ "$pso" -gt "$tso" ] && relaxed=$((relaxed + 1))
done <<<"$programs"
[ $more -ge 20 ] && [ $relaxed -ge 10 ] || fail "only $more programs have several traces of a class, $relaxed notice PSO"
for file in "$TOP"/bench/papers/*.c; do
	grep -q "^$(basename "$file" .c)|" <<<"$programs" || fail "$(basename "$file") is not compared"
done

# Sources that PSO has overwritten are not asked for, whoever knows of that.
"$EVERETT" check -q -m pso -e rf --json rf -DN=6 "$TOP/bench/papers/opt_lock.c" 2>err
[ "$(jq -r '.results[0] | "\(.executions) \(.stats.questions)"' rf)" = "187 186" ] || fail "opt_lock(6): $(jq -c '.results[0].stats' rf)"

# Who asks about all models gets rf everywhere; TSO and PSO alone have traces. So has robustness, which rf decides only where the order
# of writes is not the question.
run 1 "$EVERETT" check -q -m all "$TOP/examples/sb.c"; has err '^everett: sc/rf: ' '^everett: tso/rf: ' '^everett: pso/rf: ' '^everett: ra/rf: '
run 1 "$EVERETT" check -q -m tso,pso "$TOP/examples/sb.c"; has err '^everett: tso/traces: ' '^everett: pso/traces: '
run 1 "$EVERETT" check -q -m all -e none "$TOP/examples/sb.c"; has err '^everett: tso/none: '
run 1 "$EVERETT" robust -q -m all "$TOP/examples/sb.c"; has err '^everett: sc/traces: robust' '^everett: pso/traces: ' '^everett: ra/rf: '
run 2 "$EVERETT" robust -m tso -e rf "$TOP/examples/sb.c"; has err "equivalence 'rf' cannot decide robustness"
finish
