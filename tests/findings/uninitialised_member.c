// A member of a struct that nobody takes the address of.
// executions: sc/none:1
// finding: uninitialised at uninitialised_member.c:9
int main(void)
{
	struct {
		int x, y;
	} s;
	s.x = 1; if (s.y) return 1;
	return 0;
}
