/*
 * The machine: a program for Everett that does what its first argument says. The judge compiles it once (judge --machine) and explores thousands of random
 * programs with it, which are data (encode.c). It judges engines and models; what compiling adds to a program, other runs judge.
 *
 * Numbers are characters, from '!' for 0. The constants K_* and OP_* come from encode.c, and stand before this text. Statements follow each other
 * by recursion: the only loops are those of the random program.
 */
#include <assert.h>
#include <everett.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <unistd.h>

#define NUMBER(text, i) ((text)[i] - '!')

struct role {
	const char *first, *end;
	int number;
};

static int x[4];
static pthread_mutex_t m[2] = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER };
static pthread_t t[4];
static struct role roles[4];
static int tells;

#define EACH_ORDER(DO) \
	DO(K_RELAXED, __ATOMIC_RELAXED) \
	DO(K_ACQUIRE, __ATOMIC_ACQUIRE) \
	DO(K_CONSUME, __ATOMIC_CONSUME) \
	DO(K_RELEASE, __ATOMIC_RELEASE) DO(K_ACQ_REL, __ATOMIC_ACQ_REL) DO(K_SEQ_CST, __ATOMIC_SEQ_CST)

static int load(int *at, int order)
{
	switch (order) {
	case K_PLAIN:
		return *at;
	case K_RELAXED:
		return __atomic_load_n(at, __ATOMIC_RELAXED);
	case K_ACQUIRE:
		return __atomic_load_n(at, __ATOMIC_ACQUIRE);
	case K_CONSUME:
		return __atomic_load_n(at, __ATOMIC_CONSUME);
	default:
		return __atomic_load_n(at, __ATOMIC_SEQ_CST);
	}
}

static void store(int *at, int value, int order)
{
	switch (order) {
	case K_PLAIN:
		*at = value;
		break;
	case K_RELAXED:
		__atomic_store_n(at, value, __ATOMIC_RELAXED);
		break;
	case K_RELEASE:
		__atomic_store_n(at, value, __ATOMIC_RELEASE);
		break;
	default:
		__atomic_store_n(at, value, __ATOMIC_SEQ_CST);
	}
}

static int add(int *at, int value, int order)
{
	switch (order) {
#define ADD(number, word) \
	case number: \
		return __atomic_fetch_add(at, value, word);
		EACH_ORDER(ADD)
	}
	return 0;
}

static int exchange(int *at, int value, int order)
{
	switch (order) {
#define EXCHANGE(number, word) \
	case number: \
		return __atomic_exchange_n(at, value, word);
		EACH_ORDER(EXCHANGE)
	}
	return 0;
}

#define CAS(at, expected, value, weak, word, failure) \
	switch (failure) { \
	case K_ACQUIRE: \
		return __atomic_compare_exchange_n(at, expected, value, weak, word, __ATOMIC_ACQUIRE); \
	case K_CONSUME: \
		return __atomic_compare_exchange_n(at, expected, value, weak, word, __ATOMIC_CONSUME); \
	case K_SEQ_CST: \
		return __atomic_compare_exchange_n(at, expected, value, weak, word, __ATOMIC_SEQ_CST); \
	default: \
		return __atomic_compare_exchange_n(at, expected, value, weak, word, __ATOMIC_RELAXED); \
	}

static int strong(int *at, int *expected, int value, int order, int failure)
{
	switch (order) {
#define STRONG(number, word) \
	case number: \
		CAS(at, expected, value, 0, word, failure)
		EACH_ORDER(STRONG)
	}
	return 0;
}

static int weak(int *at, int *expected, int value, int order, int failure)
{
	switch (order) {
#define WEAK(number, word) \
	case number: \
		CAS(at, expected, value, 1, word, failure)
		EACH_ORDER(WEAK)
	}
	return 0;
}

