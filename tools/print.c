/* Programs as C: one text for all variants, which its arguments choose among. */
#include "print.h"

const char *const print_orders[] = {
	"plain",
	"__ATOMIC_RELAXED",
	"__ATOMIC_ACQUIRE",
	"__ATOMIC_RELEASE",
	"__ATOMIC_ACQ_REL",
	"__ATOMIC_SEQ_CST",
	"__ATOMIC_CONSUME",
};

/* Both are to be freed. */
static char *value_text(const struct program *p, unsigned place, int value)
{
	if (p->flavour != MIXED)
		return evr_format("%d", value);
	return evr_format("%#llx", place_value(&p->layout->place[place], value));
}

char *print_condition(const struct program *p, const struct stmt *s)
{
	char *value = value_text(p, s->place, s->value);
	char *text = evr_format("r%u %s %s", s->reg, s->negated ? "!=" : "==", value);
	free(value);
	return text;
}

void print_braces(struct evr_strbuf *out, const struct program *p, const struct stmt *s, unsigned depth)
{
	evr_strbuf_puts(out, "{\n");
	print_block(out, p, &s->body, depth + 1);
	if (s->kind == S_LOOP) {
		char *condition = print_condition(p, s);
		evr_strbuf_printf(out, "%.*sif (%s)\n%.*sbreak;\n", (int)depth + 1, "\t\t\t\t\t", condition,
				  (int)depth + 2, "\t\t\t\t\t\t");
		free(condition);
	}
	if (s->kind == S_TRYLOCK)
		evr_strbuf_printf(out, "%.*spthread_mutex_unlock(&m%u); DONE\n", (int)depth + 1, "\t\t\t\t\t",
				  s->place);
	if (s->kind == S_SECTION)
		evr_strbuf_printf(out, "%.*s%s_atomic_end();\n", (int)depth + 1, "\t\t\t\t\t",
				  s->value ? "everett" : "__VERIFIER");
	if (print_sync_unlock(s))
		evr_strbuf_printf(out, "%.*s%s; DONE\n", (int)depth + 1, "\t\t\t\t\t", print_sync_unlock(s));
	evr_strbuf_printf(out, "%.*s}", (int)depth, "\t\t\t\t\t");
	if (s->other.len) {
		evr_strbuf_puts(out, " else {\n");
		print_block(out, p, &s->other, depth + 1);
		evr_strbuf_printf(out, "%.*s}", (int)depth, "\t\t\t\t\t");
	}
	evr_strbuf_putc(out, '\n');
}

static const char *const barriers[] = { "FENCE", "RMW", "STORE", "LOCK" };

/* A seq_cst store keeps its place by itself. */
static void print_store(struct evr_strbuf *out, const struct stmt *s, const char *x, const char *value)
{
	if (!s->releases)
		evr_strbuf_puts(out, "STORING ");
	else if (s->order != SEQ_CST)
		evr_strbuf_printf(out, "RELEASING(%s, %s) ", x, value);
	if (s->order == PLAIN)
		evr_strbuf_printf(out, "%s = %s;", x, value);
	else
		evr_strbuf_printf(out, "__atomic_store_n(&%s, %s, %s);", x, value, print_orders[s->order]);
	evr_strbuf_printf(out, " STORED(BY_%s)\n", barriers[s->barrier]);
}

void print_load(struct evr_strbuf *out, const char *x, enum order order)
{
	if (order == PLAIN)
		evr_strbuf_puts(out, x);
	else
		evr_strbuf_printf(out, "__atomic_load_n(&%s, %s)", x, print_orders[order]);
}

static void print_cas(struct evr_strbuf *out, const struct program *p, const struct stmt *s, const char *value)
{
	const struct place *place = &p->layout->place[s->place];
	char *expected = value_text(p, s->place, s->expected), *x = print_place(p, s);
	const char *order = print_orders[s->order];
	if (p->flavour == MIXED)
		evr_strbuf_printf(out, "r%u = CAS(%s, %s, %s, %s, %s); DONE\n", s->reg, place->type, x, expected, value,
				  order);
	else
		evr_strbuf_printf(out, "r%u = %s; __atomic_compare_exchange_n(&%s, &r%u, %s, %d, %s, %s); DONE\n",
				  s->reg, expected, x, s->reg, value, s->weak, order,
				  print_orders[s->failure == PLAIN ? RELAXED : s->failure]);
	free(x);
	free(expected);
}

