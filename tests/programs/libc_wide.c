// Wide characters, as strings, as numbers, and from and to bytes.
// executions: sc/rf:1 tso/traces:1 ra/rf:1
// finding: none
#define _GNU_SOURCE
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>
#include <wctype.h>

static int sign(int x)
{
	return (x > 0) - (x < 0);
}

static void strings(void)
{
	wchar_t a[32], b[32], *copy;
	wcscpy(a, L"hello, world");
	printf("%zu %zu %ls\n", wcslen(a), wcsnlen(a, 5), a);
	printf("%td %ls\n", wcpcpy(b, L"abc") - b, b);
	wcsncpy(b, L"xyz", 2);
	printf("%ls\n", b);
	wcsncpy(b, L"xy", 6);
	printf("%d %d\n", (int)b[2], (int)b[5]);
	wcscat(wcscpy(b, L"one"), L"two");
	wcsncat(b, L"three", 2);
	printf("%ls\n", b);
	printf("%d %d %d %d\n", sign(wcscmp(L"a", L"b")), sign(wcscmp(L"ab", L"a")), sign(wcsncmp(L"abc", L"abd", 2)),
	       sign(wcscoll(L"b", L"a")));
	printf("%td %td %d %td\n", wcschr(a, 'o') - a, wcsrchr(a, 'o') - a, !wcschr(a, 'z'), wcschr(a, 0) - a);
	printf("%zu %zu %td %d\n", wcsspn(a, L"helo"), wcscspn(a, L",!"), wcspbrk(a, L"xyzw") - a, !wcspbrk(a, L"xyz"));
	printf("%td %d %td\n", wcsstr(a, L"world") - a, !wcsstr(a, L"word"), wcsstr(a, L"") - a);
	wmemset(b, 'q', 8);
	wmemcpy(b, a, 3);
	wmemmove(b + 1, b, 4);
	printf("%td\n", wmempcpy(b + 5, L"!", 2) - b);
	printf("%ls %d %td %d\n", b, sign(wmemcmp(a, b, 2)), wmemchr(a, ',', 12) - a, !wmemchr(a, ',', 3));
	copy = wcsdup(a);
	printf("%ls\n", copy);
	free(copy);
}

static void numbers(void)
{
	wchar_t *end;
	const wchar_t *s = L"  -42rest";
	long n = wcstol(s, &end, 10);
	printf("%ld %td\n", n, end - s);
	printf("%lu %lld %llu\n", wcstoul(L"ff", NULL, 16), wcstoll(L"-7", NULL, 0), wcstoull(L"077", NULL, 0));
	s = L"1.5e3,";
	double d = wcstod(s, &end);
	printf("%g %td %g %Lg\n", d, end - s, wcstof(L"0.5", NULL), wcstold(L"2.5", NULL));
	n = wcstol(L"none", &end, 10);
	printf("%ld %lc\n", n, (wint_t)*end);
}

static void bytes(void)
{
	wchar_t w[8], c = 0;
	char s[8];
	mbstate_t state;
	memset(&state, 0, sizeof(state));
	printf("%zu %zu %zu\n", mbstowcs(w, "abc", 8), mbstowcs(w, "abcdef", 3), mbstowcs(NULL, "four", 0));
	printf("%zu %zu %zu\n", wcstombs(s, L"abc", 8), wcstombs(s, L"abcdef", 3), wcstombs(NULL, L"four", 0));
	assert(mbtowc(&c, "x", 1) == 1 && c == 'x' && mbtowc(&c, "", 1) == 0 && c == 0);
	printf("%d %d %d\n", mbtowc(&c, "x", 0), mblen("y", 1), mblen("", 1));
	assert(wctomb(s, L'z') == 1 && s[0] == 'z');
	printf("%d\n", wctomb(s, L'\u00e4'));
	printf("%zu %zu %zu %d\n", mbrtowc(&c, "q", 1, &state), mbrlen("", 1, &state), wcrtomb(s, L'r', &state),
	       mbsinit(&state));
	printf("%d %d\n", iswctype('a', wctype("alpha")) != 0, wctype("nonsense") == 0);
	printf("%lc %d %d\n", towctrans('a', wctrans("toupper")), btowc('a'), wctob('b'));
}

int main(void)
{
	strings();
	numbers();
	bytes();
	return 0;
}
