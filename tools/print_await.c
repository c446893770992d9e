/* Flavour `await` as C: loops that wait for a value, and loops that retry until they succeed. */
#include "print.h"

/* CALL: the function shares the registers of whoever calls it, and returns whether it has succeeded. */
const char print_await_prelude[] =
	"#include <sched.h>\n"
	"#include <stdio.h>\n"
	"#include <unistd.h>\n" PRINT_TELL
	"#define AWAIT(load, is_not) ({ int found; do found = load; while (found is_not); found; })\n"
	"#define CALL(function) ({ \\\n"
	"\tint r[4] = { r0, r1, r2, r3 }, success = function(r); \\\n"
	"\tr0 = r[0], r1 = r[1], r2 = r[2], r3 = r[3]; \\\n"
	"\tsuccess; \\\n"
	"})\n"
	"#define BACK_OFF { for (int k = 0; k < n; k++) sched_yield(); if (n < 4) n += n; }\n";

static const char *const pauses[PAUSES] = {
	[PAUSE_NONE] = ";",           [PAUSE_YIELD] = "sched_yield();", [PAUSE_CPU] = "__builtin_ia32_pause();",
	[PAUSE_SLEEP] = "usleep(1);", [PAUSE_BACK_OFF] = "BACK_OFF",
};

static const char *tabs(unsigned depth)
{
	static const char all[] = "\t\t\t\t\t";
	return &all[depth < sizeof(all) - 1 ? sizeof(all) - 1 - depth : 0];
}

/* The loop goes round as long as what it finds is not what it waits for. */
static void print_loads(struct evr_strbuf *out, const struct program *p, const struct stmt *s)
{
	const struct place *place = p->layout->place;
	const char *is_not = s->negated ? "==" : "!=";
	if (s->either || !s->from_register) {
		evr_strbuf_puts(out, "while (");
		print_load(out, place[s->place].name, s->order);
		evr_strbuf_printf(out, " %s %d", is_not, s->value);
		if (s->either) {
			evr_strbuf_puts(out, " && ");
			print_load(out, place[s->place2].name, s->order);
			evr_strbuf_printf(out, " != %d", s->expected);
		}
		evr_strbuf_puts(out, "); DONE\n");
	} else {
		evr_strbuf_printf(out, "r%u = AWAIT(", s->reg);
		print_load(out, place[s->place].name, s->order);
		evr_strbuf_printf(out, ", %s %d); DONE\n", is_not, s->value);
	}
}

/* What succeeds if the loop is over; to be freed. */
static char *call_text(const struct program *p, const struct stmt *s)
{
	if (s->form == RETRY_POINTER)
		return evr_strdup("CALL(function)");
	return evr_format("CALL(try_%llu_%u)", (unsigned long long)p->seed, s->line);
}

static bool is_called(const struct stmt *s)
{
	return s->kind == S_RETRY && (s->form == RETRY_CALL || s->form == RETRY_POINTER);
}

/* Behind the loop's opening brace: all until the closing one, which ends the loop if `left` is not said before. */
static void print_round(struct evr_strbuf *out, const struct program *p, const struct stmt *s, unsigned depth)
{
	char *left = is_called(s) ? call_text(p, s) : print_condition(p, s);
	if (!is_called(s))
		print_block(out, p, &s->body, depth + 1);
	evr_strbuf_printf(out, "%sif (%s)\n%sbreak;\n%s%s\n%s}", tabs(depth + 1), left, tabs(depth + 2),
			  tabs(depth + 1), pauses[s->pause], tabs(depth));
	free(left);
}

static void print_loop(struct evr_strbuf *out, const struct program *p, const struct stmt *s, unsigned depth)
{
	if (s->expected) {
		evr_strbuf_printf(out, "for (r%u = 0; r%u < %d; r%u++) {\n", s->index, s->index, s->expected, s->index);
		print_round(out, p, s, depth);
	} else if (is_called(s)) {
		char *call = call_text(p, s);
		evr_strbuf_printf(out, "while (!%s) %s", call, pauses[s->pause]);
		free(call);
	} else if (s->form == RETRY_BREAK) {
		evr_strbuf_puts(out, "for (;;) {\n");
		print_round(out, p, s, depth);
	} else {
		char *condition = print_condition(p, s);
		evr_strbuf_puts(out, "do {\n");
		print_block(out, p, &s->body, depth + 1);
		evr_strbuf_printf(out, "%s%s\n%s} while (!(%s));", tabs(depth + 1), pauses[s->pause], tabs(depth),
				  condition);
		free(condition);
	}
}

static void print_retry(struct evr_strbuf *out, const struct program *p, const struct stmt *s, unsigned depth)
{
	evr_strbuf_puts(out, "{ ");
	if (s->pause == PAUSE_BACK_OFF)
		evr_strbuf_puts(out, "int n = 1; ");
	if (s->form == RETRY_POINTER && s->kind == S_RETRY)
		evr_strbuf_printf(out, "int (*function)(int *) = try_%llu_%u; ", (unsigned long long)p->seed, s->line);
	if (s->kind == S_RETRY)
		print_loop(out, p, s, depth);
	else
		evr_strbuf_printf(out, "while (TRYLOCK(&m%u)) %s", s->place, pauses[s->pause]);
	evr_strbuf_puts(out, " }\n");
}

void print_await(struct evr_strbuf *out, const struct program *p, const struct stmt *s, unsigned depth)
{
	switch (s->kind) {
	case S_AWAIT:
		print_loads(out, p, s);
		break;
	case S_SET:
		evr_strbuf_printf(out, "r%u = %d;\n", s->reg, s->value);
		break;
	case S_UPDATE:
		evr_strbuf_printf(out,
				  "r%u = __atomic_compare_exchange_n(&%s, &r%u, (r%u + %d) & 3, %d, %s, %s); DONE\n",
				  s->index, p->layout->place[s->place].name, s->reg, s->reg, s->value, s->weak,
				  print_orders[s->order], print_orders[s->failure == PLAIN ? RELAXED : s->failure]);
		break;
	default:
		print_retry(out, p, s, depth);
	}
}

static void print_function(struct evr_strbuf *out, const struct program *p, const struct stmt *s)
{
	char *condition = print_condition(p, s);
	evr_strbuf_printf(out, "static int try_%llu_%u(int *r)\n{\n", (unsigned long long)p->seed, s->line);
	evr_strbuf_puts(out, "\tint r0 = r[0], r1 = r[1], r2 = r[2], r3 = r[3];\n"
			     "\tstatic int own;\n"
			     "\tstatic pthread_mutex_t own_mutex = PTHREAD_MUTEX_INITIALIZER;\n");
	print_block(out, p, &s->body, 1);
	evr_strbuf_puts(out, "\tr[0] = r0, r[1] = r1, r[2] = r2, r[3] = r3;\n"
			     "\t(void)own, (void)own_mutex;\n");
	evr_strbuf_printf(out, "\treturn %s;\n}\n", condition);
	free(condition);
}

/* One that calls another comes behind it. */
void print_await_functions(struct evr_strbuf *out, const struct program *p, const struct block *b)
{
	for (size_t i = 0; i < b->len; i++) {
		const struct stmt *s = &b->data[i];
		print_await_functions(out, p, &s->body);
		print_await_functions(out, p, &s->other);
		if (is_called(s))
			print_function(out, p, s);
	}
}
