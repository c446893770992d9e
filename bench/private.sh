#!/usr/bin/env bash
# What a program with one thread costs under Everett: instructions by callgrind, relative to a native run with -O0.
#   private.sh [PROGRAM...]     all of bench/private, or these
# LUA=FOLDER: Lua's sources, as tests/cli/lua.sh fetches them, to measure tests/lua/tables.lua too. BASE=OTHER: a driver to compare with.
set -eu
everett=$(realpath "${EVERETT:-build/everett}")
base=${BASE:+$(realpath "$BASE")}
lua=${LUA:+$(realpath "$LUA")}
top=$(realpath "$(dirname "$0")/..")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
clang=${CLANG:-clang-19}

# Without debugging information, which callgrind may not know; a checker alone, without its driver.
instructions() {
	EVERETT_CHECKER="fd=9 engine=none" valgrind --tool=callgrind --callgrind-out-file=/dev/null "$@" 9>/dev/null 2>&1 </dev/null |
		sed -n 's/.*Collected : //p'
}

ratio() {
	awk "BEGIN { printf \"%6.2f\", $1 / $2 }"
}

# NAME EXECUTABLE ARGUMENT...: EXECUTABLE.native, EXECUTABLE.checked, perhaps EXECUTABLE.base
report() {
	local name=$1 program=$2 native
	shift 2
	native=$(instructions "$program.native" "$@")
	printf '%-10s %8.1f %s' "$name" "$((native / 100000))e-1" "$(ratio "$(instructions "$program.checked" "$@")" "$native")"
	[ -z "$base" ] || printf ' %s' "$(ratio "$(instructions "$program.base" "$@")" "$native")"
	echo
}

lua_with() {
	cp -r "$lua" "$work/lua.$1"
	make -s -C "$work/lua.$1/src" lua "CC=$2" 'CFLAGS=-O0 -DLUA_COMPAT_5_3 -DLUA_USE_LINUX' 'SYSLIBS=-Wl,-E -ldl' >/dev/null 2>&1
	strip -g -o "$work/lua-5.4.$1" "$work/lua.$1/src/lua"
}

printf '%-10s %8s %6s%s\n' program million times "${base:+   base}"
for source in ${@:-$(cd "$top/bench/private" && echo *.c)}; do
	name=${source%.c}
	"$clang" -O0 -o "$work/$name.native" "$top/bench/private/$name.c"
	"$everett" cc -o "$work/$name.checked" "$top/bench/private/$name.c"
	[ -z "$base" ] || "$base" cc -o "$work/$name.base" "$top/bench/private/$name.c"
	for f in "$work/$name".*; do
		strip -g "$f"
	done
	report "$name" "$work/$name"
done
[ -n "$lua" ] || exit 0
lua_with native "$clang"
lua_with checked "$everett cc"
[ -z "$base" ] || lua_with base "$base cc"
report Lua "$work/lua-5.4" "$top/tests/lua/tables.lua" one two
