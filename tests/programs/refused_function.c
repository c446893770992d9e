// refused: refused_function.c:8: the function 'a64l' is not supported
// Refused when it is called, not because it is there.
#include <stdlib.h>
int main(int argc, char **argv)
{
	if (argc > 5)
		return (int)a64l(argv[1]);
	return (int)a64l(argv[0]);
}
