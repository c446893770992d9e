// Data is no code.
// executions: sc/none:1
// finding: crash at wild_function.c:8
static int data[10];
int main(void)
{
	void (*volatile f)(void) = (void (*)(void))(void *)data;
	f();
	return 0;
}
