// refused: refused_asm_mov.c:5:
// It is named, too; cli/refused.sh looks at the rest of the line.
int main(void)
{
	int a; __asm__("movl $1, %%eax" : "=a"(a)); return a - 1;
	return 0;
}
