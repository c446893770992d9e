// part-of: own_library_function.c
#include <stdlib.h>

int first_letter(void)
{
	return getenv("PATH")[0];
}
