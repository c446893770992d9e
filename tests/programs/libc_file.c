// What a program writes to a file is there to be read, in this execution only.
// executions: sc/rf:1 tso/traces:1 ra/rf:1
// finding: none
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void streams(void)
{
	char line[64];
	errno = 0;
	assert(!fopen("libc_file.tmp", "r") && errno == ENOENT);
	FILE *f = fopen("libc_file.tmp", "w");
	assert(f && fputs("first\n", f) >= 0 && fprintf(f, "second %d\n", 2) == 9 && fwrite("third", 1, 5, f) == 5);
	assert(ftell(f) == 20 && fgetc(f) == EOF && ferror(f));
	clearerr(f);
	assert(!ferror(f) && fclose(f) == 0);
	f = fopen("./libc_file.tmp", "r");
	assert(f && fgets(line, sizeof(line), f) == line && !strcmp(line, "first\n") && fgets(line, 4, f) &&
	       !strcmp(line, "sec"));
	assert(fgetc(f) == 'o' && ungetc('O', f) == 'O' && getc(f) == 'O' && fseek(f, -5, SEEK_END) == 0);
	assert(fread(line, 1, sizeof(line), f) == 5 && !memcmp(line, "third", 5) && feof(f) && fgetc(f) == EOF);
	assert(fputc('x', f) == EOF && fseek(f, 0, SEEK_SET) == 0 && !feof(f) && fgetc(f) == 'f');
	rewind(f);
	char *text = NULL;
	size_t size = 0;
	assert(getline(&text, &size, f) == 6 && !strcmp(text, "first\n") && getline(&text, &size, f) == 9);
	assert(getdelim(&text, &size, 'r', f) == 4 && !strcmp(text, "thir") && getline(&text, &size, f) == 1);
	assert(getline(&text, &size, f) == -1);
	free(text);
	fclose(f);
	f = fopen("libc_file.tmp", "a+");
	assert(f && fputs("!", f) >= 0 && fseek(f, 0, SEEK_SET) == 0 && fgetc(f) == 'f' && fseek(f, 0, SEEK_END) == 0 &&
	       ftell(f) == 21);
	fclose(f);
	f = fopen("libc_file.tmp", "r+");
	assert(f && fputc('F', f) == 'F' && fgetc(f) == 'i');
	assert(freopen("libc_file.tmp", "rb", f) == f && fgetc(f) == 'F' && setvbuf(f, NULL, _IOFBF, 1024) == 0);
	fclose(f);
	assert(rename("libc_file.tmp", "libc_file.new") == 0 && !fopen("libc_file.tmp", "r"));
	assert(remove("libc_file.new") == 0 && remove("libc_file.new") == -1 && errno == ENOENT);
	assert(!fopen("/no/such/folder/file", "w") && !fopen("x", "q") && errno == EINVAL);
}

static void real_files(void)
{
	FILE *f = fopen("libc_file.c", "r");
	char line[128];
	assert(f && fgets(line, sizeof(line), f) && !strncmp(line, "// What", 7));
	fclose(f);
	f = fopen("libc_file.c", "r+");
	assert(f && fputs("overwritten", f) >= 0);
	fclose(f);
	f = fopen("libc_file.c", "r");
	assert(fgets(line, sizeof(line), f) && !strncmp(line, "overwritten", 11));
	fclose(f);
	f = fopen("/dev/null", "w");
	assert(f && fputs("nothing", f) >= 0);
	fclose(f);
	f = fopen(".", "r");
	assert(f && fgetc(f) == EOF && ferror(f) && errno == EISDIR);
	fclose(f);
	f = tmpfile();
	assert(f && fputs("temporary", f) >= 0 && fseek(f, 4, SEEK_SET) == 0 && fgetc(f) == 'o');
	fclose(f);
}

static void descriptors(void)
{
	char text[8], path[] = "/tmp/testXXXXXX";
	int fd = open("libc_file.fd", O_RDWR | O_CREAT, 0600);
	assert(fd > 2 && write(fd, "descriptor", 10) == 10 && lseek(fd, 2, SEEK_SET) == 2 && read(fd, text, 4) == 4);
	assert(!memcmp(text, "scri", 4) && close(fd) == 0 && close(fd) == -1 && errno == EBADF);
	assert(open("libc_file.fd", O_RDWR | O_CREAT | O_EXCL, 0600) == -1 && errno == EEXIST &&
	       unlink("libc_file.fd") == 0);
	fd = mkstemp(path);
	assert(fd > 2 && !strstr(path, "XXXXXX") && !isatty(fd));
	FILE *f = fdopen(fd, "w");
	assert(f && fileno(f) == fd && fclose(f) == 0 && fileno(stdout) == 1);
	assert(write(1, "", 0) == 0 && fgetc(stdin) == EOF && getchar() == EOF && feof(stdin));
}

int main(void)
{
	streams();
	real_files();
	descriptors();
	return 0;
}
