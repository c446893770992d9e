// The block is too small for the struct, and nobody looks at the copy.
// executions: sc/none:1
// finding: out-of-bounds at copy_unused.c:10
#include <stdlib.h>
struct pair {
	long x, y;
};
int main(void)
{
	struct pair *p = calloc(1, sizeof(long)), copy = *p;
	free(p);
	return 0;
}
