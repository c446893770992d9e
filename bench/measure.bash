# What the scripts of this folder share. $everett is the driver, $work a scratch folder, $runs how often a measurement is repeated.

# build FILE OPTIONS...: into $work/checker.
build() {
	"$everett" check -m sc -e none -q --keep "$work/checker" --max-executions 1 "${@:2}" "$1" >/dev/null 2>&1 || true
}

# measure NAME REPEAT OPTIONS...: explore, under SC if they name no model, REPEAT times, and print microseconds an execution and
# nanoseconds an event.
measure() {
	local name=$1 repeat=$2 best= user
	shift 2
	[[ " $* " == *' -m '* ]] || set -- -m sc "$@"
	for _ in $(seq "$runs"); do
		user=$({ TIMEFORMAT=%U; time "$everett" run -q --repeat "$repeat" --json "$work/result" "$@" "$work/checker" \
			>/dev/null 2>&1; } 2>&1) || true
		if [ -z "$best" ] || awk "BEGIN { exit !($user < $best) }"; then best=$user; fi
	done
	jq -r --arg name "$name" --argjson user "$best" --argjson repeat "$repeat" '.results[0] | (.executions + .blocked) as $n |
		[$name, $n, $n * $repeat, $user * 1e6 / ($n * $repeat),
		 $user * 1e9 / (.events * $repeat), .events / $n, .peak_kib] | @tsv' "$work/result" |
		awk -F'\t' '{ printf "%-26s %11d %12d %13.3f %9.1f %12.1f %10d\n", $1, $2, $3, $4, $5, $6, $7 }'
}

header() {
	printf '%-28s %9s %12s %13s %9s %12s %10s\n' "$1" executions "run in all" us/execution ns/event events/exec. "peak KiB"
}

# Programs of the papers: name, size, how often it is explored.
six='sigma 7 20
readers 13 20
lastzero 12 10
casrot 9 20
fib_bench 5 1
circular_buffer 8 10'

# geometric_mean: of microseconds for an execution, and nanoseconds for an event, of the lines that `measure` has printed into $work/table.
geometric_mean() {
	awk '{ sum += log($4); events += log($5) }
		END { printf "%-26s %11s %12s %13.3f %9.1f\n", "geometric mean", "", "", exp(sum / NR), exp(events / NR) }' "$work/table"
}
