// everett: own_library_function_other.c
// executions: sc/none:1
// finding: none
// A program's own function of a library name is meant everywhere, in its other files too.
#include <assert.h>
#include <stdlib.h>

int first_letter(void);

char *getenv(const char *name)
{
	static char mine[] = "mine";
	return name ? mine : NULL;
}

int main(void)
{
	assert(first_letter() == 'm');
	return 0;
}
