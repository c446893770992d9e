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
/* Each execution is a case. */
int main(int argc, char **argv)
{
	(void)argv;
	run(everett_choose(CASES), argc > 1);
	return 0;
}
#else
/* Each case has a process of its own, whose reports go to a file with the case's number. */
int main(int argc, char **argv)
{
	(void)argv;
	for (unsigned i = 0; i < CASES; i++) {
		pid_t child = fork();
		if (!child) {
			char name[32];
			snprintf(name, sizeof name, "report.%u", i);
			freopen(name, "w", stderr);
			run(i, argc > 1);
			_exit(0);
		}
		int status;
		waitpid(child, &status, 0);
		printf("%u %d\n", i, WIFEXITED(status) ? WEXITSTATUS(status) : 128);
	}
	return 0;
}
#endif
