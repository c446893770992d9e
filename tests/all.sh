#!/bin/bash
# All tests in all builds; `make check-all` calls this. Every build is tried, whatever became of those before it.
set -u
cd "$(dirname "$0")/.."
make=${MAKE:-make}
tally=$(mktemp)
trap 'rm -f "$tally"' EXIT
passed=0 failed=0

# A build that does not even get to its tests counts as one failure.
try() {
	local name=$1 p f
	shift
	echo "== $name"
	: >"$tally"
	TALLY=$tally $make --no-print-directory "$@"
	local status=$?
	read -r p f <"$tally" || { p=0 f=1; }
	[ $status = 0 ] || [ "$f" -gt 0 ] || f=1
	passed=$((passed + p)) failed=$((failed + f))
}

try "gcc, the long sets" BUILD=build CC=gcc TESTS=--all check
try "clang" BUILD=build-clang CC=clang-19 check
try "ASan and UBSan" BUILD=build-asan SANITIZE=address,undefined check
try "LLVM 22" BUILD=build-llvm22 LLVM_VERSION=22 check
try "aarch64 under qemu" BUILD=build-aarch64 CROSS=1 check-cross
echo "== all builds"
echo "$passed passed, $failed failed"
[ $failed = 0 ] && [ $passed -gt 0 ]
