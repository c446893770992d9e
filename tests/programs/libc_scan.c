// The scanf family.
// executions: sc/rf:1 tso/traces:1 ra/rf:1
// finding: none
#include <assert.h>
#include <stdio.h>
#include <string.h>

int main(void)
{
	int a, b, n;
	unsigned u;
	long l;
	short h;
	char c, word[16], rest[16];
	double d;
	float f;
	void *p;
	assert(sscanf("12 -7", "%d %d", &a, &b) == 2 && a == 12 && b == -7);
	assert(sscanf("0x1f 077 zz", "%i %i %i", &a, &b, &n) == 2 && a == 31 && b == 63);
	assert(sscanf("ff 17", "%x %o", &u, (unsigned *)&a) == 2 && u == 255 && a == 15);
	assert(sscanf("123456789012 -5", "%ld %hd", &l, &h) == 2 && l == 123456789012 && h == -5);
	assert(sscanf("1.5 2.25e1", "%lf %f", &d, &f) == 2 && d == 1.5 && f == 22.5f);
	assert(sscanf("  hello world", "%s %15[a-z]", word, rest) == 2 && !strcmp(word, "hello") &&
	       !strcmp(rest, "world"));
	assert(sscanf("key=value;", "%15[^=]=%15[^;]%c", word, rest, &c) == 3 && !strcmp(rest, "value") && c == ';');
	assert(sscanf("12345", "%2d%n%3s", &a, &n, word) == 2 && a == 12 && n == 2 && !strcmp(word, "345"));
	assert(sscanf("7 8", "%*d %d", &a) == 1 && a == 8);
	assert(sscanf("abc", "%3c", word) == 1 && !memcmp(word, "abc", 3));
	assert(sscanf("50%", "%d%%", &a) == 1 && a == 50);
	assert(sscanf("x", "%d", &a) == 0 && sscanf("", "%d", &a) == EOF && sscanf("5 x", "%d %d", &a, &b) == 1);
	assert(sscanf("0x10", "%p", &p) == 1 && p == (void *)16);

	FILE *file = fopen("scan", "w+");
	for (int i = 0; i < 50; i++)
		fprintf(file, "%d word%d\n", i, i);
	rewind(file);
	for (int i = 0; i < 50; i++) {
		char expected[16];
		snprintf(expected, sizeof(expected), "word%d", i);
		assert(fscanf(file, "%d %15s", &a, word) == 2 && a == i && !strcmp(word, expected));
	}
	assert(fscanf(file, "%d", &a) == EOF && feof(file));
	fclose(file);
	return 0;
}
