// A variable-length array ends with its block, also if a local of an inner block began to be there after it.
// everett: -k
// executions: sc/none:1 rc11/rf:1
// finding: use-after-free at array_left.c:27 under sc rc11
static int *kept;

static void set(int *p, int value)
{
	*p = value;
}

static void keep(int n)
{
	int after;
	set(&after, 1);
	for (int i = 0; i < n; i++) {
		int room[n];
		set(room, i);
		kept = room;
		{
			int inner;
			set(&inner, 9);
		}
	}
	if (n > 1)
		set(&after, 2);
	*kept = after;
}

int main(void)
{
	keep(2);
	return 0;
}
