// refused: refused_asm_goto.c:5:
// It is named, too; cli/refused.sh looks at the rest of the line.
int main(void)
{
	__asm__ goto("jmp %l0" : : : : out); out:;
	return 0;
}
