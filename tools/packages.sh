#!/bin/bash
# Install the Debian packages of the named sets that are missing: tools/packages.sh build test ...
# These names are those of Debian 12, Debian 13 and Ubuntu 24.04, but for chromium, which Ubuntu does not package.
# As root or through sudo. When nothing is missing this is one dpkg-query and needs no rights.
set -u
v=${LLVM_VERSION:-19}

packages_of() {
	case $1 in
	# zlib and zstd: the static LLVM needs them; the rest of what it needs, llvm-dev depends on. libstdc++ comes with clang.
	build) echo gcc libc6-dev "llvm-$v-dev" "clang-$v" libjansson-dev zlib1g-dev libzstd-dev ;;
	test) echo python3 libcmocka-dev "libclang-rt-$v-dev" cmake g++ jq patch gdb graphviz libxml2-utils man-db mandoc bsdextrautils pkgconf meson ninja-build zsh fish ;;
	real) echo dpkg-dev jq ;;
	# Any gnuplot will do.
	bench) echo jq $(command -v gnuplot >/dev/null || echo gnuplot-nox) ;;
	# Node.js and npm may have come from elsewhere, as one package.
	browser) echo chromium fonts-dejavu-core $(command -v node >/dev/null || echo nodejs) $(command -v npm >/dev/null || echo npm) ;;
	# iproute2: hosts for tests, as network namespaces.
	mpi) echo libopenmpi-dev openmpi-bin iproute2 procps ;;
	lint) echo "clang-format-$v" "clang-tidy-$v" jq ;;
	sanitize) echo "libclang-rt-$v-dev" ;;
	cross) echo qemu-user gcc-aarch64-linux-gnu libc6-dev-arm64-cross ;;
	*) return 1 ;;
	esac
}

fail() {
	echo "packages.sh: $*" >&2
	exit 1
}

wanted=()
for set in "$@"; do
	names=$(packages_of "$set") || fail "no such set: '$set'"
	read -ra list <<<"$names"
	wanted+=("${list[@]}")
done
[ ${#wanted[@]} -gt 0 ] || fail "usage: packages.sh build|test|real|bench|browser|mpi|lint|sanitize|cross..."
if ! command -v dpkg-query >/dev/null; then
	echo "packages.sh: not a Debian system; assuming that these are there: ${wanted[*]}" >&2
	exit 0
fi

missing_packages() {
	local installed name
	installed=$(dpkg-query -W -f='${Package} ${db:Status-Status}\n' "${wanted[@]}" 2>/dev/null)
	for name in "${wanted[@]}"; do
		[[ $'\n'$installed$'\n' == *$'\n'"$name installed"$'\n'* ]] || echo "$name"
	done
}

missing=$(missing_packages)
[ -n "$missing" ] || exit 0

# Two targets of one `make -j` may get here at once; the second then finds nothing missing.
exec 9<"$0"
flock 9
missing=$(missing_packages)
[ -n "$missing" ] || exit 0

as_root=()
if [ "$(id -u)" != 0 ]; then
	command -v sudo >/dev/null ||
		fail "neither root nor sudo; please have these packages installed:" $missing
	as_root=(sudo)
fi
echo "installing Debian packages:" $missing
apt() {
	"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=600 -o Dpkg::Use-Pty=0 "$@"
}
log=$(mktemp)
trap 'rm -f "$log"' EXIT
# A failing update (one dead source of many) matters only if the packages cannot be had then.
apt update >"$log" 2>&1
if ! apt install -y --no-install-recommends $missing >>"$log" 2>&1; then
	tail -n 20 "$log" >&2
	fail "cannot install:" $missing
fi
