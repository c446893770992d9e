# The rows that figures.sh has measured, as text (-v format=line: one row; heading: what stands above them), CSV or Markdown.
#
#   awk -v format=csv -f report.awk ROWS
#   awk -v format=md -f report.awk FIGURES ROWS        FIGURES has the notes
#
# A row, separated by tabs: paper, title of the table, row, tool, its value, its seconds, other tools, program, model/engine, our value, executions
# in all, seconds, mark, notes, complaint, other checkers.

BEGIN {
	FS = "\t"
	if (format == "heading") {
		printf "\n%s (paper %s)\n", title, paper
		printf "%-42s %-10s %12s %8s  %-11s %15s %9s %9s %8s\n", "", "paper's", "executions", "s", "Everett's", "executions", "CPU s",
			"us each", "speed-up"
		exit
	}
	if (format == "csv")
		print "paper,table,row,tool,value,seconds,other tools,program,model/engine,Everett's value,executions in all,CPU seconds," \
			"microseconds per execution,speed-up,mark,notes,complaint,other checkers"
}

# Three digits, without an exponent.
function digits(x) {
	if (x == "" || x == 0)
		return x
	if (x >= 100)
		return sprintf("%.0f", x)
	return x >= 10 ? sprintf("%.1f", x) : x >= 1 ? sprintf("%.2f", x) : x >= 0.1 ? sprintf("%.3f", x) : x >= 0.01 ? sprintf("%.4f", x) : \
		sprintf("%.2g", x) + 0 < 0.0001 ? sprintf("%.6f", x) : sprintf("%.5f", x)
}

# Of a few executions up to an error the start-up is most.
function each() {
	return $11 > 0 && $12 != "" && $10 !~ /^[0-9]*\*$/ ? $12 * 1e6 / $11 : ""
}

# How much faster; but not where less has been explored.
function speedup() {
	return $6 > 0 && $12 > 0 && $5 !~ /\*$/ && $11 >= $5 + 0 ? $6 / $12 : ""
}

function quoted(s) {
	if (s ~ /[",]/) {
		gsub(/"/, "\"\"", s)
		s = "\"" s "\""
	}
	return s
}

function numbers(names, list, n, i, text) {
	n = split(names, list, " ")
	for (i = 1; i <= n; i++) {
		if (!(list[i] in number)) {
			number[list[i]] = ++used
			order[used] = list[i]
		}
		text = text " (" number[list[i]] ")"
	}
	return text
}

format == "line" {
	if ($13 == "-")
		$10 = "not here"
	if ($13 == ".")
		$10 = "left out"
	printf "%-42s %-10s %12s %8s  %-11s %15s %9s %9s %8s  %s%s%s\n", $3, $4, $5, $6, $9, $10, digits($12), digits(each()), digits(speedup()),
		$13, ($14 != "" && $13 != "=" ? " " $14 : ""), ($15 != "" ? " " $15 : "")
	n = split($16, list, " ")
	for (i = 1; i <= n; i++) {
		split(list[i], peer, ":")
		printf "%-42s %-10s %12s %8s  %-11s %15s %9s %9s %8s  %s\n", "", "", "", "", peer[1], peer[2], digits(peer[3]), "", "",
			(peer[4] != "" ? "an execution takes " digits(peer[4]) " times Everett's" : "")
	}
}

format == "csv" {
	line = ""
	for (i = 1; i <= 12; i++)
		line = line quoted($i) ","
	print line digits(each()) "," digits(speedup()) "," quoted($13) "," quoted($14) "," quoted($15) "," quoted($16)
}

format == "md" && FNR == NR {
	if (/^\* /) {
		name = $0
		sub(/^\* /, "", name)
		text = name
		sub(/:.*/, "", name)
		sub(/^[^:]*: /, "", text)
		note[name] = text
	}
	next
}

# Which other checkers there are must be known before the first line is printed.
format == "md" {
	row[++rows] = $0
	n = split($16, list, " ")
	for (i = 1; i <= n; i++) {
		split(list[i], peer, ":")
		if (!(peer[1] in seen)) {
			seen[peer[1]] = 1
			peers[++npeers] = peer[1]
		}
	}
}

function heading(i) {
	printf "\n## %s\n\nPaper %s.\n\n| row | of the paper | executions | s | Everett | | executions | CPU s | µs each | speed-up | |", $2, $1
	for (i = 1; i <= npeers; i++)
		printf " %s | CPU s | time for an execution |", peers[i]
	printf " other tools of the paper |\n|---|---|--:|--:|---|---|--:|--:|--:|--:|---|"
	for (i = 1; i <= npeers; i++)
		printf "--:|--:|--:|"
	print "---|"
}

function peer_cells(list, peer, n, i, j, cells, text) {
	n = split($16, list, " ")
	for (i = 1; i <= npeers; i++) {
		cells = " | | |"
		for (j = 1; j <= n; j++) {
			split(list[j], peer, ":")
			if (peer[1] == peers[i])
				cells = " " peer[2] " | " digits(peer[3]) " | " (peer[4] != "" ? digits(peer[4]) " times" : "") " |"
		}
		text = text cells
	}
	return text
}

# So that an asterisk is one.
function plain(s) {
	gsub(/\*/, "\\*", s)
	return s
}

function markdown_row() {
	if ($2 != table) {
		table = $2
		heading()
	}
	value = $13 == "-" ? "not here" : $13 == "." ? "left out" : plain($10)
	printf "| %s | %s | %s | %s | %s | %s | %s | %s | %s | %s | %s%s%s |%s %s |\n", $3, $4, plain($5), $6, ($8 != "" ? "`" $8 "`" : ""), $9, value,
		digits($12), digits(each()), digits(speedup()), ($13 ~ /[-.]/ ? "" : "`" $13 "`"), numbers($14), ($15 != "" ? " " $15 : ""),
		peer_cells(), plain($7)
}

END {
	if (format != "md")
		exit
	for (r = 1; r <= rows; r++) {
		$0 = row[r]
		markdown_row()
	}
	print "\n## Notes\n"
	for (i = 1; i <= used; i++)
		printf "%d. %s\n", i, note[order[i]]
}
