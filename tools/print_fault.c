/* Flavour `fault` as C. Every statement says what it has read, so that it is known of a thread that faults, too. */
#include "print.h"

const char print_fault_prelude[] =
	"#include <stdio.h>\n"
	"static int *h1, *h2, g0[2], *q0;\n"
	"/* What was read, and at which line. */\n"
	"#define SAY(line, value) printf(\"%d:%d \", line, value);\n"
	"/* The buffered stores of the thread reach memory. It is no event where there are none. */\n"
	"#define FLUSH BY_RMW\n"
	"#define CALL(scope) { \\\n"
	"\tint r[4] = { r0, r1, r2, r3 }; \\\n"
	"\tscope(r); \\\n"
	"\tr0 = r[0], r1 = r[1], r2 = r[2], r3 = r[3]; \\\n"
	"}\n";

void print_fault_line(struct evr_strbuf *out, const struct program *p, unsigned line)
{
	evr_strbuf_printf(out, "#line %u \"p%llu.c\"\n", line, (unsigned long long)p->seed);
}

/* To be freed. */
char *print_place(const struct program *p, const struct stmt *s)
{
	if (s->by == BY_POINTER)
		return evr_strdup("*p");
	if (s->by == BY_INDEX)
		return evr_format("%s%u[r%u & 3]", s->place ? "h" : "g", s->place, s->index);
	return evr_strdup(p->layout->place[s->place].name);
}

static void print_pointer_store(struct evr_strbuf *out, const struct stmt *s, const char *value)
{
	static const char *const orders[] = { "", "RELAXED", "", "RELEASE", "", "SEQ_CST" };
	if (s->order == PLAIN)
		evr_strbuf_printf(out, "STORING q0 = %s; STORED(BY_FENCE)\n", value);
	else
		evr_strbuf_printf(out, "STORING __atomic_store_n(&q0, %s, __ATOMIC_%s); STORED(BY_FENCE)\n", value,
				  orders[s->order]);
}

static void print_pointer_load(struct evr_strbuf *out, const struct stmt *s)
{
	static const char *const orders[] = { "", "RELAXED", "ACQUIRE", "", "", "SEQ_CST" };
	if (s->order == PLAIN)
		evr_strbuf_puts(out, "p = q0;");
	else
		evr_strbuf_printf(out, "p = __atomic_load_n(&q0, __ATOMIC_%s);", orders[s->order]);
	evr_strbuf_printf(out, " DONE SAY(%u, p != 0)\n", s->line);
}

void print_fault(struct evr_strbuf *out, const struct program *p, const struct stmt *s)
{
	switch (s->kind) {
	case S_NULL:
		evr_strbuf_puts(out, "*(volatile int *)NULL = 1;\n");
		break;
	case S_ABORT:
		evr_strbuf_puts(out, "abort();\n");
		break;
	case S_DIVIDE:
		evr_strbuf_printf(out, "{ volatile int d = 6 / (r%u - %d); (void)d; }\n", s->reg, s->value);
		break;
	case S_WRONG_UNLOCK:
		evr_strbuf_printf(out, "pthread_mutex_unlock(&m%u); DONE\n", s->place);
		break;
	case S_SCOPE:
		evr_strbuf_printf(out, "CALL(scope_%llu_%u)\n", (unsigned long long)p->seed, s->line);
		break;
	case S_PUBLISH:
		print_pointer_store(out, s, "&local");
		break;
	case S_POINTER_CLEAR:
		print_pointer_store(out, s, "NULL");
		break;
	default:
		print_pointer_load(out, s);
	}
}

/* The functions that the block calls: each has a local, and shares the registers of whoever calls it. */
void print_fault_scopes(struct evr_strbuf *out, const struct program *p, const struct block *b)
{
	for (size_t i = 0; i < b->len; i++) {
		const struct stmt *s = &b->data[i];
		if (s->kind != S_SCOPE)
			continue;
		evr_strbuf_printf(out, "static void scope_%llu_%u(int *r)\n{\n", (unsigned long long)p->seed, s->line);
		evr_strbuf_puts(out, "\tint r0 = r[0], r1 = r[1], r2 = r[2], r3 = r[3];\n"
				     "\tstatic int own;\n"
				     "\tstatic pthread_mutex_t own_mutex = PTHREAD_MUTEX_INITIALIZER;\n"
				     "\tint local = 0, *p = &local;\n"
				     "\tSTORED(BY_FENCE)\n");
		print_block(out, p, &s->body, 1);
		evr_strbuf_puts(out, "\tr[0] = r0, r[1] = r1, r[2] = r2, r[3] = r3;\n");
		evr_strbuf_printf(out, "\t%s(void)own, (void)own_mutex, (void)p;\n}\n", p->flushes ? "FLUSH " : "");
	}
}
