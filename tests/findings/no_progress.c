// everett: --execution-timeout 0.3
// executions: sc/none:1
// finding: no-progress at no_progress.c:7
int main(void)
{
	volatile int x = 0;
	while (!x)
		;
	return 0;
}
