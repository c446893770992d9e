# How large a search would have been is known soon after its start: in a second, or a few more if the machine is slow.
# set: long
. "$(dirname "$0")/lib.bash"

# near NAME TRUTH FACTOR OPTIONS...: a search that is stopped after a second or so knows how large it would have been.
near()
{
	local name=$1 truth=$2 factor=$3 seconds
	shift 3
	[[ " $* " == *' -m '* ]] || set -- -m sc "$@"
	for seconds in 1.2 5 20 80; do
		run 3 "$EVERETT" check --timeout $seconds --json r.json "$@" "$TOP/bench/papers/$name.c"
		jq -e --argjson truth "$truth" --argjson factor "$factor" '.results[0].estimate.executions // 0 |
			. * $factor >= $truth and . <= $truth * $factor' r.json >jq.out && break
	done
	has err ' in all ('
	grep -qx true jq.out ||
		fail "$name $*: $(jq '.results[0].estimate.executions' r.json), not $truth"
}
near unverif 25401600 1.001 -e rf -DN=7
near unverif 25401600 1.001 -e rvf -DN=7
near lastwrite 479001600 1.001 -e traces -DN=12
near sigma 39916800 1.001 -e rf -DN=11
near sigma 39916800 1.001 -m tso -e rf -DN=11
near sigma 39916800 1.001 -m pso -e rf -DN=11
near fib_bench 8149694 1.5 -m ra -DN=6
near gcd 1162333 3 -m ra -DN=8
near pthread_demo 184756 1.5 -m ra -DN=10
near linux_lock 116088 2.5 -m ra -DN=3 -DLB=6
near peterson 1897228 2 -m ra -DFENCES=3 -DROUNDS=3 -DTRIES=2
near race_parametric 4027216 2 -e traces -DN=7
near approxds_append 4645207 2 -e rf -DN=7
near approxds_append 923526 2 -e rvf -DN=7
cat >choose.c <<'EOF'
#include <everett.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x;
static void *writes(void *unused)
{
	for (int i = 0; i < 15; i++)
		atomic_store(&x, i);
	return unused;
}
int main(void)
{
	pthread_t a;
	pthread_create(&a, NULL, writes, NULL);
	writes(NULL);
	return pthread_join(a, NULL);
}
EOF
# 30 over 15.
TOP=$PWD
mkdir -p bench/papers
mv choose.c bench/papers
near choose 155117520 2 -e none
near choose 155117520 2 -e traces
near choose 155117520 1.2 -e traces -m tso
finish
