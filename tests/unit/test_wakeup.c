#include "twin.h"

#include "base/strbuf.h"
#include "explore/wakeup.h"

#include <stdlib.h>
#include <string.h>

/*
 * Small cases, worked out by hand. Thread 0 is main and has created all others; the text of a tree is its branches in order,
 * each followed by what is below it in brackets: "1(2 u1) 3" begins with a step of thread 1 or of thread 3, and u1 is an
 * update of thread 1.
 */
enum { X = 1000, Y = 1008, Z = 1016 };

static struct evr_trace trace;
static struct evr_hb hb;
static struct evr_wakeup wakeup;
static evr_tree tree;
/* What the sequence is to have, and what it is to do without. */
enum { MOST = 10 };
static struct evr_op ops[2 * MOST];
static struct evr_item in[MOST], without[MOST];
static size_t ins, outs;

static int setup(void **state)
{
	(void)state;
	evr_trace_begin(&trace, 0);
	evr_hb_init(&hb, &trace);
	wakeup = (struct evr_wakeup){ .hb = &hb, .blocked = EVR_NO_THREAD };
	evr_wakeup_clear(&wakeup);
	tree = EVR_NO_TREE;
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	evr_hb_release(&hb);
	evr_wakeup_release(&wakeup);
	return 0;
}

/* ---- what happened ---- */

static evr_event_id happens(struct evr_event e)
{
	e.source = EVR_NO_EVENT;
	evr_event_id id = evr_trace_append(&trace, &e);
	evr_hb_add(&hb);
	return id;
}

static evr_event_id read(evr_thread_id t, uintptr_t address, uint32_t size)
{
	return happens((struct evr_event){ .thread = t, .kind = EVR_READ, .address = address, .size = size });
}

static evr_event_id write(evr_thread_id t, uintptr_t address)
{
	return happens((struct evr_event){ .thread = t, .kind = EVR_WRITE, .address = address, .size = 4 });
}

static evr_event_id store(evr_thread_id t, uintptr_t address)
{
	return happens((struct evr_event){
		.thread = t, .kind = EVR_WRITE, .flags = EVR_BUFFERED, .address = address, .size = 4 });
}

static evr_event_id update(evr_event_id of)
{
	struct evr_event e = trace.events.data[of];
	e.kind = EVR_UPDATE;
	e.flags = 0;
	e.barrier = e.index;
	return happens(e);
}

static struct evr_op make(struct evr_step step, struct evr_access access)
{
	struct evr_op op = { step, access, 0 };
	op.elsewhere = ~evr_op_places(&op);
	return op;
}

static struct evr_op op_of(evr_event_id id)
{
	const struct evr_event *e = &trace.events.data[id];
	if (e->kind == EVR_UPDATE)
		return make((struct evr_step){ (uint16_t)(EVR_MAX_THREADS + e->thread), e->index },
			    hb.events.data[id].access);
	return make((struct evr_step){ e->thread, 0 }, hb.events.data[id].access);
}

static struct evr_op choice(evr_thread_id t, uint32_t k)
{
	return make((struct evr_step){ t, k }, (struct evr_access){ 0 });
}

static bool conflict(evr_event_id a, evr_event_id b)
{
	struct evr_op x = op_of(a), y = op_of(b);
	bool answer = evr_ops_conflict(&hb, &x, &y);
	assert_int_equal(evr_ops_conflict(&hb, &y, &x), answer);
	if (answer) {
		assert_true(evr_op_near(&x) & evr_op_places(&y));
		assert_true(evr_op_near(&y) & evr_op_places(&x));
	}
	return answer;
}

/* ---- trees as text ---- */

static void write_tree(struct evr_strbuf *out, evr_tree t)
{
	for (evr_tree b = t; b != EVR_NO_TREE; b = wakeup.branches.data[b].next) {
		const struct evr_branch *x = &wakeup.branches.data[b];
		bool is_update = x->op.step.actor >= EVR_MAX_THREADS;
		evr_strbuf_printf(out, "%s%s%u", b == t ? "" : " ", is_update ? "u" : "",
				  x->op.step.actor % EVR_MAX_THREADS);
		if (!is_update && x->op.step.variant)
			evr_strbuf_printf(out, "+%u", x->op.step.variant);
		if (x->below == EVR_NO_TREE)
			continue;
		evr_strbuf_puts(out, "(");
		write_tree(out, x->below);
		evr_strbuf_puts(out, ")");
	}
}

