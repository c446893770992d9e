#!/bin/bash
# Install what was built, or remove it: tools/install.sh install|uninstall BUILD VERSION PREFIX [DESTDIR]
set -eu
what=$1 build=$2 version=$3 prefix=$4 root=${5:-}
top=$(cd "$(dirname "$0")/.." && pwd)
[[ $prefix == /* ]] || {
	echo "install.sh: PREFIX must be an absolute path, not '$prefix'" >&2
	exit 1
}
zsh=${ZSH_COMPLETIONS:-share/zsh/site-functions}

filled=$(mktemp)
trap 'rm -f "$filled"' EXIT

put() { # MODE FILE TARGET, which is below the prefix
	local target=$root$prefix/$3
	if [ "$what" = install ]; then
		install -D -m "$1" "$2" "$target"
	else
		rm -f "$target"
	fi
}

# The same for a file in which the version and the prefix have to be written.
fill() { # FILE TARGET
	sed -e "s|@VERSION@|$version|g" -e "s|@PREFIX@|$prefix|g" "$1" >"$filled"
	put 644 "$filled" "$2"
}

link() { # TO NAME
	put 755 /dev/null "$2"
	[ "$what" = uninstall ] || ln -sf "$1" "$root$prefix/$2"
}

put 755 "$build/everett" bin/everett
link everett bin/everett-cc
link everett bin/everett-c++
# If it was built (make mpi).
if [ "$what" = uninstall ] || [ -x "$build/everett-mpi" ]; then
	put 755 "$build/everett-mpi" bin/everett-mpi
	fill "$top/share/mpi/everett-mpi.1" share/man/man1/everett-mpi.1
fi
put 644 "$build/libeverett.a" lib/everett/libeverett.a
put 644 "$build/everett-gdb.py" lib/everett/everett-gdb.py
put 644 "$top/include/everett.h" include/everett.h
for page in "$build"/share/man/*.1; do
	put 644 "$page" "share/man/man1/${page##*/}"
done
link everett-cc.1 share/man/man1/everett-c++.1
put 644 "$build/share/completion/everett.bash" share/bash-completion/completions/everett
put 644 "$build/share/completion/_everett" "$zsh/_everett"
put 644 "$build/share/completion/everett.fish" share/fish/vendor_completions.d/everett.fish
fill "$top/share/pkgconfig/everett.pc" share/pkgconfig/everett.pc
put 644 "$top/share/cmake/EverettConfig.cmake" share/cmake/Everett/EverettConfig.cmake
fill "$top/share/cmake/EverettConfigVersion.cmake" share/cmake/Everett/EverettConfigVersion.cmake
put 755 "$top/share/cmake/launch.sh" share/cmake/Everett/launch.sh
fill "$top/share/meson/everett.ini" share/meson/native/everett.ini
put 644 "$top/share/vscode/tasks.json" share/everett/vscode/tasks.json
put 644 "$top/LICENSE" share/doc/everett/LICENSE
# The documents and examples, and not what somebody has made of them: reports, checkers, folders of builds.
while IFS= read -r file; do
	put 644 "$top/$file" "share/doc/everett/${file#docs/}"
done < <(cd "$top" && find README.md docs examples -type d -name 'build*' -prune -o -type f \( -name '*.md' -o -name '*.[ch]' -o \
	-name '*.svg' -o -name '*.schema.json' -o -name Makefile -o -name CMakeLists.txt -o -name 'meson*' \) -print | sort)
[ "$what" = install ] || for folder in lib/everett share/cmake/Everett share/doc/everett share/everett; do
	[ ! -d "$root$prefix/$folder" ] || find "$root$prefix/$folder" -depth -type d -empty -delete
done
