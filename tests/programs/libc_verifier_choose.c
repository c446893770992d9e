// The names that SV-COMP has for a choice.
// executions: sc/rf:4 tso/traces:4 ra/rf:4
// finding: none
#include <stdbool.h>
bool __VERIFIER_nondet_bool(void);
_Bool __VERIFIER_nondet__Bool(void);

int main(void)
{
	bool a = __VERIFIER_nondet_bool(), b = __VERIFIER_nondet__Bool();
	(void)(a && b);
	return 0;
}
