# --compile-commands: the flags of each file come from the project's compilation database.
. "$TOP/tests/cli/lib.bash"

# A project that compiles only with its own flags: two of its files need different ones.
mkdir -p project/include 'project/in clude' project/gen
cat >project/CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.16)
project(flags C)
add_library(half STATIC half.c)
target_compile_definitions(half PRIVATE ROLE=2 "TEXT=\"a b\\n\"")
target_include_directories(half PUBLIC include "in clude")
set_target_properties(half PROPERTIES C_STANDARD 99 C_EXTENSIONS OFF)
add_executable(whole main.c)
target_compile_definitions(whole PRIVATE ROLE=1)
target_compile_options(whole PRIVATE -Wlogical-op -Wall -Werror -MD -MF ${CMAKE_BINARY_DIR}/mine.d -include ${CMAKE_SOURCE_DIR}/gen/forced.h)
set_target_properties(whole PROPERTIES C_STANDARD 11)
target_link_libraries(whole PRIVATE half)
END
cat >project/half.c <<'END'
#include <deep.h>
#include <blank.h>
#if ROLE != 2 || !defined(__STRICT_ANSI__) || __STDC_VERSION__ != 199901L
#error not the flags of half.c
#endif
int half(void) { return sizeof(TEXT) == 5 && TEXT[3] == '\n' ? DEEP + BLANK : 0; }
END
cat >project/main.c <<'END'
#include <assert.h>
#include <deep.h>
#if ROLE != 1 || defined(__STRICT_ANSI__) || !defined FORCED
#error not the flags of main.c
#endif
#ifndef WANTED
#define WANTED 7
#endif
int half(void);
int main(void) { int unused; assert(half() == WANTED); return 0; }
END
echo '#define DEEP 3' >project/include/deep.h
echo '#define BLANK 4' >'project/in clude/blank.h'
echo '#define FORCED' >project/gen/forced.h
cmake -S project -B build -DCMAKE_EXPORT_COMPILE_COMMANDS=ON -DCMAKE_C_COMPILER=gcc >cmake.log || fail "cmake"
[ -s build/compile_commands.json ] || fail "no database"

both=(project/main.c project/half.c)
run 2 "$EVERETT" check "${both[@]}"; has err 'deep.h.* file not found'
run 0 "$EVERETT" check --compile-commands build "${both[@]}"; has err 'ok, 1 execution'
[ -e build/mine.d ] && fail "the project's dependency file was written"
# From elsewhere, by another name of the file, with the path of the database itself; and the command line wins.
(cd project/gen && run 0 "$EVERETT" check --compile-commands=../../build/compile_commands.json ../main.c "$OLDPWD/project/./half.c"
	exit $failures) || fail "from another folder"
run 1 "$EVERETT" check --compile-commands build -DWANTED=8 --json report.json "${both[@]}"
has out 'assertion: half() == WANTED' "replay: everett replay"
# The report knows the database.
run 1 "$EVERETT" replay report.json; has err 'FINDING assertion'
run 1 "$EVERETT" check --compile-commands build -DWANTED=8 "${both[@]}"; has out 'everett check.* --compile-commands build'
for command in robust predict; do
	run 0 "$EVERETT" $command --compile-commands build "${both[@]}"
done
# Objects have no entry, and need none.
(cd project && "$EVERETT" cc -c -std=c99 -DROLE=2 '-DTEXT="a b\n"' -Iinclude '-Iin clude' half.c -o ../half.o) || fail "half.o"
run 0 "$EVERETT" check --compile-commands build project/main.c half.o

# A release build has no assertions, which is told, and can be undone.
cmake -S project -B release -DCMAKE_EXPORT_COMPILE_COMMANDS=ON -DCMAKE_C_COMPILER=gcc -DCMAKE_BUILD_TYPE=Release >cmake.log || fail "cmake"
run 0 "$EVERETT" check --compile-commands release -DWANTED=8 "${both[@]}"
has err "note: 'project/main.c' is compiled with -DNDEBUG" "note: 'project/half.c' is compiled with -DNDEBUG"
run 0 "$EVERETT" check -q --compile-commands release -DWANTED=8 "${both[@]}"; hasnot err 'note:'
for undo in -UNDEBUG '-U NDEBUG'; do
	run 1 "$EVERETT" check --compile-commands release -DWANTED=8 $undo "${both[@]}"; hasnot err 'note:'
