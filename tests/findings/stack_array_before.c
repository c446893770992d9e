// executions: sc/none:1
// finding: out-of-bounds at stack_array_before.c:6
int main(void)
{
	volatile int n = -1, a[4] = { 0 }, b[4] = { 0 };
	a[n] = b[0];
	return 0;
}