static void print_access(struct evr_strbuf *out, const struct program *p, const struct stmt *s)
{
	const struct place *at = &p->layout->place[s->place];
	const char *order = print_orders[s->order];
	char *value = value_text(p, s->place, s->value);
	char *x = s->is_volatile ? evr_format("(*(volatile %s *)&%s)", at->type, at->name) : print_place(p, s);
	if (s->kind == S_LOAD) {
		evr_strbuf_printf(out, "r%u = ", s->reg);
		print_load(out, x, s->order);
		evr_strbuf_puts(out, "; DONE\n");
	} else if (s->kind == S_STORE && s->from_register) {
		char *sum = evr_format(p->flavour == MIXED ? "r%u + %s" : "(r%u + %s) & 3", s->reg, value);
		print_store(out, s, x, sum);
		free(sum);
	} else if (s->kind == S_STORE) {
		print_store(out, s, x, value);
	} else if (s->kind == S_CAS) {
		print_cas(out, p, s, value);
	} else {
		evr_strbuf_printf(out, "r%u = __atomic_%s(&%s, %s, %s); DONE\n", s->reg,
				  s->kind == S_ADD ? "fetch_add" : "exchange_n", x, value, order);
	}
	free(x);
	free(value);
}

/* Where a race is must be known to those who do not ask Everett. */
static void print_line(struct evr_strbuf *out, const struct program *p, unsigned line)
{
	if (p->flavour == RACE)
		evr_strbuf_printf(out, "#line %u\n", line);
}

static void print_stmt(struct evr_strbuf *out, const struct program *p, const struct stmt *s, unsigned depth)
{
	char *condition = print_condition(p, s);
	bool guarded = s->kind <= S_CAS && s->by == BY_POINTER;
	if (guarded)
		evr_strbuf_printf(out, "%.*sif (p) {\n", (int)depth, "\t\t\t\t\t");
	print_line(out, p, s->line);
	if (p->flavour == FAULT || p->flavour == AWAIT)
		print_fault_line(out, p, s->line);
	evr_strbuf_printf(out, "%.*s", (int)(depth + guarded), "\t\t\t\t\t");
	switch (s->kind) {
	case S_LOAD:
	case S_STORE:
	case S_ADD:
	case S_EXCHANGE:
	case S_CAS:
		print_access(out, p, s);
		break;
	case S_FENCE:
		evr_strbuf_printf(out, "__atomic_thread_fence(%s);\n", print_orders[s->order]);
		break;
	case S_LOCK:
		evr_strbuf_printf(out, "pthread_mutex_lock(&m%u); DONE\n", s->place);
		break;
	case S_UNLOCK:
		evr_strbuf_printf(out, "pthread_mutex_unlock(&m%u); DONE\n", s->place);
		break;
	case S_TRYLOCK:
		evr_strbuf_printf(out, "if (!TRYLOCK(&m%u)) ", s->place);
		print_braces(out, p, s, depth);
		break;
	case S_IF:
		evr_strbuf_printf(out, "if (%s) ", condition);
		print_braces(out, p, s, depth);
		break;
	case S_LOOP:
		evr_strbuf_printf(out, "for (int i = 0; i < %d; i++) ", s->expected);
		print_braces(out, p, s, depth);
		break;
	case S_CREATE:
		evr_strbuf_printf(out, "pthread_t t%u; pthread_create(&t%u, 0, role_%llu_%u, 0);\n", s->place, s->place,
				  (unsigned long long)p->seed, s->place);
		break;
	case S_JOIN:
		evr_strbuf_printf(out, "pthread_join(t%u, 0);\n", s->place);
		break;
	case S_ASSUME:
		evr_strbuf_printf(out, program_tells(p) ? "ASSUME(%s)\n" : "everett_assume(%s);\n", condition);
		break;
	case S_CHOOSE:
		evr_strbuf_printf(out, "r%u = (int)everett_choose(%d);\n", s->reg, s->value);
		break;
	case S_FREE:
		evr_strbuf_printf(out, "%sfree(h%u); DONE\n", p->flushes ? "FLUSH " : "", s->place);
		break;
	case S_AWAIT:
	case S_RETRY:
	case S_SPIN_ON_TRYLOCK:
	case S_UPDATE:
	case S_SET:
		print_await(out, p, s, depth);
		break;
	case S_ASSERT:
		evr_strbuf_printf(out, "assert(%s);\n", condition);
		break;
	case S_NULL:
	case S_ABORT:
	case S_DIVIDE:
	case S_WRONG_UNLOCK:
	case S_SCOPE:
	case S_PUBLISH:
	case S_POINTER_LOAD:
	case S_POINTER_CLEAR:
		print_fault(out, p, s);
		break;
	case S_SECTION:
		evr_strbuf_printf(out, "%s_atomic_begin(); ", s->value ? "everett" : "__VERIFIER");
		print_braces(out, p, s, depth);
		break;
	default:
		print_sync(out, p, s, depth);
	}
	if (p->flavour == FAULT && ((s->kind <= S_CAS && s->kind != S_STORE) || s->kind == S_CHOOSE))
		evr_strbuf_printf(out, "%.*sSAY(%u, r%u)\n", (int)(depth + guarded), "\t\t\t\t\t", s->line, s->reg);
	if (guarded)
		evr_strbuf_printf(out, "%.*s}\n", (int)depth, "\t\t\t\t\t");
	free(condition);
}

