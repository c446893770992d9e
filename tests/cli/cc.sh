#!/bin/bash
# `everett cc` in the place of a C compiler.
. "$(dirname "$0")/lib.bash"

printf '#include "h.h"\nint g(void);\nint main(void) { return g() + H; }\n' >main.c
printf '#include <stdio.h>\nint g(void) { puts("g"); return 0; }\n' >g.c
printf '#define H 0\n' >h.h
mkdir sub out.d

works()
{
	run 0 "$EVERETT" run --output - "$1"
	has out '^g$'
}

# Compile and link, at once and apart.
run 0 "$EVERETT" cc main.c g.c; works ./a.out; rm a.out
run 0 "$EVERETT" cc -c main.c; run 0 "$EVERETT" cc -c -o sub/g.o g.c
run 0 "$EVERETT" cc main.o sub/g.o -o prog; works ./prog
rm main.o
run 0 "$EVERETT" cc -c main.c g.c
[ -e main.o ] && [ -e g.o ] || fail "-c with two sources"
run 0 "$EVERETT" cc main.o g.c -oprog -O2 -flto -fsanitize=address -D_FORTIFY_SOURCE=2 -D _FORTIFY_SOURCE=3 -lm; works ./prog
[ -e a.out ] && fail "a.out from nowhere"
run 2 "$EVERETT" cc -c main.c g.c -o x.o
(cd sub && "$EVERETT" cc -I.. -c ../main.c && [ -e main.o ]) || fail "-c puts its object elsewhere"

# Archives, shared libraries, partial links, response files.
ar rc libg.a g.o
run 0 "$EVERETT" cc main.o -L. -lg -o prog; works ./prog
run 0 "$EVERETT" cc main.c libg.a -o prog; works ./prog
run 0 "$EVERETT" cc -shared -fPIC -Wl,-z,defs g.c -o sub/libg.so
nm sub/libg.so | grep -q ' T main$' && fail "the runtime is in the shared library"
run 0 "$EVERETT" cc main.c -Lsub -lg "-Wl,-rpath,$PWD/sub" -o prog; works ./prog
run 0 "$EVERETT" cc -r main.o g.o -o both.o
run 0 "$EVERETT" cc both.o -o prog; works ./prog
printf -- '-o prog\n"main.c" '"'g.c'"' -DX=\\"1\\"\n' >words
run 0 "$EVERETT" cc @words; works ./prog
run 2 "$EVERETT" cc @missing; has err "missing"

# Languages and assembly.
cp main.c main.txt
run 0 "$EVERETT" cc -x c main.txt -x none g.o -o prog; works ./prog
run 0 bash -c '"$0" cc -x c - -x none g.o -o prog <main.c' "$EVERETT"; works ./prog
run 0 "$EVERETT" cc -S main.c; has main.s 'main'
run 0 "$EVERETT" cc main.s g.c -o prog; works ./prog
printf 'extern "C" int g(void); struct S { int v; S() : v(g()) {} };\nint main() { S s; return s.v; }\n' >m.cpp
run 0 "$EVERETT" c++ m.cpp g.o -o prog; works ./prog
run 0 "$EVERETT" cc -include h.h -std=gnu11 -pthread -march=native -Xclang -fno-builtin main.c g.c -o prog; works ./prog

# Dependencies name the object.
deps() { # FILE TARGET
	[ -e "$1" ] || { fail "$last: no $1"; return; }
	has "$1" "^$2:" 'main.c' 'h.h'
	rm -f "$1"
}
run 0 "$EVERETT" cc -MMD -c main.c; deps main.d main.o
run 0 "$EVERETT" cc -MD -c main.c -o sub/x.o; deps sub/x.d sub/x.o
run 0 "$EVERETT" cc -MD -MF out.d/y -c main.c -o sub/x.o; deps out.d/y sub/x.o
run 0 "$EVERETT" cc -MMD -MP -MT a.target -MFz.d -c main.c; deps z.d a.target
run 0 "$EVERETT" cc -Wp,-MMD,w.d -c main.c; deps w.d main.o
run 0 "$EVERETT" cc -MMD main.c g.o -o prog; deps prog.d prog
run 0 "$EVERETT" cc -M main.c; has out '^main.o:' 'h.h'
run 0 "$EVERETT" cc -MM -MT foo main.c; has out '^foo: main.c h.h'

# Clang's own answers.
run 0 "$EVERETT" cc -E main.c; has out 'return g() + 0'
run 0 bash -c 'echo __EVERETT__ | "$0" cc -E -xc -' "$EVERETT"; has out '^1$'
run 0 "$EVERETT" cc -fsyntax-only main.c
run 0 "$EVERETT" cc --version; has out 'clang version'
run 0 "$EVERETT" cc -dumpmachine; has out 'linux'
run 0 "$EVERETT" cc -dumpversion; has out '^[0-9.]*$'
run 0 "$EVERETT" cc -print-search-dirs; has out 'libraries'
run 0 "$EVERETT" cc -v; has err 'clang version'
run 1 "$EVERETT" cc; has err 'no input files'
run 2 "$EVERETT" cc -c -fno-such-option main.c; has err 'fno-such-option'
run 2 "$EVERETT" cc -c missing.c; has err 'missing.c'
run 0 "$EVERETT" cc -Wall -Wextra -O2 -g -pthread -L. -Wl,-s -c main.c; [ -s err ] && fail "warnings from nowhere: $(cat err)"

# Failures leave nothing.
printf 'int main(void) { return x; }\n' >err.c
rm -f err.o
run 2 "$EVERETT" cc -c err.c; has err "err.c:1:25: error: use of undeclared identifier 'x'"
[ -e err.o ] && fail "an object of a failed compilation"
run 2 "$EVERETT" cc g.c -o nothing; one_line; has err "no function 'main'"
[ -e nothing ] && fail "an executable of a failed link"
printf 'int h(void);\nint main(void) { return h(); }\n' >link.c
run 2 "$EVERETT" cc link.c -o nothing; has err 'undefined' 'linking failed'

# As a word of its own, for build systems that want one.
ln -s "$(readlink -f "$EVERETT")" everett-cc
run 0 ./everett-cc main.c g.c -o prog; works ./prog
finish
