#!/bin/bash
# Write the manual pages: tools/manual.sh EVERETT VERSION DIR
#
# What share/man says of each command, with the synopsis and the options that the command itself prints as its help, so that a
# page cannot say what the program does not do.
set -eu
top=$(cd "$(dirname "$0")/.." && pwd)
everett=$1 version=$2 dir=$3
mkdir -p "$dir"

# Text for roff: a hyphen is one that can be copied, and nothing at the start of a line is a request.
escaped() {
	sed -e 's/\\/\\e/g' -e 's/-/\\-/g' -e "s/'/\\\\(aq/g" -e 's/^\./\\\&./'
}

heading() { # PAGE
	local page=${1^^}
	echo ".TH ${page//-/\\-} 1 \"$date\" \"Everett $version\" \"Everett\""
}

options() { # COMMAND
	echo ".SH OPTIONS"
	"$everett" "$1" --help-all | awk -f "$top/tools/help.awk" | while IFS=$'\t' read -r letter name argument text; do
		[ "$letter" = - ] && words="" || words="\\fB-$letter\\fR, "
		words+="\\fB--$name\\fR"
		case $argument in
		-) ;;
		'[='*) words+="[=\\fI${argument:2:-1}\\fR]" ;;
		*) words+=" \\fI$argument\\fR" ;;
		esac
		echo .TP
		sed 's/-/\\-/g' <<<"$words"
		escaped <<<"$text"
	done
	"$everett" "$1" --help | grep -q 'handed to the compiler$' || return 0
	echo .TP
	"$everett" "$1" --help | sed -n 's/^  \(-D .*\)$/\\fB\1\\fR/p' | sed 's/-/\\-/g'
	echo "handed to the compiler"
}

see_also() { # PAGE
	local page separator=""
	echo ".SH SEE ALSO"
	for page in $pages; do
		[ "$page" = "$1" ] && continue
		printf '%s.BR %s (1)' "$separator" "${page//-/\\-}"
		separator=$' ,\n'
	done
	echo
	echo ".PP"
	echo "The documentation that is installed with Everett, in"
	echo ".IR share/doc/everett ."
}

summary() { # COMMAND
	"$everett" "$1" --help | sed -n 3p
}

command_page() { # PAGE
	local command=${1#everett-}
	heading "$1"
	echo ".SH NAME"
	printf '%s \\- %s\n' "${1//-/\\-}" "$(summary "$command" | escaped)"
	echo ".SH SYNOPSIS"
	printf '\\fBeverett %s\\fR %s\n' "$command" \
		"$("$everett" "$command" --help | sed -n "1s/^Usage: everett $command //p" | escaped)"
	echo ".SH DESCRIPTION"
	sed '/^\.SH EXAMPLES/,$d' "$top/share/man/$1.man"
	options "$command"
	sed -n '/^\.SH EXAMPLES/,$p' "$top/share/man/$1.man"
	[ "$command" = report ] || cat "$top/share/man/status.man"
	see_also "$1"
}

# A list of the commands in everett(1), as `everett --help` has them.
commands() {
	"$everett" --help | sed -nE 's/^  everett ([a-z]+) +.*   +([^ ].*)$/\1\t\2/p' | while IFS=$'\t' read -r command text; do
		echo .TP
		printf '.BR everett\\-%s (1)\n' "$command"
		escaped <<<"$text"
	done
}

whole_page() { # PAGE
	heading "$1"
	while IFS= read -r line; do
		case $line in
		@COMMANDS@) commands ;;
		@STATUS@) cat "$top/share/man/status.man" ;;
		*) printf '%s\n' "$line" ;;
		esac
	done <"$top/share/man/$1.man"
	see_also "$1"
}

pages="everett $("$everett" --help | sed -nE 's/^  everett ([a-z]+) .*/everett-\1/p' | sort | tr '\n' ' ')"
# Of the newest text in it, if that is known: the same sources give the same page.
date=$(git -C "$top" log -1 --format=%cs -- share/man src/driver 2>/dev/null || true)
date=${date:-$(date -u -d "@${SOURCE_DATE_EPOCH:-$(stat -c %Y "$top/src/driver/options.def")}" +%F)}
for page in $pages; do
	[ -e "$top/share/man/$page.man" ] || {
		echo "manual.sh: share/man/$page.man is missing" >&2
		exit 1
	}
	case $page in
	everett | everett-cc) whole_page "$page" ;;
	*) command_page "$page" ;;
	esac >"$dir/$page.1.new"
	mv "$dir/$page.1.new" "$dir/$page.1"
done
