/* Programs as data. Invariant: a statement is followed by those of its body, and these by those of its other branch, all of OP_SIZE characters. */
#include "encode.h"

/* Characters that need no escape in an argument or a string. */
enum { ZERO = '!', MOST = '~' - '!' };

/* The characters of a statement. */
enum {
	OP_KIND,
	OP_ORDER,
	OP_FAILURE,
	OP_PLACE,
	OP_PLACE2,
	OP_REG,
	OP_INDEX,
	OP_VALUE,
	OP_EXPECTED,
	OP_FROM_REGISTER,
	OP_NEGATED,
	OP_WEAK,
	OP_EITHER,
	OP_PAUSE,
	OP_BODY,
	OP_OTHER,
	OP_SIZE
};

/* And of a program's head. */
enum {
	HEAD_ROLES,
	HEAD_VARS,
	HEAD_MAIN_RUNS,
	HEAD_EPILOGUE,
	HEAD_TELLS,
	HEAD_CREATED,
	HEAD_INITIAL,
	HEAD_LENGTHS = HEAD_INITIAL + MAX_VARS,
	HEAD_JOINED = HEAD_LENGTHS + MAX_ROLES,
	HEAD_ORDER = HEAD_JOINED + MAX_ROLES,
	HEAD_SIZE = HEAD_ORDER + MAX_ROLES,
};

/* What the machine knows statements as. */
#define KIND(name) [S_##name] = "K_" #name
static const char *const kinds[STMT_KINDS] = {
	KIND(LOAD),   KIND(STORE),  KIND(ADD),    KIND(EXCHANGE),        KIND(CAS),
	KIND(FENCE),  KIND(LOCK),   KIND(UNLOCK), KIND(TRYLOCK),         KIND(IF),
	KIND(LOOP),   KIND(CREATE), KIND(JOIN),   KIND(ASSUME),          KIND(CHOOSE),
	KIND(ASSERT), KIND(AWAIT),  KIND(RETRY),  KIND(SPIN_ON_TRYLOCK), KIND(UPDATE),
	KIND(SET),
};

#define NUMBER(name) { #name, name }
static const struct {
	const char *name;
	int value;
} numbers[] = {
	NUMBER(OP_KIND),
	NUMBER(OP_ORDER),
	NUMBER(OP_FAILURE),
	NUMBER(OP_PLACE),
	NUMBER(OP_PLACE2),
	NUMBER(OP_REG),
	NUMBER(OP_INDEX),
	NUMBER(OP_VALUE),
	NUMBER(OP_EXPECTED),
	NUMBER(OP_FROM_REGISTER),
	NUMBER(OP_NEGATED),
	NUMBER(OP_WEAK),
	NUMBER(OP_EITHER),
	NUMBER(OP_PAUSE),
	NUMBER(OP_BODY),
	NUMBER(OP_OTHER),
	NUMBER(OP_SIZE),
	NUMBER(HEAD_ROLES),
	NUMBER(HEAD_VARS),
	NUMBER(HEAD_MAIN_RUNS),
	NUMBER(HEAD_EPILOGUE),
	NUMBER(HEAD_TELLS),
	NUMBER(HEAD_CREATED),
	NUMBER(HEAD_INITIAL),
	NUMBER(HEAD_LENGTHS),
	NUMBER(HEAD_JOINED),
	NUMBER(HEAD_ORDER),
	NUMBER(HEAD_SIZE),
	{ "K_PLAIN", PLAIN },
	{ "K_RELAXED", RELAXED },
	{ "K_ACQUIRE", ACQUIRE },
	{ "K_RELEASE", RELEASE },
	{ "K_ACQ_REL", ACQ_REL },
	{ "K_SEQ_CST", SEQ_CST },
	{ "K_CONSUME", CONSUME },
	{ "K_YIELD", PAUSE_YIELD },
	{ "K_CPU", PAUSE_CPU },
	{ "K_SLEEP", PAUSE_SLEEP },
	{ "K_BACK_OFF", PAUSE_BACK_OFF },
};

static const char *const machine[] = {
#include "tools/machine.c.def"
};

