/* A stack machine whose values have tags, as in interpreters: fields of structs, through pointers. */
#include <assert.h>
#include <stdlib.h>

enum tag { NOTHING, INTEGER, REAL };

struct value {
	union {
		long i;
		double r;
	} as;
	unsigned char tag;
};

struct machine {
	struct value *top, *base;
	const unsigned char *code;
	long steps;
};

enum operation { PUSH, ADD, LESS, JUMP_IF, DUPLICATE, HALT };

static void push(struct machine *m, long i)
{
	m->top->as.i = i;
	m->top->tag = INTEGER;
	m->top++;
}

static void add(struct machine *m)
{
	struct value *a = m->top - 2, *b = m->top - 1;
	if (a->tag == INTEGER && b->tag == INTEGER)
		a->as.i += b->as.i;
	else if (a->tag == REAL && b->tag == REAL)
		a->as.r += b->as.r;
	m->top--;
}

static void run(struct machine *m, long limit)
{
	for (const unsigned char *p = m->code;; m->steps++) {
		switch ((enum operation) * p++) {
		case PUSH:
			push(m, *p++);
			break;
		case ADD:
			add(m);
			break;
		case DUPLICATE:
			*m->top = m->top[-1];
			m->top++;
			break;
		case LESS:
			m->top[-1].as.i = m->top[-1].as.i < limit;
			break;
		case JUMP_IF:
			m->top--;
			p = m->top->as.i ? m->code + *p : p + 1;
			break;
		case HALT:
			return;
		}
	}
}

int main(void)
{
	static const unsigned char code[] = { PUSH, 0, PUSH, 1, ADD, DUPLICATE, LESS, JUMP_IF, 2, HALT };
	struct machine *m = malloc(sizeof(*m));
	m->top = m->base = calloc(64, sizeof(*m->base));
	m->code = code;
	m->steps = 0;
	run(m, 80000);
	assert(m->steps == 5 * 80000 + 1 && m->base[0].as.i == 80000);
	free(m->base);
	free(m);
	return 0;
}
