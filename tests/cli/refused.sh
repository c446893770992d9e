#!/bin/bash
# What is refused is named, with its place, and nothing else is said.
. "$(dirname "$0")/lib.bash"
refused() # STATEMENT PATTERN
{
	printf 'static int x;\nint main(void)\n{\n\tint a = 0;\n\t%s\n\treturn a + x;\n}\n' "$1" >r.c
	run 2 "$EVERETT" check r.c
	has err "^everett: r.c:5: $2"
	one_line
}
refused '__asm__ volatile("cpuid" : "+a"(a) : : "ebx", "ecx", "edx");' "inline assembly 'cpuid' is not supported"
refused '__asm__ volatile("movl $1, %%%%eax" : : : "eax");' "inline assembly 'movl .*' is not supported"
refused '__asm__ volatile("lock; xaddl %%0, %%1" : "+r"(a), "+m"(x));' "inline assembly 'lock; xaddl .*' is not supported"
refused '__asm__ volatile("lock; addl $1, (%%%%rsp)" ::: "memory");' "inline assembly 'lock; addl .*' is not supported"
refused '__asm__ goto("jmp %%l0" : : : : out); out:;' "assembly with jumps"
refused 'a = (int)__builtin_ia32_rdtsc();' "'llvm.x86.rdtsc' reads a clock"
refused '__asm__ volatile("mfence; incl %%0" : "+m"(x));' "inline assembly"
finish
