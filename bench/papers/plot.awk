# Commands for gnuplot, from the rows that figures.sh has measured: awk -v out=FOLDER -f plot.awk ROWS
#
# FOLDER/FAMILY.svg: executions and time against the size, for each program of which there are three sizes or more and that is not tiny; the papers' tools and
# Everett's engines are lines. FOLDER/scatter-A-B.svg: one engine against another, a point for each program and size that both have run.

BEGIN {
	FS = "\t"
	colour["sc/traces"] = "#0072B2"
	colour["sc/rf"] = "#D55E00"
	colour["ra/rf"] = "#882255"
	colour["sc/rvf"] = "#009E73"
	other["CDSChecker"] = other["DC-DPOR"] = "#999999"
	other["RCMC"] = "#8C6D31"
	other["observers"] = "#E69F00"
	other["VC-DPOR"] = "#56B4E9"
}

# A count of the paper: "362880", "9*" (until the error).
function is_count(text) {
	return text ~ /^[0-9]+\*?$/
}

function add(series, tint, dashes, n, value, seconds) {
	if (!((family, series) in index_of)) {
		index_of[family, series] = ++series_of[family]
		name[family, series_of[family]] = series
		style[family, series_of[family]] = (dashes ? "dt 2 lw 1.5 pt 6 ps 0.9" : "lw 2 pt 7 ps 0.5") " lc rgb \"" tint "\""
		dashed[family, series_of[family]] = dashes
	}
	s = index_of[family, series]
	if (value > 0 && !((family, s, n) in seen)) {
		seen[family, s, n] = 1
		counts[family, s] = counts[family, s] n " " value + 0 "\n"
		if (seconds > 0)
			times[family, s] = times[family, s] n " " seconds "\n"
	}
}

# The other tools: "CDSChecker 1279, RCMC t/o, DC-DPOR 23 (0.87 s)".
function add_others(n, list, words, i, m) {
	m = split($7, list, ", ")
	for (i = 1; i <= m; i++) {
		split(list[i], words, " ")
		if (is_count(words[2]) && words[1] in other)
			add(words[1], other[words[1]], 1, n, words[2], substr(words[3], 2))
	}
}

{
	if ($11 > 0 && $12 > 0 && $10 ~ /^[0-9]+(\+[0-9]+)?$/ && $9 !~ /predict/) {
		program[$8] = 1
		classes[$8, $9] = $11
		cpu[$8, $9] = $12
	}
}

match($3, /\([0-9]+\)/) && $5 ~ /^[0-9]+$/ {
	n = substr($3, RSTART + 1, RLENGTH - 2)
	family = $3
	sub(/\([0-9]+\)/, "", family)
	if (!((family, n) in size)) {
		size[family, n] = 1
		if (!sizes[family]++)
			families[++nfamilies] = family
		first[family] = first[family] == "" || n + 0 < first[family] ? n + 0 : first[family]
		last[family] = n + 0 > last[family] ? n + 0 : last[family]
		labels[family] = labels[family] (labels[family] == "" ? "" : ", ") n
		# On a logarithmic axis neighbours would be on top of each other.
		if (n + 0 >= 1.4 * labelled[family]) {
			sparse[family] = sparse[family] (sparse[family] == "" ? "" : ", ") n
			labelled[family] = n + 0
		} else {
			sparse[family] = sparse[family] ", \"\" " n
		}
		source[family] = $1
	}
	# In the order of the legend: ours first.
	add("Everett " $9, colour[$9], 0, n, $11, $12)
	most[family] = $11 > most[family] + 0 ? $11 : most[family]
	add($4, colour[$9], 1, n, $5, $6)
	add_others(n)
}

function file_name(text) {
	text = source[text] "-" text
	gsub(/[^A-Za-z0-9]+/, "-", text)
	return text
}

function block(label, data) {
	printf "$%s << END\n%sEND\n", label, data
}

# A line of a panel; where there is no data only the legend gets an entry.
function line(f, i, source, there, legend, text) {
	if (!there && !legend)
		return ""
	text = ", " (there ? source : "keyentry") " with linespoints " style[f, i]
	return text (legend ? " title \"" name[f, i] "\"" : " notitle")
}

