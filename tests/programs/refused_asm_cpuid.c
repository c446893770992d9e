// refused: refused_asm_cpuid.c:5:
// It is named, too; cli/refused.sh looks at the rest of the line.
int main(void)
{
	__asm__ volatile("cpuid" : : : "eax", "ebx", "ecx", "edx");
	return 0;
}
