/*
 * One exploration of one program: which engine, model and variant, and what came of it. The checker is started directly,
 * once for all its programs (runtime/serve.h); results and classes come back through two files in memory.
 *
 * Classes of a program whose threads were created in another order have the texts, and so the keys, that they would have in
 * order 0.
 */
#ifndef EVR_TOOLS_RUN_H
#define EVR_TOOLS_RUN_H

#include "event/classes.h"
#include "program.h"

struct one_class {
	struct evr_key key;
	char *text;
};

/* How many weak compare-exchanges of a thread may fail for no reason, of flavour `c11`. */
enum { RUN_SPURIOUS = 1 };

struct run {
	/* What was asked for. */
	const char *engine, *model;
	unsigned order; /* of creating threads */
	enum fences fences;
	bool check;
	bool first; /* stop at the first finding */
	bool races; /* data races are findings */
	bool c11_sequences; /* release sequences are those of C11 */
	bool skips; /* accesses that happens-before orders may be no events, if the model says so */
	uint64_t limit; /* on executions */
	unsigned unroll; /* loops go round so many times at most; 0: as often as they like */
	unsigned spurious; /* weak compare-exchanges that may fail for no reason; run_explore() says how many */
	/* What came of it. */
	char *error;
	bool complete,
		limited; /* all was explored; it stopped at the limit, which may also be one on executions that do not count */
	uint64_t executions, blocked, truncated, redundant;
	EVR_VEC(struct one_class) classes[EVR_CLASS_KINDS]; /* sorted by key */
	EVR_VEC(char *) findings; /* "kind at file:line", of a race also the other place; sorted */
	EVR_VEC(uint64_t) results; /* what programs tell: sums of result_part(); sorted, each once */
	EVR_VEC(uint64_t) locations; /* addresses of the events in the traces, sorted */
};

/* Engines that can, but for `none`, explore with two workers, which give branches away after every execution. */
extern bool run_divided;
/* The program as data, of which the checker is the machine (encode.h), or NULL. */
extern const char *run_data;

/* Explore program number `index` of the checker. The first fields of r say how; the rest is empty and gets filled. */
void run_explore(struct run *r, const char *checker, size_t index, const struct program *p);
/* The checker is not needed any more, or will be replaced by another. */
void run_end(void);
void run_release(struct run *r);
/* All of them: complete, blocked and truncated. */
uint64_t run_executions(const struct run *r);
/* How many findings there are of this kind, which ends with a space. */
size_t run_findings(const struct run *r, const char *kind);
/* Sort its classes and locations. */
void run_sort(struct run *r);
/* For sorting classes by their keys. */
int class_compare(const void *a, const void *b);

#endif
