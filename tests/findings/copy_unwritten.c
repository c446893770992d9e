// A struct is copied with a member that was never written; it is read only if it was.
// executions: sc/none:1
// finding: none
#include <stdlib.h>
struct item {
	int valid, value;
};
int main(void)
{
	struct item *p = malloc(sizeof *p);
	p->valid = 0;
	struct item copy = *p;
	free(p);
	return copy.valid ? copy.value : 0;
}
