// refused: refused_asm_mov.c:5:
// It is named, too; cli/refused.sh looks at the rest of the line.
int main(void)
{
	int a, b = 1; __asm__("movl %1, %0" : "=r"(a) : "r"(b)); return a - 1;
	return 0;
}
