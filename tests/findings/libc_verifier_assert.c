// Without a definition of the program's own.
// executions: sc/rf:2 tso/traces:2 ra/rf:2
// everett: -k
// finding: assertion at libc_verifier_assert.c:16
void __VERIFIER_assert(int);
void assume_abort_if_not(int);
_Bool __VERIFIER_nondet_bool(void);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

int main(void)
{
	__VERIFIER_atomic_begin();
	assume_abort_if_not(__VERIFIER_nondet_bool());
	__VERIFIER_assert(1);
	__VERIFIER_assert(0);
	__VERIFIER_atomic_end();
	return 0;
}
