// executions: sc/none:1
// finding: out-of-bounds at global_array.c:7
static int a[4], b[4];
int main(void)
{
	volatile int n = 4;
	a[n] = 1;
	return b[0];
}
