// executions: sc/none:1
// finding: crash at trap.c:6
int main(int argc, char **argv)
{
	if (argc && argv)
		__builtin_trap();
	return 0;
}
