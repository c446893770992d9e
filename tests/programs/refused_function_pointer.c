// refused: refused_function_pointer.c:7: the function 'a64l' is not supported
#include <stdlib.h>
static long (*volatile f)(const char *) = a64l;
int main(int argc, char **argv)
{
	(void)argc;
	return (int)f(argv[0]);
}
