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
# What is atomic only with the prefix, what has no atomic instruction to stand for it, and what is not clear.
refused '__asm__ volatile("xaddl %%0, %%1" : "+r"(a), "+m"(x));' "inline assembly 'xaddl .*' is not supported"
refused '__asm__ volatile("addl %%1, %%0" : "+m"(x) : "r"(a));' "inline assembly 'addl .*' is not supported"
refused '__asm__ volatile("lock; btsl %%1, %%0" : "+m"(x) : "r"(a));' "inline assembly 'lock; btsl .*' is not supported"
refused '__asm__ volatile("lock; adcl %%1, %%0" : "+m"(x) : "r"(a));' "inline assembly 'lock; adcl .*' is not supported"
refused '__asm__ volatile("lock; incl %%0; sets %%b1" : "+m"(x), "=q"(a));' "inline assembly 'lock; incl .*' is not supported"
refused '__asm__ volatile("rep; bsr %%1, %%0" : "=r"(a) : "r"(x));' "inline assembly 'rep; bsr .*' is not supported"
refused 'char c; __asm__ volatile("rep; bsf %%2, %%0; setz %%1" : "=r"(a), "=q"(c) : "r"(x));' "inline assembly 'rep; bsf .*' is not supported"
refused '__asm__ volatile("setz %%b0" : "=q"(a));' "inline assembly 'setz .*' is not supported"
refused '__asm__ volatile("xchgw %%w0, %%1" : "+r"(a), "+m"(x));' "inline assembly 'xchgw .*' is not supported"
refused '__asm__ volatile("lock; xaddl %%0, 4(%%1)" : "+r"(a) : "r"(&x) : "memory");' "inline assembly 'lock; xaddl .*' is not supported"
refused '__asm__ volatile("lock; cmpxchgl %%1, %%0; jz 1f; 1:" : "+m"(x) : "r"(a), "a"(0));' "inline assembly 'lock; cmpxchgl .*' is not supported"
refused '__asm__ volatile("lock; addl $1, (%%%%rsp)" ::: "memory");' "inline assembly 'lock; addl .*' is not supported"
refused '__asm__ goto("jmp %%l0" : : : : out); out:;' "assembly with jumps"
refused 'a = (int)__builtin_ia32_rdtsc();' "'llvm.x86.rdtsc' reads a clock"
refused '__asm__ volatile("mfence; incl %%0" : "+m"(x));' "inline assembly"

# What a function of the library cannot do here is said when it is asked for.
refused_call() # HEADER STATEMENT PATTERN
{
	printf '#define _GNU_SOURCE\n#include <%s>\nint main(void)\n{\n\t%s\n\treturn 0;\n}\n' "$1" "$2" >r.c
	run 2 "$EVERETT" check r.c
	has err "error: r.c:5: $3"
	one_line
}
refused_call sys/mman.h 'mmap(0, 1, PROT_READ | PROT_WRITE, MAP_PRIVATE, 0, 0);' 'mmap of a file (descriptor 0) is not supported'
refused_call sys/mman.h 'mmap(0, 1, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);' 'mmap of memory that is not readable and writable'
refused_call signal.h 'raise(SIGTERM);' 'raise(15) without a handler is not supported'
refused_call unistd.h 'syscall(202, 0, 3, 0);' 'futex: operation 3 is not supported'
refused_call unistd.h 'syscall(39999);' 'the system call 39999 is not supported'
refused_call unistd.h 'alarm(1);' "the function 'alarm' is not supported: Everett delivers no signals"
refused_call unistd.h 'dup(1);' "the function 'dup' is not supported (--allow-external=dup"
refused_call stdio.h 'popen("true", "r");' "the function 'popen' is not supported: it starts another process"
finish
