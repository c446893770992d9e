// executions: sc/none:1
// finding: crash at stack_overflow.c:4
/* The line of the function, where nothing better is known. */
static int deeper(int n)
{
	return deeper(n + 1) + 1;
}
int main(void)
{
	return deeper(0);
}