done
run 0 "$EVERETT" check --compile-commands build -DWANTED=8 -D NDEBUG=1 "${both[@]}"; has err "note: 'project/main.c'"
run 0 "$EVERETT" check --compile-commands build "${both[@]}"; hasnot err 'NDEBUG'

# Databases of other makers: an array of words, relative paths, a launcher, outputs, a response file, a language.
mkdir -p other/sub/headers
echo '#define N 5' >other/sub/headers/n.h
echo '#define FIRST 1' >other/sub/first.h
echo '-DFROM_FILE=\"xyz\"' >other/sub/words
cat >other/odd.inc <<'END'
#include <assert.h>
#include <n.h>
#ifdef __cplusplus
#error C was meant
#endif
int main(void) { assert(FIRST == 1 && sizeof(FROM_FILE) == 4 && N == 5); return 0; }
END
cp other/odd.inc other/odd.c
entry() { # FILE [JSON of further words]
	printf '{"directory": "sub", "file": "../%s", "output": "o.o", "arguments": ["ccache", "/usr/bin/cc", "-Iheaders", %s "-O3", "-flto",
		"-include", "first.h", "@words", "-MD", "-MT", "o.o", "-MFo.d", "-Werror=pedantic", "-o", "o.o", "-c", "../%s"]}' "$1" "$2" "$1"
}
echo "[$(entry odd.inc '"-x", "c",'), $(entry odd.c ''), $(entry odd.c '"-DN=6",')]" >other/compile_commands.json
run 0 "$EVERETT" check --compile-commands other other/odd.c
hasnot err 'entries'
[ -z "$(find . -name 'o.*')" ] || fail "outputs of the project were written"
run 0 "$EVERETT" check -v --compile-commands other other/odd.c
has err "^everett: 'other/compile_commands.json' has 2 entries for 'other/odd.c': using the first$"
ln -s odd.c other/link.c
run 0 "$EVERETT" check --compile-commands other other/link.c

# Quotes as a shell has them.
mkdir quotes
cat >quotes/q.c <<'END'
#include <assert.h>
#include <string.h>
int main(void) { assert(!strcmp(A, "it's") && !strcmp(B, "a\\d") && C == 1 && !strcmp(D, "")); return 0; }
END
cat >quotes/compile_commands.json <<'END'
[{"directory": ".", "file": "q.c", "command":
  "cc '-DA=\"it'\\''s\"' \"-DB=\\\"a\\\\\\d\\\"\" -D\\C=1  -DD=\\\"\\\" -c q.c"}]
END
run 0 "$EVERETT" check --compile-commands quotes quotes/q.c

# Mistakes, each told in one line.
run 2 "$EVERETT" check --compile-commands nowhere project/main.c; one_line; has err "cannot open 'nowhere': No such file"
run 2 "$EVERETT" check --compile-commands project project/main.c; one_line
has err "cannot open 'project/compile_commands.json': No such file"
run 2 "$EVERETT" check --compile-commands build "${both[@]}" other/odd.c; one_line
has err "'build/compile_commands.json' has no entry for 'other/odd.c'"
bad() { # JSON MESSAGE
	mkdir -p bad
	printf '%s' "$1" >bad/compile_commands.json
	run 2 "$EVERETT" check --compile-commands bad project/main.c
	one_line
	has err "$2"
}
bad '[{]' "'bad/compile_commands.json' is not JSON: line 1"
bad '' "is not JSON"
bad '{"a": 1}' "not a compilation database: not an array"
bad '[]' "has no entry for 'project/main.c'"
bad '[{"directory": "/", "file": "x.c", "command": "cc"}, {"file": "x.c", "command": "cc"}]' "entry 2 lacks"
bad '[{"directory": "/", "file": "x.c"}]' "entry 1 lacks"
bad '[{"directory": "/", "file": "x.c", "arguments": ["cc", 3]}]' "entry 1 lacks"
run 2 "$EVERETT" run --compile-commands build ./checker; has err "option '--compile-commands' is not for 'everett run'"
finish
