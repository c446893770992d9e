# An installed Everett works from where it was put, without the tree it was built in, and goes away again.
set -eu
installation() {
	eval "make -s -C '$TOP' ${MAKE_CONFIGURATION:?set by make check} $1 PREFIX=/opt/everett DESTDIR='$PWD/installed'"
}
installation install
cat >expected <<'END'
./bin/everett
./bin/everett-c++
./bin/everett-cc
./include/everett.h
./lib/everett/everett-gdb.py
./lib/everett/libeverett.a
./share/bash-completion/completions/everett
./share/cmake/Everett/EverettConfig.cmake
./share/cmake/Everett/EverettConfigVersion.cmake
./share/cmake/Everett/launch.sh
./share/everett/vscode/tasks.json
./share/fish/vendor_completions.d/everett.fish
./share/man/man1/everett-c++.1
./share/man/man1/everett-cc.1
./share/man/man1/everett-check.1
./share/man/man1/everett-merge.1
./share/man/man1/everett-orders.1
./share/man/man1/everett-predict.1
./share/man/man1/everett-replay.1
./share/man/man1/everett-report.1
./share/man/man1/everett-resume.1
./share/man/man1/everett-robust.1
./share/man/man1/everett-run.1
./share/man/man1/everett-sample.1
./share/man/man1/everett-split.1
./share/man/man1/everett.1
./share/meson/native/everett.ini
./share/pkgconfig/everett.pc
./share/zsh/site-functions/_everett
END
# And what needs MPI, if it was built.
[ ! -x "${EVERETT%/*}/everett-mpi" ] || printf '%s\n' ./bin/everett-mpi ./share/man/man1/everett-mpi.1 >>expected
sort -o expected expected
(cd installed/opt/everett && find . -not -type d | grep -v share/doc/ | sort) | diff expected -
for file in LICENSE README.md report.schema.json programs.md engines/rf.md examples/sb.c; do
	test -s "installed/opt/everett/share/doc/everett/$file"
done
cp "$TOP/examples/sb.c" .
sed -i '1i #include <everett.h>' sb.c
installed/opt/everett/bin/everett check -m sc -e none sb.c
installed/opt/everett/bin/everett-cc sb.c -o sb
EVERETT_OPTIONS="-m sc" ./sb

# pkg-config knows where things are, and the header is found by another compiler.
pc() {
	PKG_CONFIG_PATH=installed/opt/everett/share/pkgconfig pkg-config --define-variable=prefix="$PWD/installed/opt/everett" "$@" everett
}
test "$(PKG_CONFIG_PATH=installed/opt/everett/share/pkgconfig pkg-config --variable=prefix everett)" = /opt/everett
test "everett $(pc --modversion)" = "$("$EVERETT" --version | sed 's/ (.*//')"
gcc $(pc --cflags) -fsyntax-only sb.c
"$(pc --variable=compiler)" sb.c -o sb
"$(pc --variable=everett)" run -q -m sc sb

# What somebody has left among the examples, as the tutorial does, is not installed.
mkdir tree
cp -r "$TOP"/{README.md,LICENSE,docs,examples,include,share,tools} tree
(cd tree/examples/tutorial && touch report.json orders.json report.html queue_5 queue_5.o && mkdir build-everett && touch build-everett/x.c)
tree/tools/install.sh install "${EVERETT%/*}" 0 /opt/everett "$PWD/clean"
(cd installed/opt/everett/share/doc && find . | sort) >expected
(cd clean/opt/everett/share/doc && find . | sort) | diff expected -

installation uninstall
test -z "$(find installed -not -type d)"
test ! -e installed/opt/everett/share/doc/everett
