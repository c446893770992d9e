#!/bin/bash
# What the Makefile needs to know of the machine, as make variables: tools/configure.sh CC LLVM_VERSION [cross]
# If something that the build needs is not there, one message says what, and in which Debian packages it is. With `cross`
# only the archive and its tests are built, which need neither jansson nor LLVM's libraries.
# DEPS is the command that installs the packages.
set -eu
cc=$1
version=$2
cross=${3:-}
llvm=llvm-config-$version
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

missing=()  # what is missing, and behind each the package that has it
required=() # files that were found; make configures again when one of them is gone

missing() {
	missing+=("$1" "$2")
}

# need_command NAME PACKAGE
need_command() {
	local path
	if path=$(command -v "$1"); then
		required+=("$path")
	else
		missing "$1" "$2"
	fi
}

# need_header NAME PACKAGE FLAG...
need_header() {
	local name=$1 package=$2 path
	shift 2
	path=$(echo "#include <$name>" | $cc "$@" -M -x c - 2>/dev/null | tr -s ' \\' '\n' | grep -m1 "/$name\$") || true
	if [ -n "$path" ]; then
		required+=("$path")
	else
		missing "<$name>" "$package"
	fi
}

links() {
	echo 'int main(void) { return 0; }' | $cc -x c - -o "$scratch/a.out" -x none "$@" 2>/dev/null
}

package_of() {
	case $1 in
	-lz) echo zlib1g-dev ;;
	-lzstd) echo libzstd-dev ;;
	*) echo "llvm-$version-dev" ;;
	esac
}

# All at once, and only if that fails one by one: need_libraries FLAG...
need_libraries() {
	local flag
	links "$@" && return
	for flag; do
		links "$flag" || missing "$flag" "$(package_of "$flag")"
	done
}

probe_compiler() {
	local package
	case ${cc##*/} in
	aarch64-linux-gnu-gcc*) package=gcc-aarch64-linux-gnu ;;
	clang*) package=${cc##*/} ;;
	*) package=gcc ;;
	esac
	need_command "${cc%% *}" "$package"
}

probe_driver() {
	need_header jansson.h libjansson-dev
	links -ljansson || missing -ljansson libjansson-dev
	links -l:libstdc++.a || missing libstdc++.a "clang-$version"
	command -v "$llvm" >/dev/null || return 0
	need_header llvm-c/Core.h "llvm-$version-dev" -isystem "$($llvm --includedir)"
	if $llvm --link-static --libs $components >/dev/null 2>&1; then
		need_libraries $($llvm --link-static --system-libs)
	else
		missing "LLVM's static libraries" "llvm-$version-dev"
	fi
}

report_missing() {
	local i
	echo "Everett cannot be built: these are missing"
	for ((i = 0; i < ${#missing[@]}; i += 2)); do
		printf '  %-24s Debian package %s\n' "${missing[i]}" "${missing[i + 1]}"
	done
	echo "'${DEPS:-make deps}' installs the packages, as root or through sudo."
}

# Static LLVM starts six times faster than the shared library, whose relocations cost more than our work on a small file.
components="core analysis bitreader bitwriter irreader passes native"

probe_compiler
if [ ${#missing[@]} = 0 ]; then
	need_header stdio.h libc6-dev
fi
need_command "$llvm" "llvm-$version-dev"
need_command "clang-$version" "clang-$version"
# Without a compiler, nothing can be said of headers and libraries.
if [ -z "$cross" ] && command -v "${cc%% *}" >/dev/null; then
	probe_driver
fi
if [ ${#missing[@]} -gt 0 ]; then
	report_missing >&2
	exit 1
fi

machine=$($cc -dumpmachine)
case $machine in
x86_64-* | aarch64-*) ;;
*)
	echo "configure.sh: no coroutine switch for '$machine'" >&2
	exit 1
	;;
esac
echo "ARCH := ${machine%%-*}"
echo "LLVM_BINDIR := $($llvm --bindir)"
echo "LLVM_CFLAGS := -isystem $($llvm --includedir)"
echo "LLVM_LIBS :=" $($llvm --link-static --ldflags) $($llvm --link-static --libs $components) \
	$($llvm --link-static --system-libs)
echo "REQUIRED :=" "${required[@]}"
