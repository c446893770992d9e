// Memory that one thread alone uses holds in each execution what it held in the first one, however it was written: by the first store to a block or a
// local, by a copy over words that had only been read, in an execution after others.
// executions: sc/none:4 sc/rf:4
// finding: none under sc
#include <assert.h>
#include <everett.h>
#include <stdlib.h>

struct pair {
	long one, two;
};

static struct pair global, other = { 3, 4 };
static struct pair *block;

int main(void)
{
	assert(!global.one && !global.two && other.one == 3);
	block = calloc(2, sizeof(*block));
	/* Two executions that write, in each way, and two that look. */
	if (everett_choose(4) < 2) {
		block[0].one = 1;
		block[1] = other;
		global = block[1];
	} else {
		assert(!block[0].one && !block[1].one && !block[1].two);
		assert(!global.one && !global.two);
	}
	free(block);
	return 0;
}
