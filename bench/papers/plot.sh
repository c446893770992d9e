#!/usr/bin/env bash
# Plots of what figures.sh has measured, into OUT/results: bench/papers/plot.sh OUT
set -u
export LC_ALL=C
out=$1
cd "$(dirname "${BASH_SOURCE[0]}")" || exit 1
rm -rf "$out/results"
if ! command -v gnuplot >/dev/null; then
	echo "gnuplot is not there: no plots"
	exit 0
fi
mkdir "$out/results"

# Three quarters of what gnuplot writes is empty groups, defaults, repetitions, and points and filters that are not used.
slim() {
	sed -z -i -E -e 's/<!--[^>]*-->|<desc>[^<]*<\/desc>//g; s/[ \t\n]+/ /g; s/> </></g' \
		-e 's/ (stroke-linecap="butt" stroke-linejoin="miter"|class="gridline"|id="gnuplot[^"]*"|font-family="sans-serif"|font-size="12.00")//g' \
		-e "s/<svg/& font-family=\"sans-serif\" font-size=\"12\"/; s/<title>Gnuplot/<title>$2/; s/ stroke='black' / /g; s/'rgb\(221, 221, 221\)'/'#ddd'/g" \
		-e "s/<(path|circle|rect|use) [^>]*id='gp(Dot|Pt[0-4]|Pt[7-9]|Pt1[0-9])'[^>]*>//g; s/<filter.*<\/filter>//" \
		-e 's/color="black" stroke="currentColor" stroke-width="1.00"/stroke="black"/g; s/ color="(gray|black)" stroke="currentColor"//g' \
		-e 's/<tspan font-size="12.0" dy="6.00"><\/tspan>//g; s/<text><tspan ?> ?([^<]*)<\/tspan><\/text>/<text>\1<\/text>/g' \
		-e 's/([0-9]\.[0-9])[0-9]+/\1/g' -e ':again; s/<g[^>]*><\/g>//g; t again' -e 's/> ?<(g|path|text)/>\n<\1/g; s/ ?$/\n/' "$1"
}

awk -v out="$out/results" -f plot.awk "$out/rows" >"$out/plots.gnuplot"
gnuplot "$out/plots.gnuplot" || exit
for file in "$out"/results/*.svg; do
	[ ! -f "$file" ] || slim "$file" "$(basename "$file" .svg | tr - ' ')"
done
