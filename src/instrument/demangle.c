/* Names of C++ functions and variables as people write them: without parameters, and without the type that a template returns. */
#include "instrument/module.h"

#include <stdlib.h>
#include <string.h>

/* Of the C++ ABI, in the library that LLVM takes along. */
char *__cxa_demangle(const char *mangled, char *buffer, size_t *length, int *status);

static int depth_after(int depth, char c)
{
	return depth + (c == '<' || c == '(' || c == '{' || c == '[') - (c == '>' || c == ')' || c == '}' || c == ']');
}

/* Where the parameters begin: at the last "(" that is inside of nothing. */
static size_t parameters(const char *name)
{
	size_t found = strlen(name);
	int depth = 0;
	for (size_t i = 0; name[i]; i++) {
		bool called = !strncmp(name + i, "()", 2) && i >= 8 && !strncmp(name + i - 8, "operator", 8);
		if (name[i] == '(' && !depth && !called)
			found = i;
		depth = depth_after(depth, name[i]);
	}
	return found;
}

/* Where the name begins, behind the type that is returned. */
static size_t beginning(const char *name, size_t end)
{
	size_t found = 0;
	int depth = 0;
	for (size_t i = 0; i < end; i++) {
		if (!strncmp(name + i, "operator", 8))
			break;
		if (name[i] == ' ' && !depth)
			found = i + 1;
		depth = depth_after(depth, name[i]);
	}
	return found;
}

char *demangled(const char *name)
{
	int status;
	char *whole = evr_starts_with(name, "_Z") ? __cxa_demangle(name, NULL, NULL, &status) : NULL;
	/* The arrows and shifts of operators are no brackets. */
	if (!whole || strstr(whole, "operator<") || strstr(whole, "operator>") || strstr(whole, "operator-"))
		return whole ? whole : evr_strdup(name);
	size_t end = parameters(whole), start = beginning(whole, end);
	char *text = evr_strndup(whole + start, end - start);
	free(whole);
	return text;
}
