// executions: sc/none:1
// finding: invalid-access at write_const.c:6
static const int table[4] = { 1, 2, 3, 4 };
int main(void)
{
	*(volatile int *)&table[2] = 5;
	return 0;
}
