# Completion: for bash the function is asked as the shell asks it, for fish the shell itself; zsh reads its file.
. "$TOP/tests/cli/lib.bash"
folder=$BUILD/share/completion
mkdir -p files/sub
touch files/{a.c,b.cc,c.json,d.txt,'two words.c'}

# What bash offers for a command line, whose last word is the one being completed.
offers() {
	bash -c '
		. "$1" && cd files
		shift
		COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
		_everett
		printf "%s\n" "${COMPREPLY[@]}"' bash "$folder/everett.bash" "$@" | sort | tr '\n' ' '
}
expect() { # OFFERED WORD...
	local want=$1 got
	shift
	got=$(offers "$@")
	[ "$got" = "${want:+$want }" ] || [ "$got" = "$want " ] || fail "$*: offered '$got', not '$want'"
}
bash -n "$folder/everett.bash" || fail "bash does not understand its file"
expect "--help --version c++ cc check merge orders predict replay report resume robust run sample split" everett ''
expect "replay report" everett rep
expect "all pso ra rc11 sc tso" everett check -m ''
expect "sc,pso" everett check -m sc,ps
expect "all pslo pso tso" everett predict --model ''
expect "all pso ra rc11 sc tso" everett robust --model = ''
expect "tso" everett check --model = t
expect "none rf rvf traces" everett run -e ''
expect "always auto never" everett report --color =
expect "c11 c20" everett check --release-sequences ''
expect "a.c b.cc sub two words.c" everett check -m tso ''
expect "c.json sub" everett replay ''
expect "a.c b.cc c.json d.txt sub two words.c" everett check --json ''
expect "sub" everett check --compile-commands ''
expect "a.c b.cc c.json d.txt sub two words.c" everett check a.c -- ''
expect "a.c b.cc c.json d.txt sub two words.c" everett cc ''
expect "" everett check --unroll ''
expect "--gdb" everett replay --g
# All options of all commands, and each value that is offered is one.
for command in check run robust predict replay report resume split merge; do
	all=$("$EVERETT" $command --help | grep -oE '^ +(-[a-z], )?--[a-z-]+' | tr -d , | tr -s ' ' '\n' | grep . | sort | tr '\n' ' ')
	[ "$(offers everett $command -)" = "$all" ] || fail "$command: offered '$(offers everett $command -)', not '$all'"
done
for equivalence in $(offers everett check -e ''); do
	run 0 "$EVERETT" check -q -m sc -e "$equivalence" "$TOP/examples/sb.c"
done
for model in $(offers everett check -m ''); do
	run "$([ $model = sc ] && echo 0 || echo 1)" "$EVERETT" check -q -m "$model" "$TOP/examples/sb.c"
done

if ! command -v zsh >/dev/null; then
	echo "zsh is not installed: not tried"
elif ! zsh -n "$folder/_everett"; then
	fail "zsh does not understand its file"
elif ! zsh -f -c 'zmodload zsh/zpty && zpty shell true' 2>/dev/null; then
	echo "there are no pseudo terminals: zsh is not asked"
else
	# Whether the specifications are what _arguments takes, only a real completion tells.
	cat >ask.zsh <<-'END'
		zmodload zsh/zpty
		zpty shell zsh -f -i
		zpty -w shell "PROMPT=; fpath=($1 \$fpath); autoload -U compinit; compinit -u -d $PWD/dump; LISTMAX=1000; COLUMNS=200"
		zpty -w shell "zstyle ':completion:*' menu no; bindkey '^I' list-choices; bindkey '^U' kill-buffer; print ready"
		zpty -r shell text '*ready*ready*'
		zpty -n -w shell "$2"$'\t'
		zpty -r shell text "$3"
		print -r -- "$text"
		zpty -d shell
	END
	# The pattern is what has to come; without it, time runs out.
	asked=$(timeout 3600 zsh -f ask.zsh "$folder" 'everett check -e ' '*none*rf*rvf*traces*') || fail "zsh: -e"
	asked=$(timeout 3600 zsh -f ask.zsh "$folder" 'everett check -m sc,' '*all*pso*ra*rc11*tso*') || fail "zsh: -m"
	asked=$(timeout 3600 zsh -f ask.zsh "$folder" 'everett re' '*replay*run one recorded*report*') || fail "zsh: commands"
	asked=$(timeout 3600 zsh -f ask.zsh "$folder" 'everett replay --' '*--color*--gdb*run it in gdb*--help*') || fail "zsh: options"
fi

if command -v fish >/dev/null; then
	fish -n "$folder/everett.fish" || fail "fish does not understand its file"
	fish_offers() {
		HOME=$PWD XDG_CONFIG_HOME=$PWD/fish XDG_DATA_HOME=$PWD/fish \
			fish -N -c "source '$folder/everett.fish'; complete -C '$1'" | cut -f 1 | sort | tr '\n' ' '
	}
	[ "$(fish_offers 'everett re')" = "replay report resume " ] || fail "fish: $(fish_offers 'everett re')"
	[ "$(fish_offers 'everett check -e ')" = "none rf rvf traces " ] || fail "fish: $(fish_offers 'everett check -e ')"
	[ "$(fish_offers 'everett check --model sc,t')" = "sc,tso " ] || fail "fish: $(fish_offers 'everett check --model sc,t')"
	[ "$(fish_offers 'everett report --')" = "--color --coverage --dot --help --help-all --html --junit --sarif " ] || fail "fish: $(fish_offers 'everett report --')"
else
	echo "fish is not installed: not tried"
fi
finish
