/* What cannot be checked is refused, by name and line; all of it, not only the first. */
int x;
int __attribute__((address_space(256))) * segment;

void assembly(void)
{
	__asm__ volatile("cpuid" ::: "eax", "ebx", "ecx", "edx");
	__asm__ volatile("addl $1,%0" : "+m"(x));
	__asm__ volatile("mfence; cli");
}

unsigned long assembly_with_a_value(void)
{
	unsigned long value;
	__asm__ volatile("rdtsc" : "=a"(value)::"edx");
	return value + __builtin_ia32_rdtsc();
}

void jump(void)
{
	__asm__ goto("jmp %l0" : : : : out);
out:
	return;
}

int other_space(void)
{
	return *segment;
}

__asm__("evil:\n\tret");
