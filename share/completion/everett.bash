# Completion of everett for bash.

@TABLES@

# The words of a list, behind what the word begins with.
_everett_words() { # PREFIX WORD...
	local prefix=$1
	shift
	local IFS=$'\n'
	COMPREPLY+=($(compgen -P "$prefix" -W "$*" -- "${cur#"$prefix"}"))
}

# Folders, and the files whose names the pattern matches.
_everett_files() { # PATTERN
	local name
	compopt -o filenames 2>/dev/null
	while IFS= read -r name; do
		[[ -d $name || $name =~ $1 ]] && COMPREPLY+=("$name")
	done < <(compgen -f -- "$cur")
}

_everett_operands() { # COMMAND
	case $1 in
	check | robust | predict | orders | sample) _everett_files '\.(c|i|C|cc|cpp|cxx|c\+\+|o|a)$' ;;
	replay | report | resume | split | merge) _everett_files '\.json$' ;;
	*) _everett_files '' ;;
	esac
}

# The option whose argument is being written; bash makes words of their own of '=' and what stands around it.
_everett_option() {
	if [ "$cur" = = ]; then
		cur=
		option=${COMP_WORDS[COMP_CWORD - 1]}
	elif [ "${COMP_WORDS[COMP_CWORD - 1]}" = = ]; then
		option=${COMP_WORDS[COMP_CWORD - 2]}
	else
		option=${COMP_WORDS[COMP_CWORD - 1]}
	fi
}

_everett() {
	local cur=${COMP_WORDS[COMP_CWORD]} command=${COMP_WORDS[1]} option word argument prefix=
	COMPREPLY=()
	if [ "$COMP_CWORD" = 1 ]; then
		_everett_words '' $_everett_commands --help --version
		return
	fi
	# Behind "--" are the program's arguments.
	for word in "${COMP_WORDS[@]:2:COMP_CWORD-2}"; do
		[ "$word" = -- ] && _everett_files '' && return
	done
	_everett_option
	argument=($(_everett_argument "$command" "$option"))
	[[ ${argument[0]-} == list && $cur == *,* ]] && prefix=${cur%,*},
	case ${argument[0]-} in
	files) _everett_files '' ;;
	folder) compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -d -- "$cur")) ;;
	list | value) _everett_words "$prefix" "${argument[@]:1}" ;;
	unknown) ;;
	*)
		if [[ $cur == -* ]]; then
			_everett_words '' $(_everett_options "$command")
		else
			_everett_operands "$command"
		fi
		;;
	esac
}

complete -F _everett everett
