// executions: sc/none:1
// finding: invalid-access at wild_pointer.c:6
int main(void)
{
	int *volatile p = (int *)0x123456789000;
	*p = 1;
	return 0;
}