static void tree_is(const char *expected)
{
	struct evr_strbuf text;
	evr_strbuf_init(&text);
	write_tree(&text, tree);
	char *s = evr_strbuf_take(&text);
	assert_string_equal(s, expected);
	free(s);
}

static void begin(void)
{
	ins = outs = 0;
}

static void then(struct evr_op op, evr_event_id id)
{
	ops[ins + outs] = op;
	in[ins] = (struct evr_item){ &ops[ins + outs], ~ops[ins + outs].elsewhere, id, false, false };
	ins++;
}

static void leave_out(evr_event_id id)
{
	ops[ins + outs] = op_of(id);
	without[outs] = (struct evr_item){ &ops[ins + outs], ~ops[ins + outs].elsewhere, id, false, false };
	outs++;
}

static bool plan(const struct evr_op *asleep, evr_tree *where, evr_event_id last)
{
	uint64_t actors = 0;
	bool updates = false;
	for (size_t i = 0; i < ins + outs; i++)
		updates |= ops[i].step.actor >= EVR_MAX_THREADS;
	for (size_t i = 0; i + 1 < ins; i++)
		actors |= UINT64_C(1) << in[i].op->step.actor % 64;
	evr_wakeup_begin(&wakeup, 2 * MOST);
	memcpy(wakeup.sequence.data, in, (ins - 1) * sizeof(*in));
	memcpy(wakeup.left_out.data, without, outs * sizeof(*without));
	evr_wakeup_built(&wakeup, wakeup.sequence.data + ins - 1, wakeup.left_out.data + outs, actors, updates);
	evr_wakeup_append(&wakeup, in[ins - 1].op, in[ins - 1].event);
	return evr_wakeup_insert(&wakeup, asleep, asleep != NULL, where, last);
}

/* The sequence of these events. What is asleep is one step, or none. */
static bool insert(const evr_event_id *ids, size_t n, const struct evr_op *asleep)
{
	begin();
	for (size_t i = 0; i < n; i++)
		then(op_of(ids[i]), ids[i]);
	return plan(asleep, &tree, ids[n - 1]);
}

#define INSERT(asleep, ...) \
	insert((const evr_event_id[]){ __VA_ARGS__ }, EVR_COUNT(((const evr_event_id[]){ __VA_ARGS__ })), asleep)

/* ---- the cases ---- */

static void steps_that_conflict(void **state)
{
	(void)state;
	evr_event_id r1 = read(1, X, 4), r2 = read(2, X, 4), w3 = write(3, X), y = write(2, Y),
		     tail = read(1, X + 3, 1);
	evr_event_id next = read(1, X + 4, 4);
	assert_false(conflict(r1, r2));
	assert_true(conflict(r1, w3));
	assert_true(conflict(tail, w3));
	assert_false(conflict(next, w3));
	assert_false(conflict(y, w3));
	/* A thread and its buffer are no two threads; nor are two updates of a buffer. */
	evr_event_id s = store(1, X), u = update(s), v = update(store(1, Y)), mine = read(1, X, 4);
	assert_false(conflict(u, mine));
	assert_false(conflict(u, v));
	assert_true(conflict(u, r2));
	/* Two choices of one event exclude each other, those of two threads do not. */
	struct evr_op one = choice(1, 1), two = choice(1, 2), other = choice(2, 1);
	assert_true(evr_ops_conflict(&hb, &one, &two));
	assert_false(evr_ops_conflict(&hb, &one, &other));
}

static void forwarded_bytes_conflict_with_nobody(void **state)
{
	(void)state;
	evr_event_id s = store(1, X), all = read(1, X, 4), more = read(1, X, 8);
	evr_event_id w = write(2, X), behind = write(2, X + 4), u = update(s);
	assert_false(conflict(all, w));
	assert_false(conflict(more, w));
	assert_true(conflict(more, behind));
	/* Once the store is in memory, the same load would read that. */
	struct evr_op load = op_of(all), taken = op_of(u), other = op_of(w);
	struct evr_op after = evr_op_after(&hb, &load, &taken);
	assert_true(evr_ops_conflict(&hb, &after, &other));
	after = evr_op_after(&hb, &load, &other);
	assert_false(evr_ops_conflict(&hb, &after, &other));
}

