#!/bin/bash
# What the Makefile needs to know of the machine, as make variables: tools/configure.sh CC LLVM_VERSION
set -eu
cc=$1
version=$2
llvm=llvm-config-$version
command -v "$llvm" >/dev/null || {
	echo "configure.sh: '$llvm' not found" >&2
	exit 1
}
machine=$($cc -dumpmachine)
case $machine in
x86_64-* | aarch64-*) ;;
*)
	echo "configure.sh: no coroutine switch for '$machine'" >&2
	exit 1
	;;
esac
# Static LLVM starts six times faster than the shared library, whose relocations cost more than our work on a small file.
components="core analysis bitreader bitwriter irreader passes native"
echo "CONFIGURED_FOR := $cc $version"
echo "ARCH := ${machine%%-*}"
echo "LLVM_BINDIR := $($llvm --bindir)"
echo "LLVM_CFLAGS := -isystem $($llvm --includedir)"
echo "LLVM_LIBS :=" $($llvm --link-static --ldflags) $($llvm --link-static --libs $components) \
	$($llvm --link-static --system-libs)
