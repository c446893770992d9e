#!/usr/bin/env bash
# Are two ranks as fast as two workers? Both, in turns, each ROUNDS (5) times: pairs.sh [PROGRAM N [MODEL]], of bench/papers. On an idle machine of two cores.
set -eu
everett=$(realpath "${EVERETT:-build/everett}")
mpi=${everett%/*}/everett-mpi
here=$(cd "$(dirname "$0")" && pwd)
program=${1:-fib_bench} n=${2:-6} model=${3:-sc}
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_mpi_yield_when_idle=1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$everett" cc "-DN=$n" "$here/../papers/$program.c" -o "$work/checker"
cd "$work"

# timed COMMAND...: the seconds that it took to explore.
timed()
{
	"$@" run -q -m "$model" -e rf --hunt 0 --json result.json ${jobs:-} ./checker >out 2>err </dev/null || {
		cat err
		exit 1
	}
	jq -r '.results[0].seconds.explore' result.json
}

median()
{
	sort -g | awk '{ v[NR] = $1 } END { print (v[int((NR + 1) / 2)] + v[int(NR / 2) + 1]) / 2 }'
}

echo "$program -DN=$n, $model: seconds"
printf '%10s %10s %10s\n' '-j 2' '2 ranks' 'ratio'
for ((i = 0; i < ${ROUNDS:-5}; i++)); do
	a=$(jobs='-j 2' timed "$everett")
	b=$(jobs= timed mpirun --quiet -n 2 "$mpi")
	echo "$a" >>workers
	echo "$b" >>ranks
	awk -v a="$a" -v b="$b" 'BEGIN { printf "%10.2f %10.2f %10.3f\n", a, b, a / b }'
done
awk -v a="$(median <workers)" -v b="$(median <ranks)" 'BEGIN { printf "%10.2f %10.2f %10.3f   medians\n", a, b, a / b }'
