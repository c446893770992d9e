// The sum is made by whoever executes the event, so it must not depend on how the thread rounds.
// everett: -lm
// refused: a floating-point atomic operation while the rounding mode is not to nearest
#include <fenv.h>
static float x;
int main(void)
{
	fesetround(FE_UPWARD);
	__atomic_fetch_add(&x, 1.5f, __ATOMIC_SEQ_CST);
	return 0;
}
