// What SV-COMP calls a failure.
// executions: sc/rf:1 tso/traces:1 ra/rf:1
// finding: assertion at libc_VERIFIER_error.c:8
void __VERIFIER_error(void);

int main(void)
{
	__VERIFIER_error();
	return 0;
}
