# Machines to be: network namespaces with addresses of their own, connected by a bridge. They share nothing but the file system, of which each has a temporary directory of its own.
# hosts_up N makes them, hosts_down removes them; host I COMMAND runs something on one.
net=ev$$
subnet=10.$((RANDOM % 100 + 100)).$((RANDOM % 256))

hosts_down()
{
	local i
	for i in 1 2 3; do ip netns del "$net-$i" 2>/dev/null; done
	ip link del "$net" 2>/dev/null
}

# False: that needs rights which this user has not.
hosts_up()
{
	local i
	trap hosts_down EXIT
	ip link add "$net" type bridge && ip link set "$net" up || return 1
	for ((i = 1; i <= $1; i++)); do
		mkdir -p "host-$i"
		ip netns add "$net-$i" &&
			ip link add "$net.$i" type veth peer name eth0 netns "$net-$i" &&
			ip link set "$net.$i" master "$net" up &&
			ip -n "$net-$i" addr add "$subnet.$i/24" dev eth0 &&
			ip -n "$net-$i" link set eth0 up &&
			ip -n "$net-$i" link set lo up || return 1
	done
	# What mpirun starts its daemons with, as it would with ssh.
	cat >agent <<-END
		#!/bin/bash
		host=\${1##*.}
		shift
		export TMPDIR=$PWD/host-\$host
		exec ip netns exec $net-\$host unshare -u sh -c "hostname host-\$host; \$*"
	END
	chmod +x agent
}

# on_hosts N RANKS COMMAND...: an MPI job on N hosts, with RANKS on each. mpirun runs on the first.
on_hosts()
{
	local n=$1 each=$2 list= i
	shift 2
	for ((i = 1; i <= n; i++)); do list+=${list:+,}$subnet.$i:$each; done
	./agent host.1 "$(printf '%q ' mpirun --quiet --mca plm_rsh_agent "$PWD/agent" --mca btl tcp,self --mca btl_tcp_if_include eth0 \
		--mca oob_tcp_if_include eth0 -H "$list" -n $((n * each)) "$@")"
}
