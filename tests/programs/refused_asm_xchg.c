// refused: refused_asm_xchg.c:5:
// It is named, too; cli/refused.sh looks at the rest of the line.
int main(void)
{
	static int x; int a = 1; __asm__ volatile("xaddl %0, %1" : "+r"(a), "+m"(x));
	return 0;
}
