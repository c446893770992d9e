# The Debian package: what it says of itself, and that it works from wherever it is unpacked. `make check-deb` installs it.
set -eu
command -v dpkg-deb >/dev/null || {
	echo "dpkg-deb is not installed"
	exit 77
}
eval "make -s -C '$TOP' ${MAKE_CONFIGURATION:?set by make check} deb DEBDIR='$PWD' DEBFLAGS='-Zgzip -z1'"
version=$("$EVERETT" --version | sed 's/everett \([^ ]*\) .*/\1/')
deb=everett_${version}_$(dpkg --print-architecture).deb
test -s "$deb"

field() {
	dpkg-deb -f "$deb" "$1"
}
test "$(field Package)" = everett
test "$(field Version)" = "$version"
test "$(field Architecture)" = "$(dpkg --print-architecture)"
field Depends | grep -q 'clang-[0-9]*, libc6-dev, libc6 (>= 2\.'
# Every library that the driver is linked with comes with a package that it depends on.
readelf -d "$EVERETT" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' >needed
test "$(wc -l <needed)" -ge 3
while read -r name; do
	package=$(dpkg-query -S "*/$name" | sed -n "s/:$(dpkg --print-architecture): .*//p" | head -n 1)
	field Depends | tr -d , | tr ' ' '\n' | grep -qx "$package" || {
		echo "$name of '$package' is in no package of: $(field Depends)"
		exit 1
	}
done <needed

# What needs MPI is a package of its own.
if [ -x "${EVERETT%/*}/everett-mpi" ]; then
	mpi=everett-mpi_${version}_$(dpkg --print-architecture).deb
	dpkg-deb -f "$mpi" Depends | grep -q "^everett (= $version), .*libopenmpi3"
	field Depends | grep openmpi && exit 1
	dpkg-deb -x "$mpi" mpi-root
	test "$(mpi-root/usr/bin/everett-mpi --version)" = "everett-mpi $version"
	gzip -dc mpi-root/usr/share/man/man1/everett-mpi.1.gz | grep -q 'EVERETT.-MPI'
fi

dpkg-deb -x "$deb" root
test ! -e root/usr/bin/everett-mpi
test -s root/usr/share/doc/everett/copyright
gzip -dc root/usr/share/man/man1/everett-check.1.gz | grep -q 'EVERETT.-CHECK'
gzip -dc root/usr/share/man/man1/everett-c++.1.gz | grep -q 'EVERETT.-CC'
dpkg-deb -c "$deb" | awk '$2 != "root/root" { print; bad = 1 } END { exit bad }'
test -z "$(find root -not -type l -perm /022)"
grep -rlI -e "$TOP" -e "$PWD" root && exit 1
(cd root && mkdir ../control && dpkg-deb -e "../$deb" ../control && md5sum --quiet -c ../control/md5sums)

# Its own archive, not the one of the build, and stripped, still tells what happened and where.
status=0
root/usr/bin/everett check -m sc,tso --json sb.json "$TOP/examples/sb.c" || status=$?
test $status = 1
jq -e '.results[0].verdict == "ok" and .results[1].findings[0].line == 31' sb.json
jq -e '[.results[1].findings[0].events[].location] | index("x") and index("y")' sb.json
mv root/usr/lib/everett moved
! root/usr/bin/everett check -q "$TOP/examples/sb.c" 2>err || exit 1
grep -q "cannot find 'libeverett.a'" err
