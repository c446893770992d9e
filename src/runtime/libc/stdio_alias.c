/*
 * Other names of the functions of stdio.c and stdio_state.c: for large files, without locks, with the checks of
 * _FORTIFY_SOURCE, for standard streams. Each call of such a name is one call of the function that it means.
 */
#include "runtime/libc/wrappers.h"

#define SAME_GETC(name) \
	int evr_libc_##name(FILE *stream) \
	{ \
		return evr_libc_fgetc(stream); \
	}
#define SAME_PUTC(name) \
	int evr_libc_##name(int c, FILE *stream) \
	{ \
		return evr_libc_fputc(c, stream); \
	}
#define SAME_GETCHAR(name) \
	int evr_libc_##name(void) \
	{ \
		return evr_libc_fgetc(stdin); \
	}
#define SAME_PUTCHAR(name) \
	int evr_libc_##name(int c) \
	{ \
		return evr_libc_fputc(c, stdout); \
	}

SAME_GETC(getc)
SAME_GETC(getc_unlocked)
SAME_GETC(fgetc_unlocked)
SAME_PUTC(putc)
SAME_PUTC(putc_unlocked)
SAME_PUTC(fputc_unlocked)
SAME_GETCHAR(getchar)
SAME_GETCHAR(getchar_unlocked)
SAME_PUTCHAR(putchar)
SAME_PUTCHAR(putchar_unlocked)

FILE *evr_libc_fopen64(const char *path, const char *mode)
{
	return evr_libc_fopen(path, mode);
}

FILE *evr_libc_freopen64(const char *path, const char *mode, FILE *stream)
{
	return evr_libc_freopen(path, mode, stream);
}

FILE *evr_libc_tmpfile64(void)
{
	return evr_libc_tmpfile();
}

char *evr_libc___fgets_unlocked_chk(char *to, size_t room, int size, FILE *stream)
{
	(void)room;
	return evr_libc_fgets(to, size, stream);
}

size_t evr_libc___fread_unlocked_chk(void *to, size_t room, size_t size, size_t n, FILE *stream)
{
	(void)room;
	return evr_libc_fread(to, size, n, stream);
}

char *evr_libc___fgets_chk(char *to, size_t room, int size, FILE *stream)
{
	(void)room;
	return evr_libc_fgets(to, size, stream);
}

size_t evr_libc___fread_chk(void *to, size_t room, size_t size, size_t n, FILE *stream)
{
	(void)room;
	return evr_libc_fread(to, size, n, stream);
}

int evr_libc_fseeko64(FILE *stream, off64_t offset, int whence)
{
	return evr_libc_fseeko(stream, offset, whence);
}

int evr_libc_fseek(FILE *stream, long offset, int whence)
{
	return evr_libc_fseeko(stream, offset, whence);
}

off64_t evr_libc_ftello64(FILE *stream)
{
	return evr_libc_ftello(stream);
}

long evr_libc_ftell(FILE *stream)
{
	return evr_libc_ftello(stream);
}

int evr_libc_fileno_unlocked(FILE *stream)
{
	return evr_libc_fileno(stream);
}

size_t evr_libc_fread_unlocked(void *to, size_t size, size_t n, FILE *stream)
{
	return evr_libc_fread(to, size, n, stream);
}

size_t evr_libc_fwrite_unlocked(const void *from, size_t size, size_t n, FILE *stream)
{
	return evr_libc_fwrite(from, size, n, stream);
}

int evr_libc_fputs_unlocked(const char *s, FILE *stream)
{
	return evr_libc_fputs(s, stream);
}

char *evr_libc_fgets_unlocked(char *to, int size, FILE *stream)
{
	return evr_libc_fgets(to, size, stream);
}

int evr_libc_fflush_unlocked(FILE *stream)
{
	return evr_libc_fflush(stream);
}

int evr_libc_feof_unlocked(FILE *stream)
{
	return evr_libc_feof(stream);
}

int evr_libc_ferror_unlocked(FILE *stream)
{
	return evr_libc_ferror(stream);
}

void evr_libc_clearerr_unlocked(FILE *stream)
{
	evr_libc_clearerr(stream);
}
