// The names that the library's headers give functions, and those that _FORTIFY_SOURCE calls.
// executions: sc/rf:1 tso/traces:1 ra/rf:1
// finding: none
#define _GNU_SOURCE
#include <assert.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void *__memcpy_chk(void *, const void *, size_t, size_t);
void *__memmove_chk(void *, const void *, size_t, size_t);
void *__mempcpy_chk(void *, const void *, size_t, size_t);
void *__memset_chk(void *, int, size_t, size_t);
char *__strcpy_chk(char *, const char *, size_t);
char *__stpcpy_chk(char *, const char *, size_t);
char *__stpncpy_chk(char *, const char *, size_t, size_t);
char *__strncpy_chk(char *, const char *, size_t, size_t);
char *__strcat_chk(char *, const char *, size_t);
char *__strncat_chk(char *, const char *, size_t, size_t);
void __explicit_bzero_chk(void *, size_t, size_t);
int __vsnprintf_chk(char *, size_t, int, size_t, const char *, va_list);
int __vsprintf_chk(char *, int, size_t, const char *, va_list);
int __vfprintf_chk(FILE *, int, const char *, va_list);
int __vprintf_chk(int, const char *, va_list);
int __vasprintf_chk(char **, int, const char *, va_list);
int __vdprintf_chk(int, int, const char *, va_list);
int __asprintf_chk(char **, int, const char *, ...);
int __snprintf_chk(char *, size_t, int, size_t, const char *, ...);
int __sprintf_chk(char *, int, size_t, const char *, ...);
int __fprintf_chk(FILE *, int, const char *, ...);
int __printf_chk(int, const char *, ...);
int __dprintf_chk(int, int, const char *, ...);
ssize_t __read_chk(int, void *, size_t, size_t);
char *__fgets_chk(char *, size_t, int, FILE *);
char *__fgets_unlocked_chk(char *, size_t, int, FILE *);
size_t __fread_chk(void *, size_t, size_t, size_t, FILE *);
size_t __fread_unlocked_chk(void *, size_t, size_t, size_t, FILE *);
int __xpg_strerror_r(int, char *, size_t);
int __isoc99_sscanf(const char *, const char *, ...);
int __isoc99_fscanf(FILE *, const char *, ...);
int __isoc99_scanf(const char *, ...);
int __isoc99_vsscanf(const char *, const char *, va_list);
int __isoc99_vfscanf(FILE *, const char *, va_list);
int __isoc99_vscanf(const char *, va_list);

static char text[64];

static void copies(void)
{
	assert(__memcpy_chk(text, "abcdef", 7, 64) == text && __memmove_chk(text + 1, text, 3, 63) == text + 1);
	assert(__mempcpy_chk(text + 4, "xy", 2, 60) == text + 6);
	puts(text);
	assert(__memset_chk(text, 'z', 2, 64) == text && __strcat_chk(text, "1", 64) &&
	       __strncat_chk(text, "234", 2, 64));
	puts(text);
	assert(__strcpy_chk(text, "copy", 64) && __stpcpy_chk(text + 4, "ing", 60) == text + 7);
	puts(text);
	assert(__strncpy_chk(text, "xyz", 2, 64) && __stpncpy_chk(text + 2, "q", 1, 62) == text + 3);
	puts(text);
	__explicit_bzero_chk(text, 7, 64);
	assert(!*text && __xpg_strerror_r(2, text, 64) == 0);
	puts(text);
}

static void print(int which, const char *format, ...)
{
	char *fresh = NULL;
	va_list args;
	va_start(args, format);
	int n = which == 0   ? __vsnprintf_chk(text, 64, 1, 64, format, args)
		: which == 1 ? __vsprintf_chk(text, 1, 64, format, args)
		: which == 2 ? __vasprintf_chk(&fresh, 1, format, args)
		: which == 3 ? __vfprintf_chk(stdout, 1, format, args)
		: which == 4 ? __vprintf_chk(1, format, args)
			     : __vdprintf_chk(1, 1, format, args);
	va_end(args);
	if (which < 3)
		fputs(fresh ? fresh : text, stdout);
	printf("%d\n", n);
	free(fresh);
}

static void prints(void)
{
	char *fresh;
	setbuf(stdout, NULL);
	for (int i = 0; i < 6; i++)
		print(i, "%d %s\n", i, "chk");
	assert(__snprintf_chk(text, 4, 1, 64, "%d", 123456) == 6);
	puts(text);
	assert(__sprintf_chk(text, 1, 64, "%s", "sprintf") == 7 && __asprintf_chk(&fresh, 1, "%c", 'a') == 1);
	puts(text);
	puts(fresh);
	free(fresh);
	__fprintf_chk(stdout, 1, "%d\n", 1);
	__printf_chk(1, "%d\n", 2);
	__dprintf_chk(1, 1, "%d\n", 3);
}

static int scan(FILE *f, const char *s, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	int n = f   ? __isoc99_vfscanf(f, format, args)
		: s ? __isoc99_vsscanf(s, format, args)
		    : __isoc99_vscanf(format, args);
	va_end(args);
	return n;
}

static void scans(void)
{
	int a = 0, b = 0;
	FILE *f = tmpfile();
	assert(f && fputs("1 2\nline\nmore\n12345", f) >= 0 && fflush(f) == 0);
	rewind(f);
	assert(__isoc99_fscanf(f, "%d", &a) == 1 && scan(f, NULL, "%d\n", &b) == 1 && a == 1 && b == 2);
	assert(__fgets_chk(text, 64, 64, f) && !strcmp(text, "line\n") && __fgets_unlocked_chk(text, 64, 3, f));
	puts(text);
	assert(__fread_chk(text, 64, 1, 3, f) == 3 && !memcmp(text, "re\n", 3) &&
	       __fread_unlocked_chk(text, 64, 1, 2, f) == 2);
	fclose(f);
	assert(__isoc99_sscanf("7", "%d", &a) == 1 && a == 7 && scan(NULL, "8", "%d", &b) == 1 && b == 8);
	assert(__isoc99_scanf("%d", &a) == EOF && scan(NULL, NULL, "%d", &a) == EOF && __read_chk(0, text, 4, 64) == 0);
}

int main(void)
{
	copies();
	prints();
	scans();
	return 0;
}
