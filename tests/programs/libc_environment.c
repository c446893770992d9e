// The environment: read and changed, by the functions and by the program.
// executions: sc/rf:1 tso/traces:1 ra/rf:1
// finding: none
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void show(const char *name)
{
	const char *value = getenv(name);
	printf("%s=%s\n", name, value ? value : "(none)");
}

int main(void)
{
	static char own[] = "EVR_OWN=first";
	assert(getenv("PATH") && getenv("PATH")[0] && !getenv("") && !getenv("EVERETT_CHECKER"));
	show("EVR_A");
	assert(setenv("EVR_A", "one", 0) == 0);
	show("EVR_A");
	assert(setenv("EVR_A", "two", 0) == 0);
	show("EVR_A");
	assert(setenv("EVR_A", "three, and longer", 1) == 0 && setenv("EVR_AB", "", 1) == 0);
	show("EVR_A");
	show("EVR_AB");
	assert(putenv(own) == 0);
	show("EVR_OWN");
	strcpy(strchr(own, '=') + 1, "other");
	show("EVR_OWN");
	assert(unsetenv("EVR_A") == 0 && unsetenv("EVR_NONE") == 0);
	show("EVR_A");
	show("EVR_AB");
	assert(putenv((char *)"EVR_AB") == 0);
	show("EVR_AB");
	errno = 0;
	assert(setenv("a=b", "c", 1) == -1 && errno == EINVAL && setenv("", "c", 1) == -1 && unsetenv("=") == -1);
	int n = 0;
	for (char **e = environ; *e; e++)
		n += !strncmp(*e, "EVR_", 4);
	printf("%d\n", n);
	assert(!strcmp(secure_getenv("EVR_OWN"), "other"));
	assert(clearenv() == 0 && !getenv("PATH") && setenv("EVR_A", "again", 1) == 0);
	show("EVR_A");
	return 0;
}
