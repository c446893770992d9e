// assert_perror(), which says what the error means.
// executions: sc/rf:1 tso/traces:1 ra/rf:1
// finding: assertion at libc_assert_perror.c:11
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
void __assert_perror_fail(int, const char *, unsigned, const char *);
int main(void)
{
	assert_perror(0);
	assert_perror(EACCES);
	return 0;
}
