// An address that no machine has.
// executions: sc/none:1
// finding: invalid-access at wild_noncanonical.c:7
int main(void)
{
	long *volatile p = (long *)0xdeadbeefdeadbeef;
	return (int)*p;
}
