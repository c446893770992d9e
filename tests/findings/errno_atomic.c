// Memory of the C library that the program may use is no concern of the shadow: no finding.
// executions: sc/none:1
// finding: none
#include <assert.h>
#include <errno.h>
int main(void)
{
	errno = 4;
	assert(__atomic_fetch_add(&errno, 1, __ATOMIC_RELAXED) == 4);
	int expected = 5;
	assert(__atomic_compare_exchange_n(&errno, &expected, 6, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));
	assert(errno == 6);
	return 0;
}
