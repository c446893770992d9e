/* Programs of flavour `await` as lists of instructions: where a thread is, is a number. */
#ifndef EVR_TOOLS_INSTRUCTIONS_H
#define EVR_TOOLS_INSTRUCTIONS_H

#include "program.h"

enum op {
	OP_STEP, /* the statement, which others may notice or which may have to wait */
	OP_AWAIT, /* go on if the value is found, else to the target */
	OP_AWAIT_OTHER, /* the same of the second variable; back to the target if it is not found */
	OP_TRYLOCK, /* to the target if the mutex is held */
	OP_RELEASE, /* the mutex of a trylock */
	OP_END,
	/* These are done at once, since nobody else can notice. */
	OP_LOCAL, /* the statement */
	OP_IF, /* to the target unless the condition holds */
	OP_LEAVE, /* to the target if the condition holds */
	OP_JUMP,
	OP_RESET, /* the counter of a loop */
	OP_AGAIN, /* back to the target unless the loop is over */
};

struct instruction {
	enum op op;
	const struct stmt *s;
	size_t target;
};

struct code {
	EVR_VEC(struct instruction) list;
	size_t role[MAX_ROLES]; /* where it begins */
};

void code_of(const struct program *p, struct code *c);
void code_release(struct code *c);

#endif
