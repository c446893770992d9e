#!/bin/bash
# Get the source of Lua 5.4 as Debian packages it, and unpack it: tools/fetch-lua.sh FOLDER. Prints where it is.
# apt is asked with settings and lists of its own in FOLDER, so that the machine's are not changed; the mirror is the one
# that the machine uses.
set -u
[ $# = 1 ] || {
	echo "usage: fetch-lua.sh FOLDER" >&2
	exit 2
}
mkdir -p "$1" && cd "$1" || exit 1

unpacked() {
	ls -d "$PWD"/lua-5.4*/ 2>/dev/null | head -n 1
}

# The machine's Debian archives, from either kind of file, as archives of sources.
archives() {
	cat /etc/apt/sources.list /etc/apt/sources.list.d/*.list 2>/dev/null |
		sed -nE 's,^deb( \[[^]]*\])? +([^ ]+/(debian|ubuntu)/?) ,deb-src\1 \2 ,p'
	awk -v RS= '{
		uri = suites = components = key = ""
		n = split($0, lines, "\n")
		for (i = 1; i <= n; i++) {
			value = lines[i]
			sub(/^[^:]*: */, "", value)
			if (lines[i] ~ /^URIs:/) uri = value
			if (lines[i] ~ /^Suites:/) suites = value
			if (lines[i] ~ /^Components:/) components = value
			if (lines[i] ~ /^Signed-By: *\//) key = "[signed-by=" value "] "
		}
		if (uri !~ /\/(debian|ubuntu)\/?$/) next
		n = split(suites, suite, " ")
		for (i = 1; i <= n; i++) print "deb-src " key uri " " suite[i] " " components
	}' /etc/apt/sources.list.d/*.sources 2>/dev/null
}

private_apt() {
	apt-get -qq -o Dir::Etc::SourceList="$PWD/sources.list" -o Dir::Etc::SourceParts=/dev/null -o Dir::State::Lists="$PWD/lists" \
		-o Dir::Cache="$PWD/cache" -o APT::Sandbox::User="$(id -un)" -o Acquire::Languages=none -o Acquire::Retries=2 "$@"
}

if [ -z "$(unpacked)" ]; then
	mkdir -p lists/partial cache
	archives >sources.list
	private_apt update >&2 && private_apt --download-only --tar-only source lua5.4 >&2 && tar xf lua5.4_*.orig.tar.* || exit 1
	rm -rf lists cache
fi
unpacked
