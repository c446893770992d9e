# What tests/cli/kill*.sh share: kill -9 at any moment, again and again.
. "$TOP/tests/cli/lib.bash"

# Findings at many places, which the search comes to one after the other; far too many executions to come to an end.
{
	cat <<-'END'
	#include <assert.h>
	#include <pthread.h>
	#include <stdatomic.h>
	static atomic_int x, y;
	static void *thread(void *p)
	{
		int r = atomic_fetch_add(&x, 1), s = atomic_fetch_add(&y, 1);
	END
	for ((i = 0; i < 6; i++)); do
		for ((k = 0; k < 6; k++)); do
			echo "	assert(!(r == $i && s == $k && $i != $k));"
		done
	done
	cat <<-'END'
		return p;
	}
	int main(void)
	{
		pthread_t t[6];
		for (int i = 0; i < 6; i++)
			pthread_create(&t[i], NULL, thread, NULL);
		for (int i = 0; i < 6; i++)
			pthread_join(t[i], NULL);
		return 0;
	}
	END
} >many.c
run 0 "$EVERETT" cc many.c -o many
run 1 "$EVERETT" run -k --max-executions 10 --json old.json ./many

# "KIND FILE:LINE" of each finding that was printed: in full, or in the summary.
printed()
{
	sed -nE 's/^([a-z_]+\.c:[0-9]+):[0-9]+: ([a-z-]+): .*/\2 \1/p; s/^everett: .*FINDING ([a-z-]+) at (\S+) after.*/\1 \2/p' out err | sort -u
}

# once WHOM COMMAND...: kill the driver or the checker after some time; what was printed is in the JSON file, which is whole.
once()
{
	local whom=$1 pid child status
	shift
	cp old.json r.json
	"$EVERETT" "$@" >out 2>err </dev/null &
	pid=$!
	sleep "0.$((RANDOM % 9))$((RANDOM % 10))"
	child=$(pgrep -P $pid)
	last="kill $whom ($pid, its child ${child:-none}): $*"
	if [ "$whom" = driver ]; then
		kill -KILL $pid 2>/dev/null
	else
		# shellcheck disable=SC2086
		kill -KILL $child 2>/dev/null
	fi
	wait $pid
	status=$?
	# The checker goes with its driver; a compiler may come to its end.
	while [ -n "$child" ] && [ "$(ps -o comm= -p "$child")" = "$(basename "${*: -1}")" ]; do
		sleep 0.05
	done
	case $whom$status in
	driver137 | *1 | checker2 | checker3) ;;
	*) fail "$last: status $status"; cat err ;;
	esac
	jq -er '.results[].findings[] | "\(.kind) \(.file):\(.line)"' r.json >saved || fail "$last: the JSON file is not whole"
	printed | while read -r finding; do
		grep -qx "$finding" saved || echo "$finding"
	done >missing
	[ ! -s missing ] || fail "$last: printed, but not saved: $(cat missing)"
	[ -z "$(find . -maxdepth 1 -name '.everett-*' -newer old.json)" ] || rm -f .everett-*
	cmp -s old.json r.json || changed=$((changed + 1))
}

# kills N: so many.
kills()
{
	local n=$1 i
	changed=0
	for ((i = 0; i < n; i += 2)); do
		once driver run -k --timeout 0.6 --json r.json ./many
		once checker run -k --timeout 0.6 --json r.json ./many
	done
	# While it compiles, too: what a killed driver leaves behind, a later run removes.
	for ((i = 0; i < (n + 9) / 10; i++)); do
		once driver check -k --json r.json many.c
	done
	# Not how often, which depends on the machine: but a report that is never written would pass all this.
	run 1 "$EVERETT" run -k --max-executions 300 --json r.json ./many
	echo "$changed times of $n there was a new report"
	for ((i = 0; i < 100; i++)); do
		run 1 "$EVERETT" check --max-executions 1000 many.c
		[ -z "$(ls -A tmp)" ] && break
		sleep 0.5
	done
}