function lines(f, prefix, data, legend, i, text, pass) {
	# Ours first.
	for (pass = 0; pass <= 1; pass++)
		for (i = 1; i <= series_of[f]; i++)
			if (dashed[f, i] == pass)
				text = text line(f, i, "$" prefix i, (f, i) in data, legend)
	return substr(text, 3)
}

function panel(left, right, title) {
	printf "set lmargin at screen %s; set rmargin at screen %s; set tmargin at screen 0.83; set bmargin at screen 0.16\n", left, right
	printf "set title \"%s\" offset 0,-0.6\n", title
}

function start(file) {
	print "reset"
	print "set grid noxtics ytics lc rgb \"#dddddd\" lw 0.5; set tics nomirror; set border 3; unset key; set samples 2; set mytics 1; set mxtics 1"
	printf "set format y \"10^{%%T}\"; set output \"%s/%s.svg\"; set multiplot\n", out, file
}

function draw_family(f, i) {
	start(file_name(f))
	for (i = 1; i <= series_of[f]; i++) {
		if ((f, i) in counts)
			block("count" i, counts[f, i])
		if ((f, i) in times)
			block("time" i, times[f, i])
	}
	printf "set label 1 \"%s\" at screen 0.02,0.94 left font \",15\" noenhanced\n", f " (paper " source[f] ")"
	print "set xlabel \"size\""
	if (last[f] > 10 * first[f])
		printf "set logscale x; set xtics (%s); set xrange [%g:%g]\n", sparse[f], first[f] / 1.5, last[f] * 1.5
	else
		printf "set xtics (%s); set xrange [%g:%g]\n", labels[f], first[f] - 0.3, last[f] + 0.3
	print "set logscale y"
	panel(0.09, 0.40, "executions")
	print "unset key; plot " lines(f, "count", counts, 0)
	print "unset label 1"
	panel(0.51, 0.80, "seconds")
	print "set key at screen 0.81,0.83 left top Left reverse noenhanced samplen 3 spacing 1.2"
	print "plot " lines(f, "time", times, 1)
	print "unset multiplot"
}

function scatter_panel(left, right, title, data, a, b, p, low, high, text) {
	for (p in program) {
		if (!((p, a) in data) || !((p, b) in data))
			continue
		text = text data[p, a] " " data[p, b] "\n"
		low = low == "" || data[p, a] < low ? data[p, a] : low
		low = data[p, b] < low ? data[p, b] : low
		high = data[p, a] > high ? data[p, a] : high
		high = data[p, b] > high ? data[p, b] : high
	}
	block("points", text)
	panel(left, right, title)
	printf "set xrange [%g:%g]; set yrange [%g:%g]\n", low / 2, high * 2, low / 2, high * 2
	printf "plot x with lines lc rgb \"#999999\" dt 2 notitle, $points with points pt 7 ps 0.6 lc rgb \"%s\" notitle\n", colour[b]
}

function draw_scatter(a, b, file, p, points) {
	for (p in program)
		if (((p, a) in classes) && ((p, b) in classes))
			points++
	if (!points)
		return
	file = a "-" b
	gsub(/\//, "-", file)
	start("scatter-" file)
	print "set logscale xy; set format x \"10^{%T}\""
	printf "set label 1 \"%s against %s, a point for each program and size\" at screen 0.02,0.94 left font \",15\"\n", b, a
	printf "set xlabel \"%s\"; set ylabel \"%s\" offset 1\n", a, b
	scatter_panel(0.10, 0.46, "executions", classes, a, b)
	print "unset label 1"
	scatter_panel(0.60, 0.96, "CPU seconds", cpu, a, b)
	print "unset multiplot"
}

END {
	print "set terminal svg size 850,340 font \"sans-serif,12\" background rgb \"white\""
	for (i = 1; i <= nfamilies; i++)
		if (sizes[families[i]] >= 3 && most[families[i]] >= 100)
			draw_family(families[i])
	draw_scatter("sc/traces", "sc/rf")
	draw_scatter("sc/rf", "sc/rvf")
}