void print_block(struct evr_strbuf *out, const struct program *p, const struct block *b, unsigned depth)
{
	for (size_t i = 0; i < b->len; i++)
		print_stmt(out, p, &b->data[i], depth);
}

static void print_registers(struct evr_strbuf *out, const struct program *p)
{
	evr_strbuf_printf(out, "\t%s r0 = 0, r1 = 0, r2 = 0, r3 = 0;\n", p->flavour == MIXED ? "uint64_t" : "int");
	evr_strbuf_puts(out, "\tstatic int own;\n"
			     "\tstatic pthread_mutex_t own_mutex = PTHREAD_MUTEX_INITIALIZER;\n");
	if (p->flavour == FAULT)
		evr_strbuf_puts(out, "\tint *p = NULL;\n");
}

static const char used[] = "\t(void)r0, (void)r1, (void)r2, (void)r3, (void)own, (void)own_mutex;\n";

void print_body(struct evr_strbuf *out, const struct program *p, const struct block *b)
{
	print_registers(out, p);
	print_block(out, p, b, 1);
	evr_strbuf_puts(out, used);
}

/* What is static is 0 by itself. */
static void print_initial(struct evr_strbuf *out, const struct program *p)
{
	for (unsigned k = 1; k <= p->layout->blocks; k++)
		evr_strbuf_printf(out, "\th%u = malloc(2 * sizeof(int));\n", k);
	for (unsigned v = 0; v < p->vars; v++) {
		const struct place *x = &p->layout->place[v];
		if (p->initial[v] > 0 || (!p->initial[v] && x->block))
			evr_strbuf_printf(out, "\t%s = %d;\n", x->name, p->initial[v]);
	}
	if (p->flavour == SYNC)
		print_sync_initial(out, p);
	if (p->flavour == FAULT)
		evr_strbuf_puts(out, "\tSAY(0, 0)\n");
}

/* What main does after the joins. */
static void print_end(struct evr_strbuf *out, const struct program *p)
{
	bool says = p->flavour == FAULT;
	for (unsigned v = 0; v < p->vars && p->epilogue; v++) {
		print_line(out, p, MAIN_LINES + v);
		if (says)
			print_fault_line(out, p, EPILOGUE_LINE + v);
		evr_strbuf_printf(out, "\tr%u = %s; DONE\n", v, p->layout->place[v].name);
		if (says)
			evr_strbuf_printf(out, "\tSAY(%u, r%u)\n", EPILOGUE_LINE + v, v);
	}
	print_block(out, p, &p->last, 1);
	for (unsigned k = 1; k <= p->layout->blocks && p->frees; k++) {
		print_line(out, p, MAIN_FREES + k);
		if (says)
			print_fault_line(out, p, FREES_LINE + k);
		evr_strbuf_printf(out, "\t%sfree(h%u); DONE\n", p->flushes ? "FLUSH " : "", k);
	}
}

