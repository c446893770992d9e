// executions: sc/none:1
// finding: use-after-free at scope_left.c:10
int main(void)
{
	int *p;
	{
		int local = 1;
		p = &local;
	}
	return *p - 1;
}
