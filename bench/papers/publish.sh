#!/usr/bin/env bash
# The last run of figures.sh as docs/results.md, with its plots: bench/papers/publish.sh
set -eu
out=$(realpath "${OUT:-build/bench-papers}")
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
# rows: of the file `figures`, and those that came out.
rows() {
	awk -F'|' '/^[^#@*]/ { sub(/ *$/, "", $1); print $1 }' bench/papers/figures | sort -u
}
if [ ! -f "$out/rows" ] || cut -f 13 "$out/rows" | grep -qF -e '!' -e '.' || [ "$(rows)" != "$(cut -f 3 "$out/rows" | sort -u)" ]; then
	echo "the last run was not of everything, or something is wrong: make bench-papers BENCH=full" >&2
	exit 1
fi
rm -rf docs/results
# The last sections come from elsewhere: bench/workers.sh and bench/scale, and make orders-table.
others=$(sed -n '/^## More workers/,$p' docs/results.md)
{
	cat "$out/papers.md"
	[ -z "$others" ] || printf '\n%s\n' "$others"
} >docs/results.md
[ ! -d "$out/results" ] || cp -r "$out/results" docs/results
tools/wrap.py docs/results.md
echo "docs/results.md is written"
