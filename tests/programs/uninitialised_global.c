// Uninitialised bytes that one execution copies to a global are not there in the next.
// executions: sc/none:2 sc/rf:2 tso/traces:2 ra/rf:2
// finding: none
#include <assert.h>
#include <everett.h>
#include <stdlib.h>
#include <string.h>

static char text[16] = "12", aligned[16] = "34";

int main(int argc, char **argv)
{
	char *p = malloc(16);
	(void)argc;
	if (everett_choose(2) == 0) {
		memcpy(text + 1, p, 3);
		memcpy(aligned, p, 16);
		memcpy(argv[0], p, 1);
		return 0;
	}
	assert(text[1] == '2' && aligned[0] == '3' && argv[0][0]);
	return 0;
}
