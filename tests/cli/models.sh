#!/bin/bash
# Every command of docs/models.md prints what stands below it there.
. "$(dirname "$0")/lib.bash"
doc=$TOP/docs/models.md
commands=0
timeless() {
	sed -E 's/[0-9]+\.[0-9]+ s/T s/g'
}
while IFS= read -r line; do
	if [[ $line == '    $ '* ]]; then
		command=${line#*\$ }
		printed=$(cd "$TOP" && eval "${command/#build\/everett/\"\$EVERETT\"}" 2>&1 | timeless)
		commands=$((commands + 1))
	elif [ -n "${command:-}" ]; then
		shown=$(timeless <<<"${line#    }")
		[ -n "$shown" ] && [ "$printed" = "$shown" ] || fail "$command: '$printed', not '$shown'"
		command=
	fi
done <"$doc"

# Rows of its tables that are tests, with what SC, TSO, PSO, RA and RC11 say: as a file for the harness.
awk -F ' [|] ' 'BEGIN { split("sc tso pso ra rc11", model, " ") }
	/^[|] `.* : .*` [|] / {
		test = $1
		gsub(/^[|] `|`$/, "", test)
		gsub(/\\[|]/, "|", test)
		allowing = ""
		for (i = 1; i <= 5; i++) {
			if ($(i + 1) == "allowed") allowing = allowing " " model[i]
			else if ($(i + 1) != "-") allowing = allowing " unknown-verdict"
		}
		printf "row%d : %s :%s\n", ++n, test, allowing == "" ? " -" : allowing
	}' "$doc" >rows.litmus
rows=$(wc -l <rows.litmus)
[ "$rows" -ge 16 ] || fail "$rows rows"
judged=$("$TOP/tools/litmus/judge.sh" --brief rows.litmus) || fail "tables: $judged"
[ "$judged" = "$((5 * rows)) good, 0 bad" ] || fail "tables: $judged of $rows rows"

[ $commands = "$(grep -c '^    \$ ' "$doc")" ] && [ $commands -ge 12 ] || fail "$commands commands"
finish
