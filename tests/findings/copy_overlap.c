// executions: sc/none:1
// finding: invalid-access at copy_overlap.c:7
#include <string.h>
int main(void)
{
	char text[16] = "overlapping";
	memcpy(text + 1, text, 8);
	return 0;
}