static void a_branch_is_the_past_of_its_end(void **state)
{
	(void)state;
	evr_event_id a = write(1, X), b = write(2, Y), c = read(1, Z, 4), d = read(3, X, 4);
	/* Thread 3 reads what 1 wrote; 2 has nothing to do with it, and what 1 does later neither. */
	assert_true(INSERT(NULL, a, b, c, d));
	tree_is("1(3)");
}

static void an_initial_that_is_asleep_covers(void **state)
{
	(void)state;
	evr_event_id a = write(1, X), b = write(2, Y), c = read(2, X, 4);
	struct evr_op asleep = op_of(b);
	assert_true(INSERT(&asleep, a, b, c));
	tree_is("");
	/* The first step of 1 is no initial of this: 2 has read X before. Asleep it does not cover, and must be awoken. */
	setup(state);
	evr_event_id r = read(2, X, 4), w = write(1, X), z = write(2, Z), end = read(3, Z, 4);
	asleep = op_of(w);
	assert_true(INSERT(&asleep, r, w, z, end));
	tree_is("2(2(3))");
}

static void what_is_independent_and_asleep_covers(void **state)
{
	(void)state;
	evr_event_id a = write(1, X), c = read(2, X, 4), other = write(3, Y);
	struct evr_op asleep = op_of(other);
	/* But an execution that goes on differently may conflict with it: this must be asked again. */
	assert_false(INSERT(&asleep, a, c));
	tree_is("");
	/* Not if its event is among those that are left out: so is then whatever comes later and conflicts. */
	begin();
	then(op_of(a), a);
	leave_out(other);
	then(op_of(c), c);
	assert_true(plan(&asleep, &tree, other));
	tree_is("");
}

/* The load finds its own store in memory. Without the update it takes it from the buffer, and conflicts with nobody. */
static void a_load_without_its_update_is_forwarded(void **state)
{
	(void)state;
	evr_event_id s = store(1, X), u = update(s), own = read(1, X, 4), r = read(1, Y, 4), w = write(2, X),
		     y = write(2, Y);
	struct evr_op asleep = op_of(w);
	for (int left = 0; left < 2; left++) {
		tree = EVR_NO_TREE;
		begin();
		if (left)
			leave_out(u);
		then(op_of(own), own);
		then(op_of(r), r);
		then(op_of(y), y);
		plan(&asleep, &tree, y);
		tree_is(left ? "" : "1(1(2))");
	}
}

/* Thread 2 is asleep at its read of X. The end does not need the write to X, but the sleeper must be awoken by something. */
static void a_sleeper_is_awoken(void **state)
{
	(void)state;
	evr_event_id w = write(1, X), y = write(4, Y), end = read(3, Y, 4), sleeper = read(2, X, 4);
	struct evr_op asleep = op_of(sleeper);
	assert_true(INSERT(&asleep, w, y, end));
	tree_is("1(4(3))");
}

static void branches_are_shared(void **state)
{
	(void)state;
	evr_event_id a = write(1, X), b = read(2, X, 4), c = read(3, X, 4), d = write(4, Y), e = read(5, Y, 4);
	assert_true(INSERT(NULL, a, b));
	tree_is("1(2)");
	/* The same again is there already. */
	assert_true(INSERT(NULL, a, b));
	tree_is("1(2)");
	/* 2 is independent of all of this, and the end of the branch: whatever comes may follow there. */
	assert_false(INSERT(NULL, a, c));
	tree_is("1(2)");
	/* So are 1 and 2 of these. */
	assert_false(INSERT(NULL, d, e));
	tree_is("1(2)");
	/* A write to X by 6 comes before that of 1: no branch fits. */
	evr_event_id f = write(6, X);
	struct evr_op first = op_of(f);
	begin();
	then(first, EVR_NO_EVENT);
	assert_true(plan(NULL, &tree, f));
	tree_is("1(2) 6");
	/* This one goes along with 1; then 6 is before 2, which therefore does not fit. */
	begin();
	then(op_of(a), a);
	then(first, EVR_NO_EVENT);
	plan(NULL, &tree, f);
	tree_is("1(2 6) 6");
	/* Only a branch with nothing below it is that step and no more. */
	assert_false(evr_wakeup_plans(&wakeup, tree, op_of(a).step));
	assert_true(evr_wakeup_plans(&wakeup, tree, first.step));
	assert_false(evr_wakeup_plans(&wakeup, tree, op_of(b).step));
}

