// executions: sc/none:1
// finding: uninitialised at uninitialised_local.c:5
static int use(const int *p)
{
	return *p;
}
int main(void)
{
	int x;
	return use(&x);
}
