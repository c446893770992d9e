# What run.sh and weaken.sh share: the libraries' sources, and libraries that are built. $everett is the driver, $work the folder in which they are, `fail`
# says and counts what is wrong.
sources=$work/sources
cc="$everett cc"
. ./libraries.sh
declare -A state=()

# library NAME: built, unless it is there from an earlier time and Everett has not changed since.
library() {
	[ -z "${state[$1]:-}" ] || { [ "${state[$1]}" = built ] && return || return 1; }
	local folder=$work/$1
	state[$1]=failed
	if [ ! "$folder/.built" -nt "$everett" ] || [ ! "$folder/.built" -nt libraries.sh ]; then
		rm -rf "$folder" && mkdir -p "$folder" || return 1
		if ! (cd "$folder" && "build_$1") >"$work/$1.log" 2>&1; then
			tail -n 20 "$work/$1.log" | sed 's/^/    /'
			fail "$1 does not build; see $work/$1.log"
			return 1
		fi
		touch "$folder/.built"
	fi
	state[$1]=built
}

trim() {
	local -n variable=$1
	read -r variable <<<"$variable"
}

mkdir -p "$work"
if ! ../../tools/fetch-source.sh "$sources" "${packages[@]}" >"$work/fetch.log" 2>&1; then
	tail -n 5 "$work/fetch.log"
	echo "check-real: needs the sources of ${packages[*]}"
	echo "0 passed, 1 failed"
	exit 1
fi