static int cas(const char *op, int *expected, int value)
{
	int *at = &x[NUMBER(op, OP_PLACE)], order = NUMBER(op, OP_ORDER), failure = NUMBER(op, OP_FAILURE);
	return NUMBER(op, OP_WEAK) ? weak(at, expected, value, order, failure)
				   : strong(at, expected, value, order, failure);
}

static void fence(int order)
{
	switch (order) {
#define FENCE(number, word) \
	case number: \
		__atomic_thread_fence(word); \
		break;
		EACH_ORDER(FENCE)
	}
}

static int condition(const char *op, const int *r)
{
	return (r[NUMBER(op, OP_REG)] == NUMBER(op, OP_VALUE)) != NUMBER(op, OP_NEGATED);
}

static void tell(int role, const int *r)
{
	if (tells)
		printf("%d:%lx ", role, ((r[0] * 64ul + r[1]) * 64 + r[2]) * 64 + r[3]);
}

static void take_pause(int kind, int *n)
{
	if (kind == K_YIELD)
		sched_yield();
	if (kind == K_CPU)
		__builtin_ia32_pause();
	if (kind == K_SLEEP)
		usleep(1);
	if (kind == K_BACK_OFF) {
		for (int k = 0; k < *n; k++)
			sched_yield();
		if (*n < 4)
			*n += *n;
	}
}

/* As flavour `await` has it (print_await.c). */
static void await(const char *op, int *r)
{
	int *at = &x[NUMBER(op, OP_PLACE)], *at2 = &x[NUMBER(op, OP_PLACE2)], found;
	int order = NUMBER(op, OP_ORDER), value = NUMBER(op, OP_VALUE), expected = NUMBER(op, OP_EXPECTED);
	if (NUMBER(op, OP_EITHER)) {
		if (NUMBER(op, OP_NEGATED))
			while (load(at, order) == value && load(at2, order) != expected)
				;
		else
			while (load(at, order) != value && load(at2, order) != expected)
				;
	} else {
		do
			found = load(at, order);
		while ((found == value) == NUMBER(op, OP_NEGATED));
		if (NUMBER(op, OP_FROM_REGISTER))
			r[NUMBER(op, OP_REG)] = found;
	}
}

static void run(const char *op, const char *end, int *r);

static void retry(const char *op, const char *body, const char *end, int *r)
{
	int n = 1, most = NUMBER(op, OP_EXPECTED);
	if (!most) {
		for (;;) {
			run(body, end, r);
			if (condition(op, r))
				return;
			take_pause(NUMBER(op, OP_PAUSE), &n);
		}
	}
	for (r[NUMBER(op, OP_INDEX)] = 0; r[NUMBER(op, OP_INDEX)] < most; r[NUMBER(op, OP_INDEX)]++) {
		run(body, end, r);
		if (condition(op, r))
			return;
		take_pause(NUMBER(op, OP_PAUSE), &n);
	}
}

static void *role(void *argument)
{
	const struct role *own = argument;
	int r[4] = { 0, 0, 0, 0 };
	run(own->first, own->end, r);
	tell(own->number, r);
	return 0;
}

static void loop(const char *op, const char *body, const char *end, int *r, int rounds)
{
	if (!rounds)
		return;
	run(body, end, r);
	if (!condition(op, r))
		loop(op, body, end, r, rounds - 1);
}

