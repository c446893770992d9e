# Odd programs: tests/odd/GROUP.odd holds many short C files, each below a line "//// NAME: EXPECTATION". Sourced by run.sh;
# tests/README.md describes the expectations. Whatever the file, the status is 0 to 3, never 4, and there is an end.

ODD_LIMIT=3600 # seconds for one program: what takes so long hangs, however busy the machine is

# split_odd FILE FOLDER: FOLDER/NAME/NAME.c and FOLDER/NAME/expected for each section. A section that begins with #! is a
# bash script which prints the C file, and which may write more files beside it.
split_odd() {
	awk -v folder="$2" '
		/^\/\/\/\/ / {
			name = $2
			sub(/:$/, "", name)
			system("mkdir " folder "/" name)
			print substr($0, length($1) + length($2) + 3) >(folder "/" name "/expected")
			close(folder "/" name "/expected")
			if (file) close(file)
			file = folder "/" name "/" name ".c"
			printf "" >file
			print name
			next
		}
		file { print >file }' "$1"
}

# odd_problem NAME STATUS EXPECTATION: what is wrong with a run, from its files out and err; nothing if all is well.
odd_problem() {
	local name=$1 status=$2 verdict rest kind place
	read -r verdict rest <<<"$3"
	case $verdict in
	ok) [ "$status" = 0 ] || echo "status $status, not 0" ;;
	incomplete) [ "$status" = 3 ] || echo "status $status, not 3" ;;
	finding)
		kind=${rest%% *} place=
		[[ $rest != *' at '* ]] || place=" at $name.c:${rest##* }"
		[ "$status" = 1 ] || echo "status $status, not 1"
		grep -q "FINDING $kind${place:- }" err || echo "no finding $kind$place"
		grep -qE "FINDING [a-z-]+ at .+:[1-9][0-9]* " err || echo "a finding without a place"
		;;
	refused)
		# LINE TEXT: one line, which names the place and the construct.
		[ "$status" = 2 ] || echo "status $status, not 2"
		grep -qE "^everett: (sc/rf: error: )?$name\.c:${rest%% *}: .*" err || echo "no refusal at $name.c:${rest%% *}"
		grep -qF -- "${rest#* }" err || echo "the refusal does not say '${rest#* }'"
		[ "$(wc -l <err)" = 1 ] || echo "more than one line"
		;;
	error)
		[ "$status" = 2 ] || echo "status $status, not 2"
		grep -qF -- "$rest" err || echo "no '$rest'"
		grep -q '^everett: ' err || echo "Everett itself says nothing"
		;;
	any) [[ $status == [0-3] ]] || echo "status $status" ;;
	*) echo "cannot read the expectation '$3'" ;;
	esac
}

run_odd() {
	local group=${1%.odd} name expected problem status
	local -a words
	mkdir "$SCRATCH/odd"
	for name in $(split_odd "$TOP/tests/odd/$1" "$SCRATCH/odd"); do
		cd "$SCRATCH/odd/$name" || return
		expected=$(cat expected)
		if [ "$(head -c 2 "$name.c")" = '#!' ]; then
			mv "$name.c" make.sh
			bash make.sh >"$name.c"
		fi
		read -ra words < <(LC_ALL=C sed -n '1,2s,^// everett: *,,p' "$name.c" | tr -d '\0')
		timeout -s KILL "$ODD_LIMIT" "$EVERETT" check "$name.c" "${words[@]}" >out 2>err </dev/null
		status=$?
		problem=$(odd_problem "$name" $status "$expected")
		if [ -z "$problem" ]; then
			ok "odd/$group $name"
		else
			fail "odd/$group $name" < <(echo "$expected: $problem" && tail -n 10 out err)
		fi
		cd "$SCRATCH" && rm -rf "odd/$name"
	done
}
