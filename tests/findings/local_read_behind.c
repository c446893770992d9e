// What is read is not used.
// executions: sc/none:1
// finding: out-of-bounds at local_read_behind.c:7
int main(void)
{
	int b[8] = { 0 };
	int unused = b[8];
	return 0;
}
