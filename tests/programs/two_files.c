// Globals, weak symbols and static variables of the same name over two files; a function pointer across them. The two
// writes of one variable: 2.
// everett: two_files_other.c
// executions: sc/none:2
// finding: none
#include "run.h"
extern int across, other_only;
int get_static(void), *static_address(void), weak_one(void), (*get_function(void))(int);
static int mine = 1;
__attribute__((weak)) int weak_one(void)
{
	return 1;
}
__attribute__((weak)) int weak_here(void)
{
	return 5;
}
extern int nowhere(void) __attribute__((weak));
int common_one;
THREAD(left)
{
	across = 1;
	return argument;
}
THREAD(right)
{
	across = 2;
	return argument;
}
int main(void)
{
	assert(across == 9 && mine == 1 && get_static() == 2 && static_address() != &mine);
	assert(weak_one() == 2 && weak_here() == 5 && !nowhere);
	assert(get_function()(20) == 21);
	assert(other_only == 4 && common_one == 0);
	RUN(left, right);
	return 0;
}
