// A struct may be copied with members that nobody wrote; using one of the copy is the fault.
// executions: sc/none:1
// finding: uninitialised at uninitialised_copied.c:12
#include <stdlib.h>
struct s {
	int a, b;
	long c[4];
};
static int use(const struct s *p)
{
	int a = p->a;
	return a + p->b;
}
int main(void)
{
	struct s *p = malloc(sizeof(*p)), copy;
	p->a = 1;
	copy = *p;
	return use(&copy);
}
