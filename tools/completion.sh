#!/bin/bash
# Write the completions for bash, zsh and fish: tools/completion.sh EVERETT DIR
#
# Commands, options and the values of options are those that Everett prints as its help; share/completion has the rest.
set -eu
top=$(cd "$(dirname "$0")/.." && pwd)
everett=$1 dir=$2
mkdir -p "$dir"

commands() {
	"$everett" --help | sed -nE 's/^  everett ([a-z+]+) .*/\1/p'
	echo c++
}

summary() { # COMMAND
	"$everett" --help | sed -nE "s/^  everett $1 .*   +([^ ].*)$/\1/p"
}

# letter, name, argument, values (separated by blanks, "-" for none), text. A list of values stands in the text behind a colon:
# "models: sc, tso, or all (default sc)", "class: rf (default), rvf; none: every interleaving".
options() { # COMMAND
	case $1 in cc | c++) return ;; esac
	"$everett" "$1" --help | awk -f "$top/tools/help.awk" | awk -F '\t' -v OFS='\t' '
	function values(text,    n, i, part, all) {
		if (!sub(/^[^:]*: /, "", text))
			return "-"
		gsub(/ *\([^)]*\)/, "", text)
		gsub(/;/, ",", text)
		gsub(/,? or /, ", ", text)
		n = split(text, part, /, */)
		for (i = 1; i <= n; i++) {
			sub(/( of these|:.*)$/, "", part[i])
			all = all (all ? " " : "") part[i]
		}
		return all
	}
	{ print $1, $2, $3, ($3 ~ /^([A-Z](\[,.*\])?|WHEN)$/ && $3 !~ /^[NF]/ ? values($4) : "-"), $4 }'
}

# What an argument is: files, folder, list (of values, separated by commas), value, or something that only the user knows.
kind() { # ARGUMENT VALUES
	case $1 in
	FILE) echo files ;;
	DIR) echo folder ;;
	*,*) [ "$2" = - ] && echo unknown || echo list ;;
	*) [ "$2" = - ] && echo unknown || echo value ;;
	esac
}

# --- bash: one function that answers what it is asked for

bash_tables() {
	local command letter name argument values text words
	echo "_everett_commands='$(commands | tr '\n' ' ')'"
	echo
	echo '# The options of a command.'
	echo '_everett_options() {'
	echo '	case $1 in'
	for command in $(commands); do
		words=$(options "$command" | awk -F '\t' '{ printf "%s--%s ", ($1 == "-" ? "" : "-" $1 " "), $2 }')
		[ -z "$words" ] || echo "	$command) echo '${words% }' ;;"
	done
	echo '	esac'
	echo '}'
	echo
	echo '# What stands behind an option: nothing if it takes no argument.'
	echo '_everett_argument() { # COMMAND OPTION'
	echo '	case "$1 $2" in'
	for command in $(commands); do
		while IFS=$'\t' read -r letter name argument values text; do
			[[ $argument == - || $argument == '['* ]] && continue
			words=$(kind "$argument" "$values")
			[ "$values" = - ] || words+=" $values"
			[ "$letter" = - ] && letter="" || letter="'$command -$letter' | "
			echo "	$letter'$command --$name') echo '$words' ;;"
		done < <(options "$command")
	done
	echo '	esac'
	echo '}'
}

# --- zsh

zsh_text() {
	sed -e 's/[]:\\[]/\\&/g' -e "s/'/'\\\\''/g" <<<"$1"
}

zsh_options() { # COMMAND
	local letter name argument values text action names
	while IFS=$'\t' read -r letter name argument values text; do
		case $argument in
		-) action="" ;;
		'['*) action="::$(tr -d '[]=' <<<"$argument"):" ;;
		*) case $(kind "$argument" "$values") in
			files) action=":file:_files" ;;
			folder) action=":folder:_files -/" ;;
			list) action=":list:_sequence compadd - $values" ;;
			value) action=":value:($values)" ;;
			*) action=":$(zsh_text "$argument"):" ;;
			esac ;;
		esac
		names="--$name"
		case $argument in
		-) ;;
		'['*) names+="=-" ;;
		*) names+="=" ;;
		esac
		text=$(zsh_text "$text")
		[ "$letter" = - ] || echo "		'-$letter[$text]$action'"
		echo "		'$names[$text]$action'"
	done < <(options "$1")
}

zsh_tables() {
	local command
	echo '_everett_commands=('
	for command in $(commands); do
		echo "	'$command:$(zsh_text "$(summary "${command/c++/cc}")")'"
	done
	echo ')'
	echo
	echo '_everett_specs() { # COMMAND'
	echo '	case $1 in'
	for command in $(commands); do
		[ -n "$(options "$command")" ] || continue
		echo "	($command) specs=("
		zsh_options "$command"
		echo '	) ;;'
	done
	echo '	esac'
	echo '}'
}

# --- fish

fish_text() {
	sed -e 's/\\/\\\\/g' -e "s/'/\\\\'/g" <<<"$1"
}

fish_tables() {
	local command letter name argument values text words
	for command in $(commands); do
		echo "complete -c everett -n __everett_needs_command -f -a $command -d '$(fish_text "$(summary "${command/c++/cc}")")'"
	done
	for command in $(commands); do
		while IFS=$'\t' read -r letter name argument values text; do
			words="-l $name"
			[ "$letter" = - ] || words="-s $letter $words"
			case $argument in
			- | '['*) ;;
			*) case $(kind "$argument" "$values") in
				files) words+=" -r -F" ;;
				folder) words+=" -x -a '(__fish_complete_directories)'" ;;
				list) words+=" -x -a '(__fish_append , $values)'" ;;
				value) words+=" -x -a '$values'" ;;
				*) words+=" -x" ;;
				esac ;;
			esac
			echo "complete -c everett -n '__everett_has_command $command' $words -d '$(fish_text "$text")'"
		done < <(options "$command")
	done
}

# Put the tables where the template says @TABLES@.
fill() { # TEMPLATE FUNCTION
	local line
	while IFS= read -r line; do
		if [ "$line" = @TABLES@ ]; then $2; else printf '%s\n' "$line"; fi
	done <"$top/share/completion/$1" >"$dir/$1.new"
	mv "$dir/$1.new" "$dir/$1"
}

fill everett.bash bash_tables
fill _everett zsh_tables
fill everett.fish fish_tables
