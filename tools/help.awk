# The options in the help of a command, one a line: letter, name, argument, text, separated by tabs. "-" stands for none.
# An argument that may be left out is "[=N]".
/^  (-[a-z],|   ) --[a-z-]+/ {
	line = substr($0, 3)
	letter = "-"
	if (line ~ /^-/)
		letter = substr(line, 2, 1)
	sub(/^(-[a-z],|   ) /, "", line)
	match(line, /^--[a-z-]+/)
	name = substr(line, 3, RLENGTH - 2)
	line = substr(line, RLENGTH + 1)
	argument = "-"
	if (match(line, /^\[=[A-Z]+\]/) || match(line, /^ [A-Z]+(\[,[A-Z]+\.\.\.\])?( |$)/)) {
		argument = substr(line, 1, RLENGTH)
		line = substr(line, RLENGTH + 1)
		gsub(/ /, "", argument)
	}
	sub(/^ +/, "", line)
	print letter "\t" name "\t" argument "\t" line
}