static void run(const char *op, const char *end, int *r)
{
	if (op >= end)
		return;
	const char *body = op + OP_SIZE, *other = body + OP_SIZE * NUMBER(op, OP_BODY);
	const char *next = other + OP_SIZE * NUMBER(op, OP_OTHER);
	int *at = &x[NUMBER(op, OP_PLACE)], *reg = &r[NUMBER(op, OP_REG)], n = 1;
	int order = NUMBER(op, OP_ORDER), value = NUMBER(op, OP_VALUE), place = NUMBER(op, OP_PLACE);
	switch (NUMBER(op, OP_KIND)) {
	case K_LOAD:
		*reg = load(at, order);
		break;
	case K_STORE:
		store(at, NUMBER(op, OP_FROM_REGISTER) ? (*reg + value) & 3 : value, order);
		break;
	case K_ADD:
		*reg = add(at, value, order);
		break;
	case K_EXCHANGE:
		*reg = exchange(at, value, order);
		break;
	case K_CAS:
		*reg = NUMBER(op, OP_EXPECTED);
		cas(op, reg, value);
		break;
	case K_UPDATE:
		n = cas(op, reg, (*reg + value) & 3);
		r[NUMBER(op, OP_INDEX)] = n;
		break;
	case K_SET:
		*reg = value;
		break;
	case K_FENCE:
		fence(order);
		break;
	case K_LOCK:
		pthread_mutex_lock(&m[place]);
		break;
	case K_UNLOCK:
		pthread_mutex_unlock(&m[place]);
		break;
	case K_TRYLOCK:
		if (!pthread_mutex_trylock(&m[place])) {
			run(body, other, r);
			pthread_mutex_unlock(&m[place]);
		} else {
			run(other, next, r);
		}
		break;
	case K_SPIN_ON_TRYLOCK:
		while (pthread_mutex_trylock(&m[place]))
			take_pause(NUMBER(op, OP_PAUSE), &n);
		break;
	case K_IF:
		if (condition(op, r))
			run(body, other, r);
		else
			run(other, next, r);
		break;
	case K_LOOP:
		loop(op, body, other, r, NUMBER(op, OP_EXPECTED));
		break;
	case K_AWAIT:
		await(op, r);
		break;
	case K_RETRY:
		retry(op, body, other, r);
		break;
	case K_CREATE:
		pthread_create(&t[place], 0, role, &roles[place]);
		break;
	case K_JOIN:
		pthread_join(t[place], 0);
		break;
	case K_ASSUME:
		if (tells && !condition(op, r))
			printf("- ");
		everett_assume(condition(op, r));
		break;
	case K_CHOOSE:
		*reg = (int)everett_choose((unsigned)value);
		break;
	case K_ASSERT:
		assert(condition(op, r));
		break;
	}
	run(next, end, r);
}

static void read_last(int v, int vars, int *r)
{
	if (v == vars)
		return;
	r[v] = x[v];
	read_last(v + 1, vars, r);
}

/* Head: how many roles, variables, what main does; initial values; of each role how many statements, and whether main joins it; which main creates. */
int main(int argc, char **argv)
{
	if (argc < 2)
		return 0;
	const char *head = argv[1], *text = head + HEAD_SIZE;
	int count = NUMBER(head, HEAD_ROLES), vars = NUMBER(head, HEAD_VARS), main_runs = NUMBER(head, HEAD_MAIN_RUNS);
	int r[4] = { 0, 0, 0, 0 };
	tells = NUMBER(head, HEAD_TELLS);
	for (int k = 0; k < count; k++) {
		roles[k].number = k;
		roles[k].first = text;
		text += OP_SIZE * NUMBER(head, HEAD_LENGTHS + k);
		roles[k].end = text;
	}
	for (int v = 0; v < vars; v++)
		if (NUMBER(head, HEAD_INITIAL + v))
			x[v] = NUMBER(head, HEAD_INITIAL + v);
	for (int k = 0; k < NUMBER(head, HEAD_CREATED); k++) {
		int which = NUMBER(head, HEAD_ORDER + k);
		pthread_create(&t[which], 0, role, &roles[which]);
	}
	if (main_runs) {
		run(roles[0].first, roles[0].end, r);
		tell(0, r);
	}
	for (int k = 0; k < count; k++)
		if (NUMBER(head, HEAD_JOINED + k))
			pthread_join(t[k], 0);
	if (NUMBER(head, HEAD_EPILOGUE))
		read_last(0, vars, r);
	tell(9, r);
	return 0;
}
