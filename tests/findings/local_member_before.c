// The member is the struct's first: what lies before it lies before the struct.
// executions: sc/none:1
// finding: out-of-bounds at local_member_before.c:9
int main(void)
{
	struct {
		int a[4], b;
	} s = { { 0 }, 0 };
	s.a[-1] = 1;
	return s.b;
}
