#!/bin/bash
# A report that somebody else wrote: replay runs the sources that it names, and nothing else; it writes nothing.
. "$(dirname "$0")/lib.bash"
cat >sb.c <<'END'
#include <assert.h>
#ifndef N
#define N 0
#endif
int main(void)
{
	assert(N);
	return 0;
}
END
run 1 "$EVERETT" check --json own.json -DM=1 -O2 -Wall -std=c11 -I. -lm sb.c
run 1 "$EVERETT" replay own.json
hasnot err 'left out'

# What tells that code was run: a plugin, a linker, a checker, each of which makes the file `owned`.
cat >evil.sh <<END
#!/bin/sh
# EVERETT_CHECKER
: >"$PWD/owned"
END
chmod +x evil.sh
mkdir bin
for name in ld ld.lld ld.gold ld.bfd clang as lto; do
	cp evil.sh bin/$name
done
printf '__attribute__((constructor)) static void run(void) { FILE *f = fopen("%s/owned", "w"); if (f) fclose(f); }\n' "$PWD" |
	sed '1i #include <stdio.h>' >plugin.c
run 0 cc -shared -fPIC plugin.c -o plugin.so
run 0 cc -c plugin.c -o plugin.o
cp plugin.so libowned.so
printf -- '-fplugin=%s/plugin.so\n' "$PWD" >response

# with FIELD JSON: own.json with this field.
with()
{
	jq --argjson value "$2" ".$1 = \$value" own.json >foreign.json
}

# Compiler flags: each is left out, named, and does nothing. The finding is the same without it.
left_out()
{
	with compile "$1"
	rm -rf owned written*
	"$EVERETT" replay foreign.json >out 2>err </dev/null
	local status=$?
	last="replay with $1"
	[ $status = 1 ] || { fail "$last: status $status"; cat err; }
	has err "^everett: left out of 'foreign.json': .*(--trust-report takes compiler flags" 'FINDING assertion at sb.c:7'
	[ -e owned ] && fail "$last: code of the report was run"
	for file in written*; do
		[ -e "$file" ] && fail "$last: $file was written"
	done
}
left_out "[\"-fplugin=$PWD/plugin.so\"]"
left_out "[\"-Xclang\", \"-load\", \"-Xclang\", \"$PWD/plugin.so\"]"
left_out "[\"-fpass-plugin=$PWD/plugin.so\"]"
left_out "[\"-Wl,-plugin,$PWD/plugin.so\"]"
left_out "[\"-fuse-ld=$PWD/bin/ld\"]"
left_out "[\"--ld-path=$PWD/bin/ld\"]"
left_out "[\"-B$PWD/bin\"]"
left_out "[\"-B\", \"$PWD/bin/\"]"
left_out "[\"-L$PWD\", \"-lowned\"]"
left_out "[\"-Wp,-MD,$PWD/written\"]"
left_out '["-MD", "-MF", "written"]'
left_out '["-MMD"]'
left_out '["-MJwritten"]'
left_out '["-save-temps"]'
left_out '["-ftime-trace"]'
left_out '["-ftime-trace=written.json"]'
left_out '["-gsplit-dwarf"]'
left_out '["-fcrash-diagnostics-dir=written"]'
left_out '["-fproc-stat-report=written"]'
left_out '["-fmodules", "-fmodules-cache-path=written"]'
left_out '["-fsave-optimization-record", "-foptimization-record-file=written"]'
left_out '["-serialize-diagnostics", "written"]'
left_out '["--config", "response"]'
left_out '["-mllvm", "-load=plugin.so"]'
left_out '["@response"]'
left_out '["-I", "@response"]'
left_out '["-D", "@response"]'
left_out '["-x", "assembler"]'
left_out '["plugin.o"]'
left_out '["-o", "written"]'
left_out '["-D"]'
left_out '["-l", "owned"]'
left_out '["-include-pch", "plugin.so"]'
left_out '["--sysroot=/nowhere"]'

# Options of Everett's own that write, or run what nobody watches.
for words in '"--keep", "written"' '"--classes", "written"' '"--json", "written"' '"--html=written"' '"--output", "written"' \
	'"--dot", "written"' '"--sarif", "written"' '"--junit", "written"' '"--allow-external", "system"' '"other.c"' \
	'"-fplugin=x"' '"--", "x"'; do
	with options "[$words]"
	rm -rf written
	run 1 "$EVERETT" replay foreign.json
	has err "^everett: left out of 'foreign.json': "
	[ -e written ] && fail "$last: $words was obeyed"
done
# Not even with trust does a report say what is written.
with options '["--keep", "written", "--json", "written.json"]'
run 1 "$EVERETT" replay --trust-report foreign.json
has err "left out of 'foreign.json': --keep written --json written.json (a report does not decide what is written)"
[ -e written ] || [ -e written.json ] && fail "$last: written"

# A checker, and files that are not compiled but linked.
with checker "\"$PWD/evil.sh\""
run 2 "$EVERETT" replay foreign.json; one_line
has err "'foreign.json' names a checker, which would be run: '$PWD/evil.sh' (--trust-report allows it)"
for file in plugin.o plugin.so libowned.so x.s x.ll script.ld; do
	with files "[\"sb.c\", \"$file\"]"
	run 2 "$EVERETT" replay foreign.json; one_line
	has err "'foreign.json' names '$file', which is not a C or C++ file"
done
for file in "-fplugin=$PWD/plugin.so" "@response" "-o"; do
	with files "[\"sb.c\", \"$file\"]"
	run 2 "$EVERETT" replay foreign.json; one_line; has err "'$file', which is not a file"
	run 2 "$EVERETT" replay --trust-report foreign.json; one_line; has err "'$file', which is not a file"
done
# The words that the checker gets.
for field in model equivalence; do
	jq ".results[0].$field = \"sc classes-fd=1\"" own.json >foreign.json
	run 2 "$EVERETT" replay foreign.json; one_line; has err "the finding has no $field to replay"
done
[ -e owned ] && fail "code of a report was run"

# A compilation database that comes with the report.
jq -n --arg d "$PWD" '[{ directory: $d, file: "sb.c", arguments: ["cc", "-DK", "-fplugin=\($d)/plugin.so", "-c", "sb.c"] }]' >compile_commands.json
with options '["--compile-commands", "."]'
run 1 "$EVERETT" replay foreign.json
has err "left out of the flags for 'sb.c': -fplugin=$PWD/plugin.so (--trust-report takes it)"
[ -e owned ] && fail "the database of a report ran code"

# With --trust-report all of it is taken: that the tests above would notice.
with compile "[\"-fplugin=$PWD/plugin.so\"]"
"$EVERETT" replay --trust-report foreign.json >out 2>err </dev/null
[ -e owned ] || fail "--trust-report: the plugin was not loaded"
rm -f owned
with checker "\"$PWD/evil.sh\""
run 2 "$EVERETT" replay --trust-report foreign.json
[ -e owned ] || fail "--trust-report: the checker was not run"
rm -f owned

# report renders, and no more: no flag, no checker, no option counts. A pipe or a device is not a source to show.
mkfifo fifo
jq '.compile = ["-fplugin=plugin.so"] | .checker = "./evil.sh" | .options = ["--keep", "written"] |
	.results[0].findings[0].file = "fifo" | .results[0].findings[0].events[].file = "/dev/zero"' own.json >foreign.json
for format in '' --html=- --dot=- --sarif=- --junit=-; do
	# shellcheck disable=SC2086
	run 0 "$EVERETT" report $format foreign.json
done
[ -e owned ] || [ -e written ] && fail "report does more than render"
finish
