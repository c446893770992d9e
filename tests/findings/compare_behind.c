// They differ at once, but memcmp() is told that both have sixteen bytes.
// executions: sc/none:1
// finding: out-of-bounds at compare_behind.c:7
#include <string.h>
int main(void)
{ char a[8] = "abc", b[16] = "xyz";
	return memcmp(a, b, 16) == 0;
}
