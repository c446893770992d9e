// Nobody reads what is written.
// executions: sc/none:1
// finding: use-after-free at scope_write.c:10
int main(void)
{
	int *p;
	for (int i = 0; i < 2; i++)
		p = &i;

	*p = 1;
	return 0;
}
