#!/usr/bin/env bash
# What an execution costs under RC11, by the orders that the program declares, and what a plain access costs.
# CPU time of the checker; each number is the best of several runs, because the machine is shared. MODEL: another model.
set -eu
everett=$(realpath "${EVERETT:-build/everett}")
cd "$(dirname "$0")"
runs=${RUNS:-3}
model=${MODEL:-rc11}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
. ./measure.bash

for orders in relaxed release/acquire seq_cst; do
	case $orders in
	relaxed) define= ;;
	release/acquire) define=-DRELEASE_ACQUIRE ;;
	seq_cst) define=-DSEQ_CST ;;
	esac
	header "rf under $model, $orders"
	while read -r program n repeat; do
		build "papers/$program.c" "-DN=$n" $define
		measure "$program($n)" "$repeat" -m "$model" -e rf
	done <<<"$six" | tee "$work/table"
	geometric_mean
	echo
done

# Plain accesses: the same executions with and without them. A run of them without Everett is of the same number of executions,
# compiled without optimisation, as Everett compiles.
repeat=200
native=200000
header "plain accesses, $model"
for plain in 0 100 1000; do
	build plain.c "-DPLAIN=$plain"
	measure "plain($plain)" $repeat -m "$model" -e rf
done | tee "$work/table"
# native PLAIN: microseconds for an execution.
native() {
	local best= user
	"${CC:-cc}" -O0 -pthread -DNATIVE=$native "-DPLAIN=$1" -o "$work/native" plain.c
	for _ in $(seq "$runs"); do
		user=$({ TIMEFORMAT=%U; time "$work/native"; } 2>&1)
		if [ -z "$best" ] || awk "BEGIN { exit !($user < $best) }"; then best=$user; fi
	done
	awk "BEGIN { print $best * 1e6 / $native }"
}
awk -v alone="$(native 1000)" '{ cost[NR] = $4; events[NR] = $6 }
	END {
		accesses = 4 * 1000 # of four threads; those of main are not counted
		printf "native, 1000 plain accesses for each of 4 threads: %.3f us\n", alone
		printf "a plain access: %.2f ns, %.3f events\n", (cost[3] - cost[1]) * 1000 / accesses, (events[3] - events[1]) / accesses
		printf "with 1000 plain accesses: %.2f times the atomics and the native run\n", cost[3] / (cost[1] + alone)
	}' "$work/table"
