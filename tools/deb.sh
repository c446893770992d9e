#!/bin/bash
# Make a Debian package of what was built: tools/deb.sh BUILD VERSION LLVM_VERSION DIR [dpkg-deb's options]
#
# The package, DIR/everett_VERSION_ARCH.deb, is for the Debian release it is made on. If everett-mpi was built, there is another package with that. DEBFULLNAME and DEBEMAIL name who
# maintains it.
set -eu
build=$1 version=$2 llvm=$3 dir=$4
shift 4
top=$(cd "$(dirname "$0")/.." && pwd)
arch=$(dpkg --print-architecture)
maintainer="${DEBFULLNAME:-The Everett authors} <${DEBEMAIL:-everett@users.noreply.example.org}>"
# The same sources make the same package.
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git -C "$top" log -1 --format=%ct 2>/dev/null || stat -c %Y "$top/Makefile")}
export SOURCE_DATE_EPOCH
umask 022
work=$(mktemp -d)
root=$work/everett mpi=$work/everett-mpi
trap 'rm -rf "$work"' EXIT
mkdir "$root"
doc=$root/usr/share/doc/everett

ZSH_COMPLETIONS=share/zsh/vendor-completions "$top/tools/install.sh" install "$build" "$version" /usr "$root"
strip --remove-section=.comment --remove-section=.note "$root/usr/bin/everett"
rm "$doc/LICENSE"
if [ -e "$root/usr/bin/everett-mpi" ]; then
	mkdir -p "$mpi/usr/bin" "$mpi/usr/share/man/man1" "$mpi/usr/share/doc"
	strip --remove-section=.comment --remove-section=.note -o "$mpi/usr/bin/everett-mpi" "$root/usr/bin/everett-mpi"
	gzip -9n <"$root/usr/share/man/man1/everett-mpi.1" >"$mpi/usr/share/man/man1/everett-mpi.1.gz"
	ln -s everett "$mpi/usr/share/doc/everett-mpi"
	rm "$root/usr/bin/everett-mpi" "$root/usr/share/man/man1/everett-mpi.1"
fi
sed "s/@LLVM@/$llvm/" "$top/share/debian/copyright" >"$doc/copyright"
install -D -m 644 "$top/share/debian/lintian-overrides" "$root/usr/share/lintian/overrides/everett"
cat >"$doc/changelog" <<END
everett ($version) unstable; urgency=medium

  * Version $version.

 -- $maintainer  $(date -u -R -d "@$SOURCE_DATE_EPOCH")
END
gzip -9n "$doc/changelog" "$root"/usr/share/man/man1/*[!+].1
rm "$root/usr/share/man/man1/everett-c++.1"
ln -s everett-cc.1.gz "$root/usr/share/man/man1/everett-c++.1.gz"

# The packages of the libraries that the driver is linked with; of the C library also the version.
libraries() { # PROGRAM
	local name
	while read -r name; do
		dpkg-query -S "*/$name" 2>/dev/null | grep -v '^diversion' | sed -n "s|:$arch: .*||p" | head -n 1
	done < <(readelf -d "$1" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p') | sort -u
}
depends_of() { # PROGRAM
	local package glibc
	glibc=$(readelf -V "$1" | grep -o 'GLIBC_[0-9.]*' | sort -V | tail -n 1)
	for package in $(libraries "$1"); do
		[ "$package" = libc6 ] && package="libc6 (>= ${glibc#GLIBC_})"
		printf ', %s' "$package"
	done
}
# clang compiles and links; it brings binutils and the headers of the C library.
depends="clang-$llvm, libc6-dev$(depends_of "$root/usr/bin/everett")"

mkdir "$root/DEBIAN"
cat >"$root/DEBIAN/control" <<END
Package: everett
Version: $version
Architecture: $arch
Maintainer: $maintainer
Installed-Size: $(du -k -s --apparent-size "$root" | cut -f 1)
Depends: $depends
Recommends: gdb
Section: devel
Priority: optional
Description: model checker for concurrent C programs
 Everett runs a concurrent C program in every way that its memory model
 allows, natively, and shows the execution in which it breaks: failed
 assertions, wrong accesses to memory, deadlocks, data races.
 .
 Threads are those of POSIX and of C11; the memory models are SC, TSO, PSO,
 release-acquire and RC11. "everett cc" is a drop-in compiler whose executables
 check themselves; there are modules for CMake and Meson.
END
# Sums, times and the package of what is in a folder.
pack() { # NAME FOLDER [OPTIONS]
	local package=$dir/$1_${version}_$arch.deb
	(cd "$2" && find usr -type f -print0 | sort -z | xargs -0 md5sum) >"$2/DEBIAN/md5sums"
	find "$2" -newermt "@$SOURCE_DATE_EPOCH" -print0 | xargs -0 touch -h -d "@$SOURCE_DATE_EPOCH"
	dpkg-deb --root-owner-group -Zxz "${@:3}" --build "$2" "$package.new" >/dev/null
	mv "$package.new" "$package"
	echo "$package"
}
pack everett "$root" "$@"
[ -e "$mpi" ] || exit 0

mkdir "$mpi/DEBIAN"
cat >"$mpi/DEBIAN/control" <<END
Package: everett-mpi
Version: $version
Architecture: $arch
Maintainer: $maintainer
Installed-Size: $(du -k -s --apparent-size "$mpi" | cut -f 1)
Depends: everett (= $version)$(depends_of "$mpi/usr/bin/everett-mpi")
Recommends: openmpi-bin
Section: devel
Priority: optional
Description: model checker for concurrent C programs, on many machines
 Everett runs a concurrent C program in every way that its memory model
 allows. This program divides such a search among the ranks of an MPI job.
END
pack everett-mpi "$mpi" "$@"
