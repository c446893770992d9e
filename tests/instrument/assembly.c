/* Assembly that is understood. */
int x;

void fences(void)
{
	__asm__ volatile("" ::: "memory");
	__asm__ volatile("mfence" ::: "memory");
	__asm__ volatile("lfence" ::: "memory");
	__asm__ volatile("sfence" ::: "memory");
	__asm__ volatile("lock; addl $0,0(%%rsp)" ::: "memory");
	__asm__ volatile("lock addl $0,-4(%%rsp)" ::: "memory", "cc");
	__asm__ volatile("pause");
	__asm__ volatile("rep; nop");
	__asm__ volatile("mfence; pause\n\tmfence");
	__builtin_ia32_mfence();
	__builtin_ia32_lfence();
	__builtin_ia32_sfence();
}

int through(int n)
{
	__asm__("" : "+r"(n));
	return n;
}
