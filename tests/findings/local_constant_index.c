// The index is a constant, and nobody looks at the array: an optimiser would leave out the write.
// executions: sc/none:1
// finding: out-of-bounds at local_constant_index.c:7
int main(void)
{
	int b[8];
	b[8] = 1;
	return 0;
}
