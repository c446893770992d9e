// Two threads append to one file: either may be first. Printing and files of a thread's own do not interact.
// everett: --races
// executions: sc/none:2
// finding: none
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static FILE *file;

static void *writer(void *name)
{
	FILE *own = fopen("libc_file_shared.c", "r");
	assert(own && fgetc(own) == '/');
	fclose(own);
	printf("%s\n", (char *)name);
	fputs(name, file);
	return NULL;
}

int main(void)
{
	pthread_t a, b;
	char text[8] = "";
	file = fopen("libc_file_shared.tmp", "w+");
	pthread_create(&a, NULL, writer, "a");
	pthread_create(&b, NULL, writer, "b");
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	rewind(file);
	assert(fgets(text, sizeof(text), file) &&
	       ((text[0] == 'a' && text[1] == 'b') || (text[0] == 'b' && text[1] == 'a')));
	fclose(file);
	return 0;
}