char *encode_machine(void)
{
	struct evr_strbuf out;
	evr_strbuf_init(&out);
	for (size_t i = 0; i < EVR_COUNT(numbers); i++)
		evr_strbuf_printf(&out, "#define %s %d\n", numbers[i].name, numbers[i].value);
	for (int i = 0; i < STMT_KINDS; i++)
		if (kinds[i])
			evr_strbuf_printf(&out, "#define %s %d\n", kinds[i], i);
	for (size_t i = 0; i < EVR_COUNT(machine); i++)
		evr_strbuf_puts(&out, machine[i]);
	return evr_strbuf_take(&out);
}

/* Whatever is out of range makes *fine false. */
static char character(long value, bool *fine)
{
	*fine &= value >= 0 && value <= MOST;
	return (char)(ZERO + (*fine ? value : 0));
}

static size_t length(const struct block *b)
{
	size_t n = b->len;
	for (size_t i = 0; i < b->len; i++)
		n += length(&b->data[i].body) + length(&b->data[i].other);
	return n;
}

static void add_block(struct evr_strbuf *out, const struct program *p, const struct block *b, bool *fine)
{
	for (size_t i = 0; i < b->len; i++) {
		const struct stmt *s = &b->data[i];
		const long value[OP_SIZE] = {
			[OP_KIND] = s->kind,
			[OP_ORDER] = s->order,
			[OP_FAILURE] = s->failure,
			[OP_PLACE] = s->place,
			[OP_PLACE2] = s->place2,
			[OP_REG] = s->reg,
			[OP_INDEX] = s->index,
			[OP_VALUE] = s->value,
			[OP_EXPECTED] = s->expected,
			[OP_FROM_REGISTER] = s->from_register,
			[OP_NEGATED] = s->negated,
			[OP_WEAK] = s->weak,
			[OP_EITHER] = s->either,
			[OP_PAUSE] = s->pause,
			[OP_BODY] = (long)length(&s->body),
			[OP_OTHER] = (long)length(&s->other),
		};
		*fine &= kinds[s->kind] && s->by == BY_NAME && !s->is_volatile;
		/* Failed assertions are told apart by their lines. */
		*fine &= s->kind != S_ASSERT || p->flavour != AWAIT;
		for (int k = 0; k < OP_SIZE; k++)
			evr_strbuf_putc(out, character(value[k], fine));
		add_block(out, p, &s->body, fine);
		add_block(out, p, &s->other, fine);
	}
}

static void fill_head(char *head, const struct program *p, bool *fine)
{
	unsigned created = program_created(p);
	memset(head, ZERO, HEAD_SIZE);
	head[HEAD_ROLES] = character(p->roles, fine);
	head[HEAD_VARS] = character(p->vars, fine);
	head[HEAD_MAIN_RUNS] = character(p->main_runs && !p->dropped[0], fine);
	head[HEAD_EPILOGUE] = character(p->epilogue, fine);
	head[HEAD_TELLS] = character(program_tells(p), fine);
	head[HEAD_CREATED] = character(created, fine);
	for (unsigned v = 0; v < p->vars; v++)
		head[HEAD_INITIAL + v] = character(p->initial[v], fine);
	for (unsigned r = 0; r < p->roles; r++) {
		head[HEAD_LENGTHS + r] = character((long)length(&p->role[r]), fine);
		head[HEAD_JOINED + r] = character(program_by_main(p, r), fine);
	}
	for (unsigned k = 0; k < created; k++)
		head[HEAD_ORDER + k] = character(program_in_order(p, 0, k), fine);
}

char *encode_program(const struct program *p)
{
	struct evr_strbuf out;
	char head[HEAD_SIZE];
	bool fine = (p->flavour == ORDINARY || p->flavour == AWAIT || p->flavour == C11) && !p->last.len;
	fill_head(head, p, &fine);
	evr_strbuf_init(&out);
	evr_strbuf_add(&out, head, HEAD_SIZE);
	for (unsigned r = 0; r < p->roles; r++)
		add_block(&out, p, &p->role[r], &fine);
	if (fine)
		return evr_strbuf_take(&out);
	evr_strbuf_release(&out);
	return NULL;
}
