#!/bin/bash
# Every function of the library that Everett models is called by some test, by its name.
. "$(dirname "$0")/lib.bash"

# What the compiler calls under such a name, and the test in which it does.
made_by_compiler() # NAME
{
	case $1 in
	__assert_fail) echo findings/assertion.c ;;
	__atomic_*_16) echo programs/atomics_16_calls.c ;;
	__atomic_*_[1248]) echo programs/atomics_calls.c ;;
	__pthread_register_cancel | __pthread_unregister_cancel | __pthread_unwind_next) echo programs/cleanup.c ;;
	__sched_cpucount) echo programs/libc_machine.c ;;
	esac
}

# Comments do not count.
sed 's,//.*,,; s,/\*.*\*/,,' "$TOP"/tests/{programs,findings,litmus}/*.c | grep -oE '[A-Za-z_][A-Za-z0-9_]*' | sort -u >called
sed -n 's/^WRAPPED(\(.*\))$/\1/p' "$TOP/src/runtime/libc/library.def" | sort -u >wrapped
[ "$(wc -l <wrapped)" -gt 400 ] || fail "the list of functions cannot be read"
comm -23 wrapped called | while read -r name; do
	test=$(made_by_compiler "$name")
	[ -n "$test" ] && [ -e "$TOP/tests/$test" ] || echo "$name"
done >untested
[ -s untested ] && fail "no test calls $(tr '\n' ' ' <untested)"

# Each is listed once: wrapped, harmless or refused.
twice=$(sed -nE 's/^(WRAPPED|HARMLESS|REFUSED)\(([^,)]*).*/\2/p' "$TOP/src/runtime/libc/library.def" | sort | uniq -d)
[ -z "$twice" ] || fail "listed twice: $twice"
finish
