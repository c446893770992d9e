// Sorting with the program's own comparison, the environment, the locale, signals.
// executions: sc/rf:1 tso/traces:1 ra/rf:1
// finding: none
#define _GNU_SOURCE
#include <assert.h>
#include <locale.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct item {
	int key, place;
	char padding;
};

static int calls;

static int by_key(const void *a, const void *b)
{
	calls++;
	return ((const struct item *)a)->key - ((const struct item *)b)->key;
}

static int by_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static int reversed(const void *a, const void *b, void *sign)
{
	return *(int *)sign * (*(const int *)a - *(const int *)b);
}

static void handler(int number)
{
	(void)number;
}

int main(void)
{
	struct item items[100];
	for (int i = 0; i < 100; i++) {
		items[i].key = i * 37 % 10;
		items[i].place = i;
	}
	qsort(items, 100, sizeof(items[0]), by_key);
	for (int i = 1; i < 100; i++)
		assert(items[i - 1].key < items[i].key ||
		       (items[i - 1].key == items[i].key && items[i - 1].place < items[i].place));
	assert(calls > 0);
	struct item wanted = { .key = 5 };
	struct item *found = bsearch(&wanted, items, 100, sizeof(items[0]), by_key);
	assert(found && found->key == 5);
	wanted.key = 50;
	assert(!bsearch(&wanted, items, 100, sizeof(items[0]), by_key));
	const char *words[] = { "pear", "apple", "fig" };
	qsort(words, 3, sizeof(words[0]), by_text);
	assert(!strcmp(words[0], "apple") && !strcmp(words[2], "pear"));
	int numbers[] = { 3, 1, 2 }, sign = -1;
	qsort_r(numbers, 3, sizeof(int), reversed, &sign);
	assert(numbers[0] == 3 && numbers[2] == 1);
	qsort(numbers, 0, sizeof(int), by_text);

	assert(getenv("PATH") && getenv("PATH")[0] && !getenv("NO_SUCH_VARIABLE") && !getenv("EVERETT_CHECKER"));
	assert(!strcmp(setlocale(LC_ALL, NULL), "C") && setlocale(LC_ALL, "") && !setlocale(LC_ALL, "xx_XX"));
	assert(!strcmp(localeconv()->decimal_point, "."));
	assert(getpid() > 0 && getpid() == getpid() && sysconf(_SC_PAGESIZE) > 0);
	sigset_t set;
	sigemptyset(&set);
	assert(!sigismember(&set, SIGINT) && sigaddset(&set, SIGINT) == 0 && sigismember(&set, SIGINT) == 1);
	struct sigaction action = { .sa_handler = handler };
	assert(sigaction(SIGINT, &action, NULL) == 0 && signal(SIGTERM, handler) == SIG_DFL);
	assert(system(NULL) && div(7, 2).rem == 1 && labs(-5L) == 5);
	return 0;
}
