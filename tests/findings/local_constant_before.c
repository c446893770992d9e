// executions: sc/none:1
// finding: out-of-bounds at local_constant_before.c:6
int main(void)
{
	int a[4] = { 0 };
	a[-1] = 1;
	return a[0];
}
