// executions: sc/none:1
// finding: uninitialised at uninitialised_volatile.c:6
int main(void)
{
	volatile int x;
	return x ? 0 : 0;
}