static void print_main(struct evr_strbuf *out, const struct program *p)
{
	unsigned created = program_created(p);
	evr_strbuf_printf(out, "static void main_%llu(int order)\n{\n", (unsigned long long)p->seed);
	print_registers(out, p);
	print_initial(out, p);
	evr_strbuf_puts(out, "\tpthread_t t[4];\n");
	if (created)
		evr_strbuf_printf(out, "\tfor (int k = 0, used = 0; k < %u; k++)\n\t\tSTART(", created);
	for (unsigned k = 0; k < created; k++) {
		unsigned r = program_in_order(p, 0, k);
		evr_strbuf_printf(out, "{ %u, role_%llu_%u }, ", r, (unsigned long long)p->seed, r);
	}
	evr_strbuf_puts(out, created ? ")\n" : "\t(void)order, (void)t;\n");
	if (p->main_runs && !p->dropped[0])
		print_block(out, p, &p->role[0], 1);
	if (program_tells(p) && p->main_runs && !p->dropped[0])
		evr_strbuf_puts(out, "\tTELL(0)\n");
	for (unsigned r = 0; r < p->roles; r++)
		if (program_by_main(p, r))
			evr_strbuf_printf(out, "\tpthread_join(t[%u], 0);\n", r);
	print_end(out, p);
	if (program_tells(p))
		evr_strbuf_puts(out, "\tTELL(9)\n");
	evr_strbuf_printf(out, "%s}\n", used);
}

static void print_program(struct evr_strbuf *out, const struct program *p)
{
	evr_strbuf_printf(out, "#line 1 \"p%llu.c\"\n", (unsigned long long)p->seed);
	if (p->syncs & SYNC_ONCE)
		print_sync_once(out, p);
	for (unsigned r = 0; r < p->roles; r++)
		if (!p->dropped[r]) {
			print_fault_scopes(out, p, &p->role[r]);
			print_await_functions(out, p, &p->role[r]);
		}
	for (unsigned r = p->roles; r-- > 0;) {
		if (p->dropped[r] || (r == 0 && p->main_runs))
			continue;
		evr_strbuf_printf(out, "static void *role_%llu_%u(void *argument)\n{\n", (unsigned long long)p->seed,
				  r);
		print_body(out, p, &p->role[r]);
		if (program_tells(p))
			evr_strbuf_printf(out, "\tTELL(%u)\n", r);
		evr_strbuf_puts(out, "\treturn argument;\n}\n");
	}
	print_main(out, p);
}

