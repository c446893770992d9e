/* randprog: random concurrent C programs for trying model checkers. Deterministic for a seed. */
#include "program.h"

#include <stdio.h>
#include <string.h>

static const char usage[] =
	"Usage: randprog [options] SEED [COUNT]\n"
	"Prints one C file with COUNT programs (default 1), made from the seeds SEED, SEED+1, ...\n"
	"  --features=LETTERS  r loads, w stores, u read-modify-writes, c compare-exchange, f fences, l locks, t trylock,\n"
	"                      i conditionals, o loops, n threads created by threads, a assume, h choose, x assertions,\n"
	"                      s seq_cst accesses, p plain accesses (default: all)\n"
	"  --no-seqcst         no seq_cst accesses; --no-locks: neither lock nor trylock\n"
	"  --flavour=NAME      what there is besides: mixed (accesses of different sizes), free (blocks on the heap, and who\n"
	"                      frees them), await (loops that wait for a value, or retry), sync (semaphores, rwlocks,\n"
	"                      condition variables, barriers, once, spinlocks), fault (threads that fault, in many ways),\n"
	"                      section (atomic sections), race (all orders, and plain accesses)\n"
	"  --permute=P         create the threads in the P-th order\n"
	"  --fence-all         after every store a seq_cst fence, or an access that acts as one; the same as --fences=1\n"
	"  --fences=2, 3       every store is a release or has a release fence before it; a seq_cst fence after every event\n"
	"The printed program takes arguments: ./programs [K [ORDER [FENCES]]] runs the K-th of them, from 0.\n";

int main(int argc, char **argv)
{
	unsigned features = F_ALL, order = 0;
	enum fences fences = AS_WRITTEN;
	enum flavour flavour = ORDINARY;
	int i = 1;
	for (; i < argc && !strncmp(argv[i], "--", 2); i++) {
		if (!strncmp(argv[i], "--features=", 11) && features_parse(argv[i] + 11)) {
			features = features_parse(argv[i] + 11) | F_LOADS | F_STORES;
		} else if (!strncmp(argv[i], "--flavour=", 10) && flavour_parse(argv[i] + 10) != FLAVOUR_COUNT) {
			flavour = flavour_parse(argv[i] + 10);
		} else if (!strcmp(argv[i], "--no-seqcst")) {
			features &= ~(unsigned)F_SEQ_CST;
		} else if (!strcmp(argv[i], "--no-locks")) {
			features &= ~(unsigned)(F_LOCKS | F_TRYLOCKS);
		} else if (!strncmp(argv[i], "--permute=", 10)) {
			order = (unsigned)atoi(argv[i] + 10);
		} else if (!strncmp(argv[i], "--fences=", 9)) {
			fences = (enum fences)atoi(argv[i] + 9);
		} else if (!strcmp(argv[i], "--fence-all")) {
			fences = SC_AFTER_STORES;
		} else {
			fputs(usage, strcmp(argv[i], "--help") != 0 ? stderr : stdout);
			return strcmp(argv[i], "--help") != 0 ? EVR_USAGE : EVR_OK;
		}
	}
	if (i >= argc || argc > i + 2) {
		fputs(usage, stderr);
		return EVR_USAGE;
	}
	uint64_t seed = strtoull(argv[i], NULL, 10);
	size_t n = i + 1 < argc ? strtoull(argv[i + 1], NULL, 10) : 1;
	struct program *p = evr_alloc((n + 1) * sizeof(*p));
	for (size_t k = 0; k < n; k++)
		program_random(&p[k], seed + k, features, flavour);
	struct evr_strbuf out;
	evr_strbuf_init(&out);
	programs_print(&out, p, n, order, fences);
	fputs(out.text, stdout);
	for (size_t k = 0; k < n; k++)
		program_release(&p[k]);
	free(p);
	evr_strbuf_release(&out);
	return fflush(stdout) ? EVR_USAGE : EVR_OK;
}
