// Each iteration has a local of its own: what the first has written the second has not.
// executions: sc/none:1
// finding: uninitialised at uninitialised_iteration.c:10
int main(void)
{
	for (int i = 0; i < 2; i++) {
		int x;
		if (i == 0)
			x = 0;
		if (x)
			return 1;
	}
	return 0;
}
