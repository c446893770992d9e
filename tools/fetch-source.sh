#!/bin/bash
# Get sources as Debian packages them, and unpack them: tools/fetch-source.sh [--plain] FOLDER PACKAGE... Prints where each is.
# --plain: without Debian's patches, which needs no dpkg-source. What is there from an earlier time is not fetched again.
# apt is asked with settings and lists of its own in FOLDER, so that the machine's are not changed; the mirror is the one
# that the machine uses.
set -u
plain=
if [ "${1:-}" = --plain ]; then
	plain=1
	shift
fi
[ $# -ge 2 ] || {
	echo "usage: fetch-source.sh [--plain] FOLDER PACKAGE..." >&2
	exit 2
}
mkdir -p "$1" && cd "$1" || exit 1
shift

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
	apt-get -qq -o Dir::Etc::SourceList="$top/sources.list" -o Dir::Etc::SourceParts=/dev/null -o Dir::State::Lists="$top/lists" \
		-o Dir::Cache="$top/cache" -o APT::Sandbox::User="$(id -un)" -o Acquire::Languages=none -o Acquire::Retries=2 "$@"
}

# Once, when the first package is missing.
update() {
	[ ! -d lists ] || return 0
	mkdir -p lists/partial cache
	archives >sources.list
	private_apt update >&2
}

# fetch PACKAGE: into PACKAGE/, which appears when it is complete.
fetch() {
	rm -rf "$1.new" && mkdir "$1.new" && cd "$1.new" || return
	if [ -n "$plain" ]; then
		private_apt --download-only --tar-only source "$1" >&2 && mkdir source && tar xf ./*.orig.tar.* --strip-components=1 -C source
	else
		private_apt --download-only source "$1" >&2 && dpkg-source --no-check -x ./*.dsc source >&2
	fi && cd .. && mv "$1.new/source" "$1" && rm -rf "$1.new"
}

top=$PWD
rm -rf lists
for package; do
	if [ ! -d "$package" ]; then
		update && (fetch "$package") || {
			rm -rf "$package.new"
			echo "fetch-source.sh: cannot fetch the source of '$package' from the archives that apt uses on this machine" >&2
			exit 1
		}
	fi
	echo "$top/$package"
done
rm -rf lists cache
