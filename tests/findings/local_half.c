// The last bytes of a wide access are outside of the local.
// executions: sc/none:1
// finding: out-of-bounds at local_half.c:6
int main(void)
{ int b[3] = { 0 };
	*(long *)(b + 2) = 1;
	return 0;
}
