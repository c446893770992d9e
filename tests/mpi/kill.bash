# What tests/cli/mpi-kill*.sh share: kill -9 of a rank, of its checker or of the driver, again and again, and what resume makes of what was saved.
. "$TOP/tests/mpi/lib.bash"
name=rank$$
cp "$TOP/tests/mpi/findings.c" .
run 0 "$EVERETT" cc -DTHREADS=5 findings.c -o "$name"
run 1 "$EVERETT" run -q -k -m sc --json one.json "./$name"
what one.json >expected

# started PID: mpirun's child ranks, once the driver is there; Open MPI itself may hang if a rank dies earlier, while it is being set up.
started()
{
	local rank
	while kill -0 "$1" 2>/dev/null; do
		for rank in $(pgrep -P "$1" -x everett-mpi); do
			[ -z "$(pgrep -P "$rank" -x everett)" ] || return 0
		done
		sleep 0.02
	done
	return 1
}

# victim PID: a rank, or what it has started.
victim()
{
	local rank child
	rank=$(pgrep -P "$1" -x everett-mpi | shuf -n 1)
	child=$(pgrep -P "${rank:-0}" | shuf -n 1)
	[ $((RANDOM % 3)) = 0 ] && [ -n "$child" ] && echo "$child" && return
	echo "$rank"
}

# lose COMMAND...: start it, and lose somebody at a random moment. Says whether that was so.
lose()
{
	local pid killed
	"$@" >out 2>err </dev/null &
	pid=$!
	if started $pid; then
		sleep "0.$((RANDOM % 10))$((RANDOM % 10))"
		killed=$(victim $pid)
		[ -z "$killed" ] || kill -KILL "$killed" 2>/dev/null
	fi
	wait $pid
}

once()
{
	local n=$((RANDOM % 3 + 2)) i
	rm -rf d ranks.json
	last="kill of $n ranks"
	lose mpirun --quiet -n $n "$mpi" run -q -k -m sc --restless -j $((RANDOM % 2 + 1)) --checkpoint d "./$name"
	[ -e d/search.json ] || return
	for ((i = RANDOM % 3; i > 0; i--)); do
		lose mpirun --quiet -n $((RANDOM % 4 + 1)) "$mpi" resume -q --trust-report --restless d
	done
	lost=$((lost + 1))
	if [ $((RANDOM % 3)) = 0 ]; then
		run 1 "$EVERETT" resume -q --trust-report --json ranks.json d
	else
		run 1 ranks $((RANDOM % 4 + 1)) resume -q --trust-report --json ranks.json d
	fi
	same "after $lost losses"
}

# kills N: from another seed each time, which is said.
kills()
{
	local i
	lost=0
	RANDOM=${SEED:=$$}
	echo "SEED=$SEED"
	for ((i = 0; i < $1; i++)); do once; done
	[ $((2 * lost)) -ge "$1" ] || fail "only $lost of $1 jobs had saved anything"
}
