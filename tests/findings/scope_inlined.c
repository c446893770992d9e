// The function's body is in main, but its local ends where it returns.
// executions: sc/none:1
// finding: use-after-free at scope_inlined.c:11
static inline __attribute__((always_inline)) int *address(void)
{
	int local = 1, *volatile p = &local;
	return p;
}
int main(void)
{
	return *address() - 1;
}
