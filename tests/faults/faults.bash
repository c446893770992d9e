# What tests/cli/faults*.sh share: run the driver with one call after the other failing, and look at what is left.
. "$TOP/tests/cli/lib.bash"

cat >bug.c <<'END'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x, y;
static int a, b;
static void *left(void *p)
{
	atomic_store(&x, 1);
	a = atomic_load(&y);
	return p;
}
static void *right(void *p)
{
	atomic_store(&y, 1);
	b = atomic_load(&x);
	return p;
}
int main(void)
{
	pthread_t t, u;
	pthread_create(&t, NULL, left, NULL);
	pthread_create(&u, NULL, right, NULL);
	pthread_join(t, NULL);
	pthread_join(u, NULL);
	assert(!(a && b) WEAKER);
	return 0;
}
END
sed 's/WEAKER/|| 1/' bug.c >fine.c
sed -i 's/ WEAKER//' bug.c
run 0 cc -shared -fPIC -O1 -o shim.so "$TOP/tests/faults/shim.c" -ldl
run 0 "$EVERETT" cc bug.c -o bug
run 0 "$EVERETT" cc fine.c -o fine
run 1 "$EVERETT" run --json old.json --html old.html ./bug
mkdir out.d
others="--html out.d/r.html --output out.d/o" # what is written besides the JSON file

# one CALL N RIGHT COMMAND...: the Nth CALL fails. RIGHT is the status without that; 2 and 4 are right as well. Returns 1 if
# there is no Nth call.
one()
{
	local call=$1 n=$2 right=$3 status verdict
	shift 3
	rm -rf out.d/* failed
	cp old.json out.d/r.json
	cp old.html out.d/r.html
	# shellcheck disable=SC2086
	FAIL_CALL=$call FAIL_AT=$n FAIL_LOG=$PWD/failed LD_PRELOAD=$PWD/shim.so "$EVERETT" "$@" \
		--json out.d/r.json $others >out 2>err </dev/null
	status=$?
	last="$call $n: $*"
	case $status in
	"$right" | 2 | 4) ;;
	*) fail "$last: status $status"; cat err ;;
	esac
	if ! cmp -s old.json out.d/r.json; then
		verdict=$(jq -er '.results[0].verdict' out.d/r.json) || fail "$last: the JSON file is neither the old one nor complete"
		case $right$verdict in
		0ok | 1finding | ?incomplete | ?error) ;;
		*) fail "$last: verdict $verdict" ;;
		esac
		# What was reported as done was done.
	elif [ $status -lt 2 ] && [ -e failed ]; then
		fail "$last: status $status, and the old JSON file"
	fi
	cmp -s old.html out.d/r.html || [ "$(tail -n 1 out.d/r.html)" = "</html>" ] ||
		fail "$last: the web page is neither the old one nor complete"
	rm -f out.d/r.json out.d/r.html out.d/o
	[ -z "$(ls -A out.d)" ] || { fail "$last: left beside the reports: $(ls -A out.d)"; rm -rf out.d/.??*; }
	[ -z "$(ls -A tmp)" ] || { fail "$last: left in tmp: $(find tmp)"; rm -rf tmp/*; }
	[ -e failed ]
}

# each CALL STEP RIGHT COMMAND...: the 1st, (1 + STEP)th, ... CALL, until there are no more.
each()
{
	local call=$1 step=$2 n=1
	shift 2
	while one "$call" $n "$@"; do
		n=$((n + step))
	done
	# Without a failure it is as always, and at least one was there to fail.
	[ $n -gt 1 ] || fail "$call: no call was seen"
	echo "$call: $n calls in steps of $step: $*"
}
