// The mem and str functions, each with its edges.
// executions: sc/rf:1 tso/traces:1 ra/rf:1
// finding: none
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static void copies(void)
{
	char a[16], *heap = malloc(8);
	assert(strcpy(a, "hello") == a && !strcmp(a, "hello"));
	assert(stpcpy(a, "abc") == a + 3 && stpcpy(a + 3, "de") == a + 5 && !strcmp(a, "abcde"));
	assert(strncpy(a, "xy", 6) == a && !memcmp(a, "xy\0\0\0\0", 6));
	assert(strncpy(a, "longer", 3) == a && !memcmp(a, "lon\0", 4));
	assert(stpncpy(a, "ab", 5) == a + 2 && a[4] == 0);
	strcpy(a, "one");
	assert(strcat(a, "two") == a && strncat(a, "three", 2) == a && !strcmp(a, "onetwoth"));
	assert(memcpy(heap, "1234567", 8) == heap && mempcpy(heap, "ab", 2) == heap + 2);
	assert(memmove(heap + 1, heap, 4) == heap + 1 && !memcmp(heap, "aab3467", 3));
	memmove(heap, heap + 2, 4);
	assert(memset(heap, 'z', 3) == heap && heap[2] == 'z' && heap[3] != 'z');
	bzero(heap, 2);
	assert(heap[0] == 0 && heap[1] == 0 && heap[2] == 'z');
	assert(memccpy(heap, "key=1", '=', 8) == heap + 4 && !memccpy(heap, "abc", '=', 3));
	char *copy = strdup("duplicate"), *part = strndup("duplicate", 3);
	assert(!strcmp(copy, "duplicate") && !strcmp(part, "dup"));
	free(copy);
	free(part);
	free(heap);
	assert(strxfrm(a, "text", sizeof(a)) == 4 && !strcmp(a, "text"));
	/* Uninitialised memory may be copied. */
	char *from = malloc(32), *to = malloc(32);
	memcpy(to, from, 32);
	free(from);
	free(to);
}

static void comparisons(void)
{
	assert(memcmp("abc", "abd", 3) < 0 && memcmp("abc", "abd", 2) == 0 && memcmp("b", "a", 1) > 0);
	assert(strcmp("a", "b") < 0 && strcmp("", "") == 0 && strcmp("ab", "a") > 0 && strcmp("\xff", "a") > 0);
	assert(strncmp("abc", "abd", 2) == 0 && strncmp("abc", "abd", 3) < 0 && strncmp("a", "b", 0) == 0);
	assert(strcasecmp("HeLLo", "hEllO") == 0 && strncasecmp("ABx", "aby", 2) == 0 && strcoll("a", "b") < 0);
	char big[1000], same[1000];
	memset(big, 1, sizeof(big));
	memset(same, 1, sizeof(same));
	assert(memcmp(big, same, sizeof(big)) == 0);
	same[900] = 2;
	assert(memcmp(big, same, sizeof(big)) < 0);
}

static void searches(void)
{
	const char *s = "hello, world";
	assert(strlen(s) == 12 && strlen("") == 0 && strnlen(s, 5) == 5 && strnlen(s, 50) == 12);
	assert(strchr(s, 'o') == s + 4 && strrchr(s, 'o') == s + 8 && !strchr(s, 'z') && strchr(s, 0) == s + 12);
	assert(strchrnul(s, 'z') == s + 12 && strchrnul(s, 'w') == s + 7 && index(s, 'l') == s + 2 &&
	       rindex(s, 'l') == s + 10);
	assert(memchr(s, ',', 12) == s + 5 && !memchr(s, ',', 5) && memrchr(s, 'l', 12) == s + 10 &&
	       rawmemchr(s, 'w') == s + 7);
	assert(strstr(s, "world") == s + 7 && strstr(s, "") == s && !strstr(s, "word") &&
	       strcasestr(s, "WORLD") == s + 7);
	assert(memmem(s, 12, "lo", 2) == s + 3 && !memmem(s, 4, "lo", 2));
	assert(strspn(s, "helo") == 5 && strcspn(s, ",!") == 5 && strpbrk(s, "xyzw") == s + 7 && !strpbrk(s, "xyz"));
	/* Only as far as the answer is known. */
	char *open = malloc(4);
	memcpy(open, "ab=c", 4);
	assert(strchr(open, '=') == open + 2 && strncmp(open, "ab=d", 4) < 0 && strnlen(open, 4) == 4);
	free(open);
}

static void tokens(void)
{
	char text[] = "a,b;;c", *rest, *p = text;
	assert(!strcmp(strtok(text, ",;"), "a") && !strcmp(strtok(NULL, ",;"), "b") &&
	       !strcmp(strtok(NULL, ",;"), "c"));
	assert(!strtok(NULL, ",;"));
	char other[] = "  x y";
	assert(!strcmp(strtok_r(other, " ", &rest), "x") && !strcmp(strtok_r(NULL, " ", &rest), "y"));
	assert(!strtok_r(NULL, " ", &rest));
	strcpy(text, "a,,b");
	assert(!strcmp(strsep(&p, ","), "a") && !strcmp(strsep(&p, ","), "") && !strcmp(strsep(&p, ","), "b") && !p);
}

int main(void)
{
	copies();
	comparisons();
	searches();
	tokens();
	char buffer[64];
	assert(!strcmp(strerror(ENOENT), "No such file or directory") &&
	       !strcmp(strerror(12345), "Unknown error 12345"));
	assert(!strcmp(strerror_r(EINVAL, buffer, sizeof(buffer)), "Invalid argument"));
	assert(!strcmp(strsignal(SIGSEGV), "Segmentation fault"));
	return 0;
}
