/* Scopes within a function: a local that hooks watch comes and goes with its block, on whichever way that is left. */
int use(int *);

int block(int n)
{
	int *kept = 0, outermost = n;
	{
		int inner = n;
		kept = &inner;
		use(kept);
	}
	use(&outermost);
	return *kept;
}

/* One that nobody else can reach needs no hook. */
int registers(int n)
{
	int sum = 0;
	for (int i = 0; i < n; i++) {
		int square = i * i;
		sum += square;
	}
	return sum;
}

int ways(int n)
{
	for (int i = 0; i < n; i++) {
		int inner = i;
		if (use(&inner) == 1)
			continue;
		if (use(&inner) == 2)
			break;
		if (use(&inner) == 3)
			return inner;
	}
	return 0;
}

int nested(int n)
{
	for (;;) {
		int outer = n;
		use(&outer);
		{
			int inner = outer;
			if (use(&inner))
				return 1;
			if (inner)
				break;
		}
		use(&outer);
	}
	return 0;
}

static inline __attribute__((always_inline)) int *inlined(void)
{
	int local = 1;
	use(&local);
	return &local;
}

int inlines(void)
{
	return *inlined();
}

/* Written in the first iteration only. */
int unset(int n)
{
	int sum = 0;
	for (int i = 0; i < n; i++) {
		int often, once;
		often = i;
		if (!i)
			once = 1;
		sum += often + once;
	}
	return sum;
}
