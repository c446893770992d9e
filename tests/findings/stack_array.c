// executions: sc/none:1
// finding: out-of-bounds at stack_array.c:6
int main(void)
{
	volatile int n = 4, a[4] = { 0 };
	return a[n];
}
