// executions: sc/none:1
// finding: invalid-access at write_string.c:6
int main(void)
{
	char *volatile p = (char *)"text";
	p[1] = 'x';
	return 0;
}
