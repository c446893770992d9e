// everett: -Wno-division-by-zero
// executions: sc/none:1
// finding: crash at division_constant.c:7
int main(void)
{
	volatile int one = 1;
	return one / 0;
}
