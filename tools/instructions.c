#include "instructions.h"

static size_t emit(struct code *c, enum op op, const struct stmt *s, size_t target)
{
	evr_vec_push(&c->list, ((struct instruction){ op, s, target }));
	return c->list.len - 1;
}

static void compile(struct code *c, const struct block *b);

/* What comes next is where the instruction jumps to. */
static void land(struct code *c, size_t from)
{
	c->list.data[from].target = c->list.len;
}

static void compile_branch(struct code *c, const struct stmt *s)
{
	bool tries = s->kind == S_TRYLOCK;
	size_t start = emit(c, tries ? OP_TRYLOCK : OP_IF, s, 0);
	compile(c, &s->body);
	if (tries)
		emit(c, OP_RELEASE, s, 0);
	size_t over = emit(c, OP_JUMP, s, 0);
	land(c, start);
	compile(c, &s->other);
	land(c, over);
}

static void compile_loop(struct code *c, const struct stmt *s)
{
	EVR_VEC(size_t) left = { 0 };
	for (int i = 0; i < s->expected; i++) {
		compile(c, &s->body);
		evr_vec_push(&left, emit(c, OP_LEAVE, s, 0));
	}
	for (size_t i = 0; i < left.len; i++)
		land(c, left.data[i]);
	evr_vec_release(&left);
}

static void compile_retry(struct code *c, const struct stmt *s)
{
	if (s->expected)
		emit(c, OP_RESET, s, 0);
	size_t head = c->list.len;
	compile(c, &s->body);
	emit(c, OP_AGAIN, s, head);
}

/* Of two variables, the second is read if the first was in vain. */
static void compile_await(struct code *c, const struct stmt *s)
{
	size_t head = emit(c, OP_AWAIT, s, c->list.len);
	if (!s->either)
		return;
	size_t over = emit(c, OP_JUMP, s, 0);
	land(c, head);
	emit(c, OP_AWAIT_OTHER, s, head);
	land(c, over);
}

static void compile(struct code *c, const struct block *b)
{
	for (size_t i = 0; i < b->len; i++) {
		const struct stmt *s = &b->data[i];
		switch (s->kind) {
		case S_IF:
		case S_TRYLOCK:
			compile_branch(c, s);
			break;
		case S_LOOP:
			compile_loop(c, s);
			break;
		case S_RETRY:
			compile_retry(c, s);
			break;
		case S_AWAIT:
			compile_await(c, s);
			break;
		case S_SET:
		case S_ASSUME:
		case S_ASSERT:
			emit(c, OP_LOCAL, s, 0);
			break;
		default:
			emit(c, OP_STEP, s, 0);
		}
	}
}

void code_of(const struct program *p, struct code *c)
{
	*c = (struct code){ 0 };
	for (unsigned r = 0; r < p->roles; r++) {
		c->role[r] = c->list.len;
		compile(c, &p->role[r]);
		emit(c, OP_END, NULL, 0);
	}
}

void code_release(struct code *c)
{
	evr_vec_release(&c->list);
}
