# A real program checked unchanged: Lua 5.4, from Debian's source, prints the same under Everett as it does natively.
# set: long
set -eu
source=$("$TOP/tools/fetch-source.sh" --plain "$BUILD/lua" lua5.4) || {
	echo "skipped: the source of Lua cannot be fetched"
	exit 77
}
cp -r "$source" native
cp -r "$source" checked
settings=(lua SYSCFLAGS=-DLUA_USE_LINUX 'SYSLIBS=-Wl,-E -ldl')
make -s -C native/src "${settings[@]}"
make -s -C checked/src "${settings[@]}" CC="$EVERETT cc"

export EVERETT_LUA_TEST=value TIMEFORMAT='%U s of CPU'
printf '17 rest\nlast\nlines' >input
for script in "$TOP"/tests/lua/*.lua; do
	name=$(basename "$script" .lua)
	echo "$name"
	time native/src/lua "$script" one two <input >"$name.expected" 2>&1
	time "$EVERETT" run -e none --execution-timeout 600 --output "$name.output" checked/src/lua -- "$script" one two <input
	cmp "$name.expected" "$name.output"
	test -s "$name.output"
done
