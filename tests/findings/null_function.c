// executions: sc/none:1
// finding: crash at null_function.c:6
int main(void)
{
	void (*volatile f)(void) = 0;
	f();
	return 0;
}
