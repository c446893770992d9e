# A Meson project, built with the native file of an installed Everett: its checks pass, and find the bug of the other variant.
set -eu
command -v meson >/dev/null || {
	echo "meson is not installed"
	exit 77
}
eval "make -s -C '$TOP' ${MAKE_CONFIGURATION:?set by make check} install PREFIX='$PWD/everett'"
cp -r "$TOP/examples/meson-project" source

# By its name, as if /usr/share were below the prefix, and by its path.
XDG_DATA_DIRS=$PWD/everett/share meson setup --native-file everett.ini good source
ninja -C good
meson test -C good -v >good.log
grep -Eq 'Ok: +3' good.log
grep -q 'everett: ra/rf: ok, .* complete' good.log

meson setup --native-file everett/share/meson/native/everett.ini -Dbug=true bad source
ninja -C bad
! meson test -C bad -v >bad.log || exit 1
# Nothing orders the two accesses to the letter any more, which is a race; the other two models look for none.
grep -Eq 'Ok: +2' bad.log
grep -Eq 'Fail: +1' bad.log
grep -q 'everett: ra/rf: FINDING race at .*mailbox.c' bad.log

# Any other compiler runs it once.
meson setup other source
ninja -C other
meson test -C other -v >other.log
grep -Eq 'Ok: +1' other.log

# Its compilation database is one, too.
"$EVERETT" check -m ra --compile-commands good source/main.c source/mailbox.c
