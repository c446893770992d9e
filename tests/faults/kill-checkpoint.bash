# What tests/cli/kill-checkpoint*.sh share: kill -9 of the driver, the checker or a worker while a search is saved, again and again.
. "$TOP/tests/cli/lib.bash"

cat >search.c <<'END'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x, y, z;
static void *thread(void *p)
{
	int r = atomic_fetch_add(&x, 1), s = atomic_fetch_add(&y, 1), t = atomic_fetch_add(&z, 1);
	assert(!(r == 0 && s == 3 && t == 1));
	assert(!(r == 3 && s == 0 && t == 3));
	return p;
}
int main(void)
{
	pthread_t t[4];
	for (int i = 0; i < 4; i++)
		pthread_create(&t[i], NULL, thread, NULL);
	for (int i = 0; i < 4; i++)
		pthread_join(t[i], NULL);
	return 0;
}
END
# A name of its own, so that its processes are found.
name=kill$$
run 0 "$EVERETT" cc search.c -o $name
run 1 "$EVERETT" run -q -k -m sc --json one.json ./$name

what()
{
	jq -c '.results[] | [.verdict, .complete, .executions, .blocked, .truncated, .redundant, .events,
		([.findings[] | "\(.kind) \(.file):\(.line)"] | sort)]' "$1"
}
what one.json >expected

# The checker is the driver's child, and the workers are the checker's.
victim()
{
	local checker
	[ "$1" = driver ] && echo "$2" && return
	checker=$(pgrep -P "$2" -x $name)
	[ "$1" = checker ] && echo "$checker" && return
	[ -z "$checker" ] || pgrep -P "$checker" -x $name | shuf -n 1
}

# once WHOM: a search that takes some seconds, because workers give branches away after every execution, loses somebody; then it is resumed.
once()
{
	local whom=$1 pid killed status
	rm -f c.json
	"$EVERETT" run -q -k -m sc -j 2 --restless --checkpoint c.json ./$name >out 2>err </dev/null &
	pid=$!
	until_exists c.json $pid
	sleep "$((RANDOM % 4)).$((RANDOM % 10))"
	killed=$(victim "$whom" $pid)
	last="kill of the $whom ($killed)"
	# shellcheck disable=SC2086
	[ -z "$killed" ] || kill -KILL $killed 2>/dev/null
	# The search survives the death of a worker.
	[ "$whom" != worker ] || { sleep "0.$((RANDOM % 10))"; kill -TERM $pid 2>/dev/null; }
	wait $pid
	status=$?
	case $whom$status in
	driver137 | *1 | *3) ;;
	*) fail "$last: status $status"; cat err ;;
	esac
	# Nobody is left behind who would still write.
	while pgrep -x $name >/dev/null; do sleep 0.05; done
	jq -e .checkpoint c.json >/dev/null || { fail "$last: the checkpoint is not whole"; return; }
	[ "$(jq '.results[0].rest.executions' c.json)" = 0 ] || saved=$((saved + 1))
	run 1 "$EVERETT" resume -q --trust-report -j 2 --json r.json c.json
	what r.json >got
	cmp -s expected got && return
	fail "$last, and then resumed: not what an undisturbed run has:"
	diff expected got | sed 's/^/    /'
}

# kills N: so many.
kills()
{
	local n=$1 i
	saved=0
	for ((i = 0; i < n; i++)); do
		case $((i % 3)) in
		0) once driver ;;
		1) once checker ;;
		2) once worker ;;
		esac
	done
	echo "$saved times of $n something had been saved"
	rm -f .everett-*
}
