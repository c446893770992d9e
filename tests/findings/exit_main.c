// everett: --fail-on-exit
// executions: sc/none:1
// finding: exit
int main(void)
{
	return 1;
}
