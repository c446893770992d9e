// executions: sc/none:1
// finding: crash at division.c:5
static int divide(int a, int b)
{
	return a / b;
}
int main(void)
{
	volatile int zero = 0;
	return divide(1, zero);
}
