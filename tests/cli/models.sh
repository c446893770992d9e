#!/bin/bash
# Every command of docs/models.md prints what stands below it there.
. "$(dirname "$0")/lib.bash"
doc=$TOP/docs/models.md
commands=0
while IFS= read -r line; do
	if [[ $line == '    $ '* ]]; then
		command=${line#*\$ }
		printed=$(cd "$TOP" && eval "${command/#build\/everett/\"\$EVERETT\"}" 2>&1)
		commands=$((commands + 1))
	elif [ -n "${command:-}" ]; then
		# Of a summary line the times differ.
		[[ "    $printed" == "$line"* ]] && [ -n "${line// /}" ] || fail "$command: '$printed', not '${line#    }'"
		command=
	fi
done <"$doc"
[ $commands = "$(grep -c '^    \$ ' "$doc")" ] && [ $commands -ge 12 ] || fail "$commands commands"
finish
