// What SV-COMP calls a failure.
// executions: sc/rf:1 tso/traces:1 ra/rf:1
// finding: assertion at libc_reach_error.c:8
void reach_error(void);

int main(void)
{
	reach_error();
	return 0;
}
