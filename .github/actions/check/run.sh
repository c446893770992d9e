#!/bin/bash
# The steps of the action: run.sh key|install|check. The runner says by GITHUB_OUTPUT where outputs go.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$here/../../.." && pwd)
output=${GITHUB_OUTPUT:-/dev/stdout}

# What the package depends on: the sources, and the system that it is made for.
key() {
	local sources system
	sources=$(cd "$top" && find Makefile include src share tools docs examples -type f | LC_ALL=C sort | xargs sha256sum | sha256sum)
	# shellcheck disable=SC1091
	system=$(. /etc/os-release && echo "$ID-$VERSION_ID")
	echo "key=everett-$system-$(uname -m)-${sources:0:16}" >>"$output"
	echo "cache=${RUNNER_TOOL_CACHE:-$HOME/.cache}/everett" >>"$output"
}

as_root() {
	if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi
}

install() {
	local cache=${EVERETT_CACHE:?where packages are kept}
	if ! compgen -G "$cache/everett_*.deb" >/dev/null; then
		as_root apt-get update
		as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends make git
		"$top/tools/packages.sh" build
		mkdir -p "$cache"
		make -C "$top" deb DEBDIR="$cache"
	else
		as_root apt-get update
	fi
	as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "$cache"/everett_*.deb
	everett --version
}

check() {
	local status=0
	# shellcheck disable=SC2086 # words
	everett "$COMMAND" $OPTIONS --json "$REPORT.json" --sarif "$REPORT.sarif" $FILES || status=$?
	echo "status=$status" >>"$output"
	return $status
}

case ${1-} in
key | install | check) "$1" ;;
*)
	echo "usage: run.sh key|install|check" >&2
	exit 2
	;;
esac
