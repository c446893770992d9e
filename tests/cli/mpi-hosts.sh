# A search on two and three hosts, which have addresses of their own and nothing but TCP between them. The checker is on the first host only.
# set: slow
. "$TOP/tests/mpi/lib.bash"
. "$TOP/tests/mpi/hosts.bash"
if [ "$(id -u)" != 0 ] || ! hosts_up 3 2>err; then
	echo "needs the right to make network namespaces: $(tail -n 1 err)"
	exit 77
fi

# Each rank sees only its own address.
run 0 on_hosts 3 1 sh -c 'ip -o -4 addr show dev eth0'
[ "$(awk '{ print $4 }' out | sort)" = "$(printf '%s\n' "$subnet.1/24" "$subnet.2/24" "$subnet.3/24")" ] || fail "hosts: $(cat out)"

paper fib_bench -DN=4
run 0 "$EVERETT" run -q -m sc --json one.json ./fib_bench
what one.json >expected
for n in 2 3; do
	rm -f ranks.json
	run 0 on_hosts $n 2 "$mpi" run -q -m sc --restless --json ranks.json ./fib_bench
	same "$n hosts"
done
run 0 "$EVERETT" cc "$TOP/tests/mpi/findings.c" -o findings
run 1 "$EVERETT" run -q -k -m sc --json one.json ./findings
what one.json >expected
run 1 on_hosts 3 1 "$mpi" run -q -k -m sc --json ranks.json ./findings
same 'findings on 3 hosts'

# A host is lost, and the others go on from what was saved.
paper fib_bench -DN=5
run 0 "$EVERETT" run -q -m sc --json one.json ./fib_bench
what one.json >expected
on_hosts 3 1 "$mpi" run -q -m sc --restless --checkpoint d ./fib_bench >out 2>err </dev/null &
pid=$!
until_exists d/sc.parts $pid
sleep 1
ip netns pids "$net-3" | xargs -r kill -KILL
wait $pid
run 0 on_hosts 2 1 "$mpi" resume -q --trust-report --json ranks.json d
same 'after the loss of a host'
rm -rf host-1 host-2 host-3
finish
