// Streams by their less common functions, and streams in memory.
// executions: sc/rf:1 tso/traces:1 ra/rf:1
// finding: none
#define _GNU_SOURCE
#include <assert.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>

static void unlocked(void)
{
	char text[16];
	FILE *f = fopen64("libc_streams.tmp", "w+");
	assert(f && fileno_unlocked(f) == fileno(f));
	setbuf(f, NULL);
	setbuffer(f, NULL, 0);
	setlinebuf(f);
	flockfile(f);
	assert(putc_unlocked('a', f) == 'a' && fputc_unlocked('b', f) == 'b' && putc('c', f) == 'c');
	assert(fputs_unlocked("def\n", f) >= 0 && fwrite_unlocked("ghi", 1, 3, f) == 3 && fflush_unlocked(f) == 0);
	funlockfile(f);
	assert(fseeko(f, 1, SEEK_SET) == 0 && ftello(f) == 1 && fseeko64(f, 0, SEEK_SET) == 0 && ftello64(f) == 0);
	assert(getc_unlocked(f) == 'a' && fgetc_unlocked(f) == 'b' && fgets_unlocked(text, sizeof(text), f) == text);
	assert(!strcmp(text, "cdef\n") && fread_unlocked(text, 1, 16, f) == 3 && feof_unlocked(f));
	clearerr_unlocked(f);
	assert(!feof_unlocked(f) && !ferror_unlocked(f));
	fpos_t start, later;
	assert(fseek(f, 2, SEEK_SET) == 0 && fgetpos(f, &start) == 0 && fgetc(f) == 'c' && fgetpos(f, &later) == 0);
	assert(fsetpos(f, &start) == 0 && fgetc(f) == 'c' && fsetpos(f, &later) == 0 && fgetc(f) == 'd');
	assert(freopen64("libc_streams.tmp", "r", f) == f && fgetc(f) == 'a' && fclose(f) == 0);
	f = tmpfile64();
	assert(f && fputs("x", f) >= 0 && fclose(f) == 0 && remove("libc_streams.tmp") == 0);
	assert(getchar_unlocked() == EOF && putchar_unlocked('!') == '!' && putchar_unlocked('\n') == '\n');
}

static void memory(void)
{
	char *text = NULL, room[8] = "abc";
	size_t size = 77;
	FILE *f = open_memstream(&text, &size);
	assert(f && fprintf(f, "%d,%s", 12, "x") == 4 && fflush(f) == 0);
	printf("%s %zu\n", text, size);
	for (int i = 0; i < 50; i++)
		fputs("0123456789", f);
	assert(fclose(f) == 0);
	printf("%s %zu %zu\n", text, size, strlen(text));
	free(text);

	f = fmemopen(room, 3, "r");
	assert(f && fgetc(f) == 'a' && fgetc(f) == 'b' && fgetc(f) == 'c' && fgetc(f) == EOF && fclose(f) == 0);
	f = fmemopen(room, sizeof(room), "w");
	assert(f && fprintf(f, "%d", 1234) == 4 && fflush(f) == 0);
	printf("%s\n", room);
	assert(fclose(f) == 0);
	f = fmemopen(room, sizeof(room), "a");
	assert(f && fputs("5", f) >= 0 && fclose(f) == 0);
	printf("%s\n", room);
	int a, b;
	f = fmemopen((char *)"17 4", 4, "r");
	assert(f && fscanf(f, "%d %d", &a, &b) == 2 && fclose(f) == 0);
	printf("%d %d\n", a, b);
	assert(!fmemopen(room, 8, "nonsense"));
}

int main(void)
{
	unlocked();
	memory();
	return 0;
}
