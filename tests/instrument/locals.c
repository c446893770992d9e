/* Locals: those that nobody else can reach have no hooks at all. */
int use(int *);

int registers(int n)
{
	int sum = 0, copy[4] = { n, n, n, n };
	sum += copy[1] + copy[2];
	return sum;
}

/* No register, but on the machine's stack. */
int on_the_stack(int n)
{
	volatile int kept = n;
	volatile int pair[2] = { n, n };
	return kept + pair[1];
}

int escapes(int n)
{
	int kept = n, seen = n;
	kept++;
	return use(&seen) + seen + kept;
}

int indexed(int n)
{
	int table[4] = { 1, 2, 3, 4 };
	return table[n];
}

int vla(int n)
{
	int sum = 0;
	for (int i = 1; i < n; i++) {
		int table[i];
		table[0] = i;
		sum += use(table);
	}
	return sum;
}

_Thread_local int counter = 5;
extern _Thread_local int elsewhere;
static __thread long quiet;

int thread_local(void)
{
	counter++;
	quiet = elsewhere;
	return use(&counter);
}

int variadic(int n, ...)
{
	__builtin_va_list list;
	__builtin_va_start(list, n);
	int first = __builtin_va_arg(list, int);
	__builtin_va_end(list);
	return first;
}

/* What leaves the local, wholly or in part, keeps its hook. */
void outside(void)
{
	char b[8];
	b[8] = 1;
	b[-1] = 1;
	*(int *)(b + 6) = 1;
	__builtin_memset(b, 0, 9);
	__builtin_memcpy(b, "overflowing string", 19);
}

struct pair {
	int x, y;
};

int unwritten(int n)
{
	struct pair p, q;
	p.x = n;
	q.x = q.y = n;
	return p.x + p.y + q.x + q.y;
}

/* Copies between locals, from constants and from the argument's register need no hook; copies of other memory are whole. */
int copied(struct pair a, struct pair *m)
{
	struct pair b = a, c = { 1, 2 }, d = b, e = *m;
	*m = c;
	return b.x + c.y + d.x + e.y;
}

/* The other bits of the unit are never written: no register may make them up. */
int bits(int n)
{
	struct {
		unsigned a : 3, b : 5;
	} s;
	s.a = n;
	return s.a;
}
