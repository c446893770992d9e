// executions: sc/none:1
// finding: invalid-access at null_pointer.c:9
struct s {
	int a[10], b;
};
int main(void)
{
	struct s *volatile p = 0;
	return p->b;
}
