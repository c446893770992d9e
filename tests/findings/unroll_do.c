// One round too many for a loop that tests at its end.
// everett: --unroll 4
// executions: sc/none:0
// truncated: sc/none:1
// incomplete: sc/none
// finding: none
int main(void)
{
	int k = 5, n = 0;
	do
		n++;
	while (--k);
	return n;
}
