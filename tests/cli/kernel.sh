#!/bin/bash
# Pipes, sockets, eventfds, poll() and futexes against a definition of their own (tests/kernel.py): the same outcomes, by every engine.
. "$(dirname "$0")/lib.bash"
here=$(dirname "$0")

found()
{
	jq -r '.results[0].findings[] | if .kind == "assertion" then "assertion " + (.message | sub("^!"; "")) else .kind end' result | sort -u
}

# agrees SEED OPTIONS...
agrees()
{
	local seed=$1
	shift
	"$EVERETT" run -q -k --hunt 0 --json result "$@" checker >out 2>err </dev/null
	grep -q 'complete' err || fail "seed $seed, $*: $(cat err)"
	grep -q 'incomplete' err && fail "seed $seed, $*: $(cat err)"
	found >findings
	cmp -s findings expected && return
	fail "seed $seed, $*: not as defined"
	diff expected findings | sed 's/^/    /' | head -n 10
	failed=1
}

deadlocks=0
for seed in $(seq "${FIRST:-12}" "${LAST:-22}"); do
	failed=0
	"$here/../kernel.py" "$seed" . || fail "kernel.py $seed"
	LC_ALL=C sort -o expected expected
	"$EVERETT" cc program.c -o checker 2>err || { fail "seed $seed: $(cat err)"; continue; }
	deadlocks=$((deadlocks + $(grep -c deadlock expected)))
	agrees "$seed" -m sc -e rf
	agrees "$seed" -m sc -e traces --check
	agrees "$seed" -m sc -e rvf
	agrees "$seed" -m tso
	agrees "$seed" -m rc11
	[ $failed = 0 ] || [ -z "${KEEP-}" ] || cp program.c expected "$KEEP"
done
[ "$deadlocks" -gt 0 ] || fail "no program has a deadlock"
finish
