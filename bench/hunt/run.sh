#!/usr/bin/env bash
# How many executions until the first bug is seen? bench/hunt/run.sh [PART]: the kernels of `table` with PART in their line, by plain `everett check`, by
# `everett sample`, and by each way to draw executions alone; the median over SEEDS (20) seeds, ">" where it was not found in LIMIT (60) seconds' worth of steps.
# For `check` these are the executions that were explored and all random ones together; those before the search are the only ones if they have found it.
set -eu
everett=$(realpath "${EVERETT:-build/everett}")
cd "$(dirname "$0")"
seeds=${SEEDS:-20} limit=${LIMIT:-60}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Executions until it was found, or "inf".
count() {
	"$everett" "$@" -q --no-simplify --json "$work/result" $file >/dev/null 2>&1 || true
	jq -r '.results[0] | .findings[0] as $f | if $f == null then "inf" elif .sample or ($f.drawn and $f.execution == .stats.hunted) then $f.execution else .executions + .blocked + .truncated + (.stats.hunted // 0) end' "$work/result"
}

median() {
	sed 's/inf/999999999999/' | sort -n | sed -n "$(((seeds + 1) / 2))p" | sed 's/999999999999/>/'
}

printf '%-24s %-5s %9s %9s %9s %9s %9s\n' program model check sample pct pos walk
while read -r name model kind options; do
	# shellcheck disable=SC2086
	"$everett" cc $options -c -o "$work/program.o" "$name.c"
	"$everett" cc -o "$work/checker" "$work/program.o"
	file=$work/checker
	line=$(printf '%-24s %-5s' "$name${options:+ $options}" "$model")
	line+=$(printf ' %9s' "$(for ((s = 1; s <= seeds; s++)); do count run -m "$model" --timeout "$limit" --seed "$s"; done | median)")
	file=$work/program.o
	line+=$(printf ' %9s' "$(for ((s = 1; s <= seeds; s++)); do count sample -m "$model" --timeout "$limit" --seed "$s"; done | median)")
	file=$work/checker
	for hunter in pct pos walk; do
		line+=$(printf ' %9s' "$(for ((s = 1; s <= seeds; s++)); do
			count run -m "$model" --hunt "$limit" --hunters "$hunter" --max-executions 1 --seed "$s"
		done | median)")
	done
	echo "$line"
done < <(grep -v '^#' table | grep -e "${1-}")
