// refused: refused_asm_module.c:3: assembly outside of functions ('movl $1, %eax') is not supported
__asm__(".globl here\n"
	"movl $1, %eax");
int main(void)
{
	return 0;
}
