// part-of: thread_local.c
_Thread_local int elsewhere = 77;
int bump_elsewhere(void);
int bump_elsewhere(void)
{
	return ++elsewhere;
}
