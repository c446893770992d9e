// Long jumps under their other names.
// executions: sc/rf:1 tso/traces:1 ra/rf:1
// finding: none
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdio.h>

void __longjmp_chk(struct __jmp_buf_tag *, int) __attribute__((noreturn));

int main(void)
{
	jmp_buf a;
	sigjmp_buf b;
	volatile int rounds = 0;
	int value = _setjmp(a);
	printf("%d\n", value);
	if (rounds++ == 0)
		_longjmp(a, 3);
	if (rounds < 3)
		__longjmp_chk(a, 4);
	value = sigsetjmp(b, 1);
	printf("%d\n", value);
	if (rounds++ == 3)
		siglongjmp(b, 5);
	value = setjmp(a);
	printf("%d\n", value);
	if (rounds++ == 5)
		longjmp(a, 0);
	return 0;
}
