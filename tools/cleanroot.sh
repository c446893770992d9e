#!/bin/bash
# Try the README's two commands on a fresh Debian 12 that has git, make and a network: tools/cleanroot.sh DIR [TARGET...]
#
# Makes the root in DIR with debootstrap (kept, and used again if it is there), clones this project's HEAD into it and runs
# `make TARGET` for each target (default: demo check) in a chroot. Needs root, and debootstrap. The mirror is $MIRROR, or
# the one that this machine's apt uses.
#
# Or try a package: tools/cleanroot.sh --deb FILE.deb DIR installs it, and what it depends on, on such a Debian, made anew, and
# checks the examples with it.
set -eu
top=$(cd "$(dirname "$0")/.." && pwd)
[ $# -gt 0 ] || {
	sed -n '2,9s/^# \?//p' "$0" >&2
	exit 2
}
[ -n "${CLEANROOT_UNSHARED:-}" ] || CLEANROOT_UNSHARED=1 exec unshare --mount "$0" "$@"
deb=
if [ "$1" = --deb ]; then
	deb=$2
	shift 2
	[ -f "$deb" ] && [ $# = 1 ] && [[ $1 == /* ]] || {
		echo "cleanroot.sh: usage: --deb FILE.deb DIR, which is absolute" >&2
		exit 2
	}
	# What an earlier package needed must not help this one.
	rm -rf --one-file-system "$1"
fi
dir=$1
shift
[ $# -gt 0 ] || set -- demo check
suite=bookworm

# "http://mirror/debian bookworm/main ..." of what apt reads here, in either of its two formats.
mirror=${MIRROR:-$(apt-get indextargets --format '$(REPO_URI) $(CODENAME)' 'Created-By: Packages' |
	awk -v suite=$suite '$2 == suite { print $1; exit }')}
mirror=${mirror%/}
[ -n "$mirror" ] || {
	echo "cleanroot.sh: no mirror for $suite in apt's configuration; set MIRROR" >&2
	exit 1
}

if [ ! -e "$dir/etc/debian_version" ]; then
	debootstrap --variant=minbase $suite "$dir" "$mirror"
fi
# LLVM 19 is in the security updates of Debian 12, which every installation has and debootstrap leaves out.
cat >"$dir/etc/apt/sources.list" <<END
deb $mirror $suite main
deb $mirror $suite-updates main
deb ${SECURITY_MIRROR:-$mirror-security} $suite-security main
END
cp -L /etc/resolv.conf "$dir/etc/resolv.conf"
# How this machine reaches its mirror (proxies, validity of frozen mirrors) holds for the root, too.
apt-config dump Acquire | grep -E '^Acquire::(https?::Proxy|Check-Valid-Until)' >"$dir/etc/apt/apt.conf.d/99host" || true

# Besides the devices that debootstrap made, what every machine has; mounted in a namespace of our own, and so gone when we are.
mount -t proc proc "$dir/proc"
mkdir -p "$dir/dev/pts"
mount -t devpts devpts "$dir/dev/pts"

in_root() {
	env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C \
		${http_proxy:+http_proxy="$http_proxy"} ${https_proxy:+https_proxy="$https_proxy"} \
		chroot "$dir" "$@"
}

status_is() { # STATUS COMMAND...
	local want=$1 got=0
	shift
	echo "\$ $*"
	in_root "$@" || got=$?
	[ $got = "$want" ] && return
	echo "cleanroot.sh: exit status $got, not $want" >&2
	exit 1
}

if [ -n "$deb" ]; then
	mkdir "$dir/try"
	cp "$deb" "$dir/try/everett.deb"
	cp -r "$top/examples" "$dir/try"
	in_root apt-get -qq update
	in_root env DEBIAN_FRONTEND=noninteractive apt-get -qq -o Dpkg::Use-Pty=0 install -y --no-install-recommends /try/everett.deb >/dev/null
	echo "packages: $(in_root dpkg-query -W -f '${Package}\n' | wc -l)"
	status_is 0 everett --version
	status_is 0 everett check -m sc /try/examples/sb.c
	status_is 1 everett check -q -m sc,tso --json /try/report.json /try/examples/sb.c
	status_is 1 everett replay -q /try/report.json
	status_is 1 everett check -q /try/examples/counter.c
	status_is 0 everett-cc -I/try/examples/make-project /try/examples/make-project/main.c /try/examples/make-project/ring.c -o /try/ring
	status_is 0 env EVERETT_OPTIONS='-m tso -e traces' /try/ring
	in_root env DEBIAN_FRONTEND=noninteractive apt-get -qq -o Dpkg::Use-Pty=0 remove -y everett >/dev/null
	[ ! -e "$dir/usr/bin/everett" ] && [ ! -e "$dir/usr/lib/everett" ] || {
		echo "cleanroot.sh: the package leaves files behind" >&2
		exit 1
	}
	echo "the package works"
	exit
fi

if [ ! -e "$dir/usr/bin/git" ] || [ ! -e "$dir/usr/bin/make" ]; then
	in_root apt-get -qq update
	in_root env DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends git make >/dev/null
fi

rm -rf "$dir/src/everett"
mkdir -p "$dir/src"
git clone -q "$top" "$dir/src/everett"
status=0
for target; do
	echo "== make $target"
	in_root make -C /src/everett --no-print-directory "$target" || status=1
done
exit $status
