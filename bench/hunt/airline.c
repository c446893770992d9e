/* Eight agents sell five seats: each looks whether there is one left before it sells. */
#include "hunt.h"

#define SEATS 5

static atomic_int sold;

static void body(int number)
{
	(void)number;
	if (sold < SEATS)
		sold++;
	assert(sold <= SEATS);
}

int main(void)
{
	run(8, body);
	return 0;
}
