#define CASES (sizeof cases / sizeof *cases)

static void *thread(void *argument)
{
	((void (*)(void))argument)();
	return NULL;
}

static void run(unsigned number, int in_thread)
{
	pthread_t t;
	if (!in_thread) {
		cases[number]();
		return;
	}
	pthread_create(&t, NULL, thread, (void *)cases[number]);
	pthread_join(t, NULL);
}

#ifdef __EVERETT__
/* Each execution is a case. With an argument it is run in a thread. */
int main(int argc, char **argv)
{
	(void)argv;
	run(everett_choose(CASES), argc > 1);
	return 0;
}
#else
/* Each case has a process of its own: all of them, or one pair of so many. With another argument they are run in threads. */
int main(int argc, char **argv)
{
	int every = argc > 1 ? atoi(argv[1]) : 1;
	freopen("/dev/null", "w", stderr);
	for (unsigned i = 0; i < CASES; i++) {
		if (i / 2 % every)
			continue;
		pid_t child = fork();
		if (!child) {
			run(i, argc > 2);
			_exit(0);
		}
		int status;
		waitpid(child, &status, 0);
		printf("%u %d\n", i + 1, WIFEXITED(status) ? WEXITSTATUS(status) : 128);
		fflush(stdout);
	}
	return 0;
}
#endif
