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
