/* The main program of a fuzz target without libFuzzer: each argument is a file of its corpus. */
#include "fuzz.h"

#include <stdio.h>

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		FILE *in = fopen(argv[i], "rb");
		if (!in)
			evr_die("cannot open '%s'", argv[i]);
		uint8_t *data = evr_alloc(1 << 20);
		size_t size = fread(data, 1, 1 << 20, in);
		fclose(in);
		fprintf(stderr, "%s\n", argv[i]);
		LLVMFuzzerTestOneInput(data, size);
		free(data);
	}
	printf("%d inputs\n", argc - 1);
	return argc < 2;
}
