#!/usr/bin/env bash
# everett orders: how many trials there are: explored, decided by a kept execution (and their share), and not run at all; and how many there are in a second.
set -eu
everett=$(realpath "${EVERETT:-build/everett}")
cd "$(dirname "$0")/../tests/orders"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
printf '%-16s %-8s %9s %9s %6s %9s %9s %12s\n' orders from explored kept share inferred seconds "trials/s"
for program in chase_lev hazard mcs michael_scott ring_mpmc seqlock; do
	"$everett" cc -g -I../../include -o "$work/checker" "$program.c"
	for from in seq_cst relaxed; do
		"$everett" orders -q --from $from --json "$work/result" "$work/checker" 2>/dev/null
		jq -r --arg program "$program" --arg from $from '.results[0] as $result | $result | [$program, $from, .stats.trials, .stats.replayed, .stats.inferred, .seconds.explore,
			(.stats.trials + .stats.replayed + .stats.inferred | ., 100 * $result.stats.replayed / .)] | @tsv' "$work/result" |
			while IFS=$'\t' read -r name start explored kept inferred seconds all share; do
				rate=$(jq -n "$all / $seconds")
				printf '%-16s %-8s %9s %9s %5.0f%% %9s %9.3f %12.0f\n' "$name" "$start" "$explored" "$kept" "$share" "$inferred" "$seconds" "$rate"
			done
	done
done
