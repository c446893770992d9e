// A function that promises to do nothing but compute its value, which nobody uses.
// executions: sc/none:1
// finding: out-of-bounds at pure_unused.c:6
static __attribute__((pure, noinline)) int look(const int *p)
{
	return *p;
}
int main(void)
{
	int a[2] = { 0 };
	look(a + 2);
	return 0;
}
