// refused: refused_asm_rdtsc.c:5:
// It is named, too; cli/refused.sh looks at the rest of the line.
int main(void)
{
	return (int)(__builtin_ia32_rdtsc() & 0);
	return 0;
}