/* START: the thread that comes k-th in the order; `used` holds which have been created. */
static const char prelude[] =
	"#include <assert.h>\n"
	"#include <everett.h>\n"
	"#include <pthread.h>\n"
	"#include <stdlib.h>\n"
	"static int x0, x1, x2;\n"
	"static pthread_mutex_t m0 = PTHREAD_MUTEX_INITIALIZER, m1 = PTHREAD_MUTEX_INITIALIZER;\n"
	"static int fences;\n"
	"struct role { int number; void *(*run)(void *); };\n"
	"/* Further fences, if they are asked for: 1: a barrier after stores; 2: stores in order; 3: seq_cst after all. */\n"
	"#define STORING if (fences == 2) __atomic_thread_fence(__ATOMIC_RELEASE);\n"
	"#define RELEASING(x, v) if (fences == 2) __atomic_store_n(&x, v, __ATOMIC_RELEASE); else\n"
	"#define STORED(barrier) if (fences == 1) { barrier } DONE\n"
	"#define BY_FENCE __atomic_thread_fence(__ATOMIC_SEQ_CST);\n"
	"#define BY_RMW __atomic_fetch_add(&own, 1, __ATOMIC_RELAXED);\n"
	"#define BY_STORE __atomic_store_n(&own, 1, __ATOMIC_SEQ_CST);\n"
	"#define BY_LOCK pthread_mutex_lock(&own_mutex); pthread_mutex_unlock(&own_mutex);\n"
	"#define DONE if (fences == 3) __atomic_thread_fence(__ATOMIC_SEQ_CST);\n"
	"#define TRYLOCK(m) ({ int e = pthread_mutex_trylock(m); DONE e; })\n"
	"/* Create the thread that comes k-th in the chosen order of all that main creates. */\n"
	"static int kth(int n, int k, int *order, int *used)\n"
	"{\n"
	"\tint skip = *order % (n - k), i = 0;\n"
	"\t*order /= n - k;\n"
	"\tfor (; *used >> i & 1 || skip; i++)\n"
	"\t\tskip -= !(*used >> i & 1);\n"
	"\t*used |= 1 << i;\n"
	"\treturn i;\n"
	"}\n"
	"#define START(...) { \\\n"
	"\tstatic const struct role roles[] = { __VA_ARGS__ }; \\\n"
	"\tconst struct role *r = &roles[kth(sizeof(roles) / sizeof(roles[0]), k, &order, &used)]; \\\n"
	"\tpthread_create(&t[r->number], 0, r->run, 0); \\\n"
	"}\n";

static const char *const flavour_preludes[FLAVOUR_COUNT] = {
	[ORDINARY] = "",
	[MIXED] = "#include <stdint.h>\n"
		  "static _Alignas(16) uint8_t bytes[16];\n"
		  "#define AT(type, i) (*(type *)&bytes[i])\n"
		  "#define CAS(type, x, expected, v, order) ({ \\\n"
		  "\ttype e = expected; \\\n"
		  "\t__atomic_compare_exchange_n(&x, &e, v, 0, order, __ATOMIC_RELAXED); \\\n"
		  "\te; \\\n"
		  "})\n",
	[FREE] = "static int *h1, *h2;\n",
	[AWAIT] = print_await_prelude,
	[SYNC] = print_sync_prelude,
	[FAULT] = print_fault_prelude,
	[SECTION] = "#include <stdio.h>\n"
		    "void __VERIFIER_atomic_begin(void);\n"
		    "void __VERIFIER_atomic_end(void);\n" PRINT_TELL,
	[RACE] = "#include <stdint.h>\n"
		 "static _Alignas(16) uint8_t bytes[16];\n"
		 "#define AT(type, i) (*(type *)&bytes[i])\n"
		 "static int *h1;\n",
	[C11] = print_await_prelude,
};

void programs_print(struct evr_strbuf *out, const struct program *p, size_t n, unsigned order, enum fences fences)
{
	evr_strbuf_puts(out,
			"/* Arguments: which program; then the order in which its threads are created; then 1 for a\n"
			" * seq_cst fence after every store. */\n");
	evr_strbuf_puts(out, prelude);
	evr_strbuf_puts(out, flavour_preludes[n ? p[0].flavour : ORDINARY]);
	for (size_t i = 0; i < n; i++)
		print_program(out, &p[i]);
	evr_strbuf_puts(out, "#line 1 \"main.c\"\nint main(int argc, char **argv)\n{\n");
	evr_strbuf_puts(out, "\tstatic void (*const programs[])(int) = {");
	for (size_t i = 0; i < n; i++)
		evr_strbuf_printf(out, "%smain_%llu,", i % 8 ? " " : "\n\t\t", (unsigned long long)p[i].seed);
	evr_strbuf_puts(out, "\n\t};\n");
	evr_strbuf_printf(out, "\tint order = argc > 2 ? atoi(argv[2]) : %u;\n", order);
	evr_strbuf_printf(out, "\tfences = argc > 3 ? atoi(argv[3]) : %d;\n", (int)fences);
	evr_strbuf_puts(out, "\tprograms[argc > 1 ? atoi(argv[1]) : 0](order);\n\treturn 0;\n}\n");
}
