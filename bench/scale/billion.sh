#!/usr/bin/env bash
# One search of 1166803110 classes by everett-mpi, and the memory of each of its processes every minute. billion.sh [EVERETT'S OPTIONS], such as --timeout 60.
# Environment: RANKS (2), WRITES and READS of billion.c (16, 17), INTERVAL (60 seconds).
set -eu
everett=$(realpath "${EVERETT:-build/everett}")
mpi=${everett%/*}/everett-mpi
here=$(cd "$(dirname "$0")" && pwd)
writes=${WRITES:-16} reads=${READS:-17} interval=${INTERVAL:-60}
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_mpi_yield_when_idle=1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
classes=1
for ((i = 1; i <= reads; i++)); do classes=$((classes * (writes + i) / i)); done
"$everett" cc -DWRITES="$writes" -DREADS="$reads" "$here/billion.c" -o "$work/billion"
echo "$classes classes, ${RANKS:-2} ranks"

# descendants PID: it, and all processes that it has started.
descendants()
{
	local child
	echo "$1"
	for child in $(pgrep -P "$1"); do descendants "$child"; done
}

# Resident memory in KiB: of each rank everett-mpi, its checker, and below that the worker; of rank 0 the driver, too.
sample()
{
	local pid name rss line=
	for pid in $(descendants "$1"); do
		name=$(cat /proc/"$pid"/comm 2>/dev/null) || continue
		rss=$(awk '/^VmRSS/ { print $2 }' /proc/"$pid"/status 2>/dev/null) || continue
		[ -z "$rss" ] || line+="  $name:$pid $rss"
	done
	printf '%6d s%s\n' "$SECONDS" "$line"
}

cd "$work"
SECONDS=0
mpirun --quiet -n "${RANKS:-2}" "$mpi" run -q -m sc -e rf --hunt 0 --json result.json "$@" ./billion &
job=$!
next=5
while kill -0 $job 2>/dev/null; do
	if [ $SECONDS -ge $next ]; then
		sample $job
		next=$((next + interval))
	fi
	sleep 1
done
status=0
wait $job || status=$?
jq -r --arg wanted "$classes" '.results[0] | "\(.executions) executions of \($wanted) classes, complete: \(.complete), \(.seconds.explore) s, peak \(.peak_kib) KiB"' result.json
exit $status
