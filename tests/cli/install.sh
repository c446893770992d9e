# An installed Everett works from where it was put, without the tree it was built in.
set -eu
eval "make -C '$TOP' ${MAKE_CONFIGURATION:?set by make check} install PREFIX=/opt/everett DESTDIR='$PWD/root'"
test "$(cd root/opt/everett && find . -type f | grep -v share/doc | sort | tr '\n' ' ')" = \
	"./bin/everett ./include/everett.h ./lib/everett/everett-gdb.py ./lib/everett/libeverett.a "
test -s root/opt/everett/share/doc/everett/LICENSE
cp "$TOP/examples/sb.c" .
sed -i '1i #include <everett.h>' sb.c
root/opt/everett/bin/everett check -e none sb.c
