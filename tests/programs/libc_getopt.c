// Options of the command line, between arguments that are none.
// everett: -- first -ab -c value second -dx --long --with=1 --with 2 --fl -z --none=1 -c3 -- -a last
// executions: sc/rf:1 tso/traces:1 ra/rf:1
// finding: none
// output: a b c=value d=x L(0) W=1(1) W=2(1) F=7 ?z ?N c=3 : first second -a last
#include <assert.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	int flag = 0, which = -1, c;
	const struct option options[] = {
		{ "long", no_argument, NULL, 'L' },
		{ "with", required_argument, NULL, 'W' },
		{ "flag", no_argument, &flag, 7 },
		{ "none", no_argument, NULL, 'N' },
		{ NULL, 0, NULL, 0 },
	};
	assert(optind == 1);
	opterr = 0;
	while ((c = getopt_long(argc, argv, "abc:d::", options, &which)) != -1) {
		if (c == 'W')
			printf("W=%s(%d) ", optarg, which);
		else if (c == 'L')
			printf("L(%d) ", which);
		else if (c == 0)
			printf("F=%d ", flag);
		else if (c == '?')
			printf("?%c ", optopt);
		else
			printf(optarg ? "%c=%s " : "%c ", c, optarg);
	}
	printf(":");
	while (optind < argc)
		printf(" %s", argv[optind++]);
	printf("\n");
	char *few[] = { "program", "-x", "-o", NULL };
	optind = 0;
	assert(getopt(3, few, ":xo:") == 'x' && getopt(3, few, ":xo:") == ':' && optopt == 'o' &&
	       getopt(3, few, ":xo:") == -1);
	char *stop[] = { "program", "-x", "word", "-y", NULL };
	optind = 0;
	assert(getopt(4, stop, "+xy") == 'x' && getopt(4, stop, "+xy") == -1 && optind == 2);
	return 0;
}
