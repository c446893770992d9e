#!/bin/bash
# set: slow
# Whatever AddressSanitizer flags, Everett flags: memory errors on locals, globals, the heap and members, through indices, pointers
# and functions of the library, of constant and of variable size; and their correct twins, which neither flags. They are made by
# tests/asan/cases.awk, one for each line of a program. Everett takes each for an execution; AddressSanitizer has a process for each,
# of every second one here, and of all in asan-all.sh.
. "$(dirname "$0")/lib.bash"
every=${EVERY:-2}
version=$(sed -n "s/.*LLVM_VERSION='\([0-9]*\)'.*/\1/p" <<<"${MAKE_CONFIGURATION:-}")
clang=clang-${version:-19}
from=$TOP/tests/asan
awk -v LIST=list -v PRELUDE="$from/prelude.c" -v CALLS="$from/calls" -v MAIN="$from/main.c" -f "$from/cases.awk" >cases.c
run 0 "$clang" -w -g -O0 -fsanitize=address -o sanitized cases.c
run 0 "$EVERETT" cc -w -o checked cases.c

# flagged ARGUMENTS...: the numbers of those cases that AddressSanitizer flags, with these arguments of the program.
flagged()
{
	ASAN_OPTIONS=detect_leaks=0:detect_stack_use_after_return=1:exitcode=99:symbolize=0:malloc_context_size=0 run 0 ./sanitized "$@"
	awk '$2 == 99 { print $1 }' out >flagged
}

# compare NAME ARGUMENTS...: what Everett finds, with these arguments of the program.
compare()
{
	run 1 "$EVERETT" run -k -e none --json found.json checked -- "${@:2}"
	[ "$(jq ".results[0] | .complete and .executions == $(wc -l <list)" found.json)" = true ] ||
		fail "$1: not every case is an execution of its own"
	jq -r '.results[0].findings[] | "\(.line) \(.kind)"' found.json >found
	awk -v where="$1" '
		FILENAME == "found" { kind[$1] = $2; next }
		FILENAME == "flagged" { flagged[$1] = 1; next }
		{
			said = $1 in kind ? kind[$1] : "none"
			if (said != $4)
				print where ": " $2 " (" $3 "): " said ", not " $4 (FNR in flagged ? " (AddressSanitizer flags it)" : "")
			if (FNR in flagged && $4 == "none")
				print where ": " $2 " (" $3 "): flagged by AddressSanitizer"
			errors += FNR in flagged
		}
		END {
			if (errors < 300)
				print where ": AddressSanitizer flags only " errors + 0
		}' found flagged list >wrong
	[ ! -s wrong ] || fail "$(wc -l <wrong) cases:"
	sed 's/^/    /' wrong | head -n 30
	echo "$1: $(wc -l <list) cases, AddressSanitizer flags $(wc -l <flagged) of every ${every}, Everett $(wc -l <found) of all"
}

ulimit -c 0
flagged "$every"
compare "in main"
[ "$every" = 2 ] || flagged "$every" thread
compare "in a thread" thread
finish
