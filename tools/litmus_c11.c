#include "litmus_c11.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

struct reader {
	struct c11_litmus *l;
	unsigned role;
	char location[MAX_VARS + 1]; /* their letters */
	struct register_name {
		char name[3];
		unsigned role, reg;
	} reg[MAX_ROLES * REGISTERS];
	unsigned registers, used[MAX_ROLES];
};

static _Noreturn void complain(const struct reader *r, const char *text)
{
	evr_die("litmus test '%s': cannot read '%s'", r->l->name, text);
}

static char *trim(char *s)
{
	while (isspace((unsigned char)*s))
		s++;
	size_t n = strlen(s);
	while (n && isspace((unsigned char)s[n - 1]))
		s[--n] = '\0';
	return s;
}

static bool is_location(const char *s)
{
	return *s >= 'u' && *s <= 'z' && (!s[1] || s[1] == '.');
}

static unsigned location_of(struct reader *r, const char *s)
{
	unsigned n = r->l->program.vars;
	for (unsigned i = 0; i < n; i++)
		if (r->location[i] == *s)
			return i;
	if (!is_location(s) || n == MAX_VARS)
		complain(r, s);
	r->location[n] = *s;
	return r->l->program.vars++;
}

/* NULL: nobody has assigned it. */
static const struct register_name *find_register(const struct reader *r, const char *s)
{
	for (unsigned i = 0; i < r->registers; i++)
		if (!strcmp(r->reg[i].name, s))
			return &r->reg[i];
	return NULL;
}

static unsigned new_register(struct reader *r, const char *s)
{
	if (find_register(r, s) || strlen(s) > 2 || r->used[r->role] == REGISTERS)
		complain(r, s);
	struct register_name *n = &r->reg[r->registers++];
	memcpy(n->name, s, strlen(s) + 1);
	n->role = r->role;
	return n->reg = r->used[r->role]++;
}

static enum order order_of(const struct reader *r, const char *s, enum order otherwise)
{
	static const struct {
		const char *name;
		enum order order;
	} orders[] = {
		{ "rlx", RELAXED }, { "acq", ACQUIRE }, { "rel", RELEASE }, { "ar", ACQ_REL }, { "sc", SEQ_CST }
	};
	const char *dot = strchr(s, '.');
	if (!dot)
		return otherwise;
	for (unsigned i = 0; i < EVR_COUNT(orders); i++)
		if (!strncmp(dot + 1, orders[i].name, strlen(orders[i].name)) &&
		    !isalpha((unsigned char)dot[1 + strlen(orders[i].name)]))
			return orders[i].order;
	complain(r, s);
}

static void push(struct reader *r, struct stmt s)
{
	evr_vec_push(&r->l->program.role[r->role], s);
}

/* xchg(x,1), add(x,1), cas(x,0,1); target NULL: what was read is of no interest. */
static void read_update(struct reader *r, const char *target, const char *s)
{
	struct stmt t = { .order = order_of(r, s, RELAXED), .reg = REGISTERS };
	char location;
	int a, b, n = sscanf(strchr(s, '('), "(%c,%d,%d)", &location, &a, &b);
	t.kind = !strncmp(s, "xchg", 4) ? S_EXCHANGE : !strncmp(s, "add", 3) ? S_ADD : S_CAS;
	if (n != (t.kind == S_CAS ? 3 : 2))
		complain(r, s);
	t.place = location_of(r, (const char[]){ location, '\0' });
	t.expected = t.kind == S_CAS ? a : 0;
	t.value = t.kind == S_CAS ? b : a;
	if (target)
		t.reg = new_register(r, target);
	push(r, t);
}

static void read_assignment(struct reader *r, char *s)
{
	char *value = strchr(s, '=');
	if (!value)
		complain(r, s);
	*value++ = '\0';
	char *target = trim(s);
	value = trim(value);
	if (strchr(value, '(')) {
		read_update(r, target, value);
	} else if (is_location(target)) {
		struct stmt t = { .kind = S_STORE, .order = order_of(r, target, PLAIN) };
		t.place = location_of(r, target);
		const struct register_name *from = find_register(r, value);
		t.from_register = from;
		t.reg = from ? from->reg : 0;
		t.value = from ? 0 : atoi(value);
		push(r, t);
	} else {
		struct stmt t = { .kind = S_LOAD, .order = order_of(r, value, PLAIN) };
		t.place = location_of(r, value);
		t.reg = new_register(r, target);
		push(r, t);
	}
}