static void choices_are_branches_of_their_own(void **state)
{
	(void)state;
	for (uint32_t k = 1; k <= 3; k++) {
		struct evr_op asleep = choice(1, 0);
		begin();
		then(choice(1, k == 3 ? 1 : k), EVR_NO_EVENT);
		assert_true(plan(&asleep, &tree, 0));
	}
	tree_is("1+1 1+2");
}

static void a_blocked_lock_has_a_past(void **state)
{
	(void)state;
	/* Thread 2 has read what 1 wrote, and now waits for a mutex; 3 has nothing to do with it. */
	evr_event_id w = write(1, X), r = read(2, X, 4), z = write(3, Z);
	wakeup.blocked = 2;
	begin();
	then(op_of(w), w);
	then(op_of(r), r);
	then(op_of(z), z);
	then(make((struct evr_step){ 2, 0 }, (struct evr_access){ 2000, 40, EVR_ACCESS_WRITE, 0 }), EVR_NO_EVENT);
	assert_true(plan(NULL, &tree, EVR_NO_EVENT));
	tree_is("1(2(2))");
}

/* An update that a load of its own thread follows stays before it: else the load would be forwarded, another step. */
static void a_load_keeps_its_update(void **state)
{
	(void)state;
	evr_event_id s = store(1, X), u = update(s), own = read(1, X, 4), y = write(1, Y), end = read(2, Y, 4);
	assert_false(evr_hb_before(&hb, u, own));
	assert_true(INSERT(NULL, u, own, y, end));
	tree_is("u1(1(1(2)))");
}

static void branches_are_taken_in_order(void **state)
{
	(void)state;
	evr_tree below;
	for (uint16_t i = 1; i <= 3; i++) {
		begin();
		then(make((struct evr_step){ i, 0 }, (struct evr_access){ X, 4, EVR_ACCESS_WRITE, 0 }), EVR_NO_EVENT);
		plan(NULL, &tree, 0);
	}
	tree_is("1 2 3");
	assert_int_equal(evr_wakeup_take(&wakeup, &tree, &below).step.actor, 1);
	assert_true(below == EVR_NO_TREE);
	evr_tree rest = tree;
	assert_int_equal(evr_wakeup_take(&wakeup, &rest, &below).step.actor, 2);
	tree = rest;
	tree_is("3");
	/* Branches that were taken are used again. */
	evr_tree other = EVR_NO_TREE;
	begin();
	then(make((struct evr_step){ 4, 0 }, (struct evr_access){ X, 4, EVR_ACCESS_WRITE, 0 }), EVR_NO_EVENT);
	plan(NULL, &other, 0);
	assert_int_equal(wakeup.branches.len, 3);
	tree = evr_wakeup_concat(&wakeup, other, tree);
	tree_is("4 3");
	tree = evr_wakeup_concat(&wakeup, EVR_NO_TREE, tree);
	tree_is("4 3");
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(steps_that_conflict),
		CASE(forwarded_bytes_conflict_with_nobody),
		CASE(a_branch_is_the_past_of_its_end),
		CASE(an_initial_that_is_asleep_covers),
		CASE(what_is_independent_and_asleep_covers),
		CASE(a_load_without_its_update_is_forwarded),
		CASE(a_sleeper_is_awoken),
		CASE(branches_are_shared),
		CASE(choices_are_branches_of_their_own),
		CASE(a_blocked_lock_has_a_past),
		CASE(a_load_keeps_its_update),
		CASE(branches_are_taken_in_order),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
