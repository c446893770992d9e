/* One hook for each loop header, whatever the loop is made of. */
int x;

int nested(int n)
{
	int sum = 0;
	for (int i = 0; i < n; i++)
		for (int k = 0; k < i; k++)
			sum += k;
	while (sum > 10)
		sum -= 10;
	do
		sum++;
	while (sum < 3);
	return sum;
}

void spin(void)
{
	while (!x)
		;
}

void by_goto(int n)
{
	/* On one line: compilers differ in where such a loop begins. */
	// clang-format off
again:	if (n-- > 0) goto again;
	// clang-format on
}

int two_ways_back(int n)
{
	while (n > 0) {
		if (n % 3 == 0) {
			n -= 2;
			continue;
		}
		n--;
	}
	return n;
}

int straight(int n)
{
	if (n > 3)
		goto out;
	n++;
out:
	return n;
}