static void read_statement(struct reader *r, char *s)
{
	if (!strncmp(s, "fence", 5))
		push(r, (struct stmt){ .kind = S_FENCE, .order = order_of(r, s, PLAIN) });
	else if (!strncmp(s, "lock ", 5) || !strncmp(s, "unlock ", 7))
		push(r, (struct stmt){ .kind = *s == 'l' ? S_LOCK : S_UNLOCK, .place = s[strlen(s) - 1] == 'n' });
	else if (strchr(s, '(') && !strchr(s, '='))
		read_update(r, NULL, s);
	else
		read_assignment(r, s);
}

/* Statements between semicolons; "m{x=1; a=y}" is "lock m; x=1; a=y; unlock m". */
static void read_thread(struct reader *r, char *text)
{
	for (char *s; (s = strsep(&text, ";"));) {
		s = trim(s);
		bool ends = *s && s[strlen(s) - 1] == '}';
		if (s[0] && s[1] == '{') {
			push(r, (struct stmt){ .kind = S_LOCK, .place = s[0] == 'n' });
			r->l->program.mutexes = MAX_MUTEXES;
			r->location[MAX_VARS] = s[0];
			s += 2;
		}
		if (ends)
			s[strlen(s) - 1] = '\0';
		read_statement(r, trim(s));
		if (ends)
			push(r, (struct stmt){ .kind = S_UNLOCK, .place = r->location[MAX_VARS] == 'n' });
	}
}

/* What main reads in the end is in its registers, in the order of the locations. */
static void read_condition(struct reader *r, char *text)
{
	struct c11_litmus *l = r->l;
	text = trim(text);
	for (char *s; (s = strsep(&text, " \t"));) {
		char *value = strchr(s, '=');
		if (!*s)
			continue;
		if (!value || l->parts == EVR_COUNT(l->part))
			complain(r, s);
		*value++ = '\0';
		const struct register_name *n = find_register(r, s);
		if (!n && !is_location(s))
			complain(r, s);
		l->part[l->parts].actor = n ? n->role : C11_MAIN;
		l->part[l->parts].reg = n ? n->reg : location_of(r, s);
		l->part[l->parts++].value = atoi(value);
		l->program.epilogue |= !n;
	}
}

bool c11_litmus_parse(struct c11_litmus *l, const char *line)
{
	struct reader r = { .l = l };
	*l = (struct c11_litmus){ .program = { .flavour = C11, .layout = layouts } };
	char *copy = evr_strdup(line), *rest = trim(copy), *field[4] = { NULL };
	bool test = *rest && *rest != '#';
	for (unsigned i = 0; i < 4 && test; i++) {
		char *end = strstr(rest, " : ");
		field[i] = rest;
		if (i < 3 && !end)
			complain(&r, line);
		if (end)
			*end = '\0';
		rest = end ? end + 3 : rest;
	}
	if (test) {
		snprintf(l->name, sizeof(l->name), "%s", trim(field[0]));
		for (char *thread = field[1], *end; thread; thread = end) {
			end = strstr(thread, "||");
			if (end) {
				*end = '\0';
				end += 2;
			}
			if (l->program.roles == MAX_ROLES)
				complain(&r, thread);
			r.role = l->program.roles++;
			read_thread(&r, thread);
		}
		read_condition(&r, field[2]);
		l->allowed = strstr(field[3], "rc11");
	}
	free(copy);
	return test;
}

void c11_litmus_release(struct c11_litmus *l)
{
	program_release(&l->program);
}

struct question {
	const struct c11_litmus *l;
	bool holds;
};

static void ask(void *context, const struct c11_outcome *o)
{
	struct question *q = context;
	bool holds = true;
	for (unsigned i = 0; i < q->l->parts; i++)
		holds &= o->reg[q->l->part[i].actor][q->l->part[i].reg] == q->l->part[i].value;
	q->holds |= holds;
}

bool c11_litmus_allowed(const struct c11_litmus *l, struct c11_options options)
{
	struct question q = { .l = l };
	struct c11_meaning m;
	options.outcome = ask;
	options.context = &q;
	define_c11(&l->program, &options, &m);
	if (m.too_large)
		evr_die("litmus test '%s' is too large", l->name);
	c11_meaning_release(&m);
	return q.holds;
}
