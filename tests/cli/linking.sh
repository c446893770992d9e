#!/bin/bash
# The linker is run as clang would run it, without a clang in between; and by clang where its answer is of no use.
. "$(dirname "$0")/lib.bash"

printf 'int g(void);\nint main(void) { return g(); }\n' >main.c
printf '#include <math.h>\nvolatile double x = 2;\nint g(void) { return pow(x, 2) != 4; }\n' >g.c
printf 'extern "C" int g(void);\nstruct s { int n; s() : n(2) {} ~s() {} } object;\nint main() { return g() || object.n != 2; }\n' >main.cc
real=$("$EVERETT" cc -print-prog-name=clang 2>/dev/null)
[ -x "$real" ] || real=$(command -v clang-19 clang | head -n 1)

# clang that notes how it was called, and answers the question as $answer says.
cat >clang <<END
#!/bin/bash
printf '%s ' "\$@" >>calls; echo >>calls
[[ " \$* " != *' -### '* ]] || case \$answer in
fail) exit 1 ;;
nothing) echo 'clang version 1' >&2; exit 0 ;;
two) exec 2> >(sed 's/^ "/ "true"\n "/' >&2) ;;
silent) exec 2>/dev/null ;;
esac
exec "$real" "\$@"
END
chmod +x clang

# links ANSWER CALLS: that clang was called so often without -###
links()
{
	rm -f calls checker
	answer=$1 EVERETT_CLANG=$PWD/clang run 0 "$EVERETT" check -q -m sc --keep checker main.c g.c -lm
	[ "$(grep -c -e '-###' calls)" = 1 ] || fail "$1: not asked once"
	[ "$(grep -vc -e '-###' calls)" = "$2" ] || fail "$1: $(cat calls)"
	run 0 "$EVERETT" run -q -m sc checker
}
links right 2
links fail 3
links nothing 3
links two 3
links silent 3

# Both ways make the same checker; what is linked in is up to the user.
EVERETT_CLANG=$PWD/clang answer=right run 0 "$EVERETT" cc main.c g.c -lm -o one
EVERETT_CLANG=$PWD/clang answer=fail run 0 "$EVERETT" cc main.c g.c -lm -o other
for checker in one other; do
	readelf -dW $checker | grep -v 0x >$checker.dynamic
	nm -D $checker | cut -c18- | sort >$checker.symbols
done
diff one.dynamic other.dynamic >out || fail "dynamic sections: $(cat out)"
diff one.symbols other.symbols >out || fail "symbols: $(cat out)"
[ -s one.symbols ] || fail "no symbols"
run 0 "$EVERETT" check -q -m sc main.cc g.c
mkdir 'a "$b" \c'
cp g.c 'a "$b" \c/it'"'"'s g.c'
run 0 "$EVERETT" cc main.c 'a "$b" \c/it'"'"'s g.c' -lm -o 'a "$b" \c/check er'
run 0 "$EVERETT" run -q -m sc 'a "$b" \c/check er'

# Words for the linker reach it, and what it says reaches the user.
run 0 "$EVERETT" cc main.c g.c -lm -Wl,-Map=map,--defsym=extra=1 -o prog; has map 'extra'
run 2 "$EVERETT" cc main.c -o nothing; has err 'undefined reference to .g' 'linking failed'; hasnot err 'linker command failed'
[ ! -e nothing ] || fail "an executable of a failed link"
run 2 "$EVERETT" cc main.c g.c -lno_such_library -o nothing; has err 'no_such_library' 'linking failed'
run 2 "$EVERETT" cc main.c g.c -fuse-ld=no_such_linker -o nothing; has err 'no_such_linker'
printf 'int g(void) { return }\n' >g.c
run 2 "$EVERETT" cc main.c g.c -o nothing; has err 'g.c:1'; hasnot err 'linking failed'
finish
