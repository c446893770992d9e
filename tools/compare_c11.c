#include "compare_c11.h"

/* ---- programs ---- */

static bool is_load(const struct stmt *s)
{
	return s->kind == S_LOAD || s->kind == S_AWAIT;
}

static bool is_cas(const struct stmt *s)
{
	return s->kind == S_CAS || s->kind == S_UPDATE;
}

static bool is_access(const struct stmt *s)
{
	return s->kind <= S_CAS || is_load(s) || is_cas(s);
}

static bool is_acquire(enum order o)
{
	return o == ACQUIRE || o == CONSUME;
}

static bool is_ra_access(const struct stmt *s)
{
	if (is_load(s))
		return is_acquire(s->order);
	if (s->kind == S_STORE)
		return s->order == RELEASE;
	return s->order == ACQ_REL && (!is_cas(s) || is_acquire(s->failure));
}

static void look_at_access(struct c11_kinds *k, const struct stmt *s, bool in_loop)
{
	if (s->order == PLAIN) {
		k->plain = true;
		return;
	}
	k->only_sc &= s->order == SEQ_CST && (!is_cas(s) || s->failure == SEQ_CST);
	k->only_ra &= is_ra_access(s);
	if (is_cas(s) && s->weak) {
		k->weak |= 1u << s->place;
		k->weak_loop |= in_loop;
	}
	k->counted &= !(in_loop && (s->kind == S_UPDATE || s->kind == S_AWAIT)) && !k->weak_loop;
}

static void look_at(struct c11_kinds *k, const struct block *b, bool in_loop)
{
	for (size_t i = 0; i < b->len; i++) {
		const struct stmt *s = &b->data[i];
		if (is_access(s))
			look_at_access(k, s, in_loop);
		/* A trylock that fails is a relaxed read, which SC and RA do not know. */
		if (s->kind == S_TRYLOCK)
			k->only_sc = k->only_ra = false;
		if (s->kind == S_FENCE) {
			k->only_sc &= s->order == SEQ_CST;
			k->only_ra = false;
		}
		k->loops |= s->kind == S_AWAIT || s->kind == S_RETRY || s->kind == S_SPIN_ON_TRYLOCK;
		look_at(k, &s->body, in_loop || s->kind == S_RETRY);
		look_at(k, &s->other, in_loop);
	}
}

struct c11_kinds c11_kinds_of(const struct program *p)
{
	struct c11_kinds k = { .only_sc = true, .only_ra = true, .counted = true };
	for (unsigned r = 0; r < p->roles; r++)
		if (!p->dropped[r])
			look_at(&k, &p->role[r], false);
	return k;
}

/* ---- results ---- */

static char *differing_results(const struct run *r, const struct c11_meaning *m)
{
	size_t i = 0;
	while (i < r->results.len && i < m->results.len && r->results.data[i] == m->results.data[i])
		i++;
	if (i == r->results.len && i == m->results.len)
		return NULL;
	bool surplus = i == m->results.len || (i < r->results.len && r->results.data[i] < m->results.data[i]);
	return evr_format("%zu results, and there should be %zu\n  one that %s: %#llx", r->results.len, m->results.len,
			  surplus ? "should not be there" : "is missing",
			  (unsigned long long)(surplus ? r->results.data[i] : m->results.data[i]));
}

/* A thread that alone accesses a location makes no choice before a weak compare-exchange that fails anyway. */
static bool are_counted(const struct program *p, const struct c11_meaning *m)
{
	struct c11_kinds k = c11_kinds_of(p);
	/* The machine keeps registers in memory, so that its loops are told apart from those of a compiled program. */
	if (run_data && k.loops)
		return false;
	return k.counted && !m->no_progress && !m->both && !(k.weak & ~m->shared);
}

/* Does the run tell how many modification orders there are? */
static bool tells_orders(const struct run *r)
{
	return !strcmp(r->engine, "none") || !strcmp(r->engine, "traces");
}

char *c11_differing(const struct run *r, const struct c11_meaning *m, const struct program *p, bool classes)
{
	size_t n = r->classes[EVR_CLASS_RF].len, deadlocks = run_findings(r, "deadlock ");
	size_t waits = run_findings(r, "no-progress ");
	char *why = differing_results(r, m);
	/* NEEDSWORK: with --spurious-cas, that a loop around a weak compare-exchange waits for ever is not found. */
	bool overlooked = !waits && c11_kinds_of(p).weak_loop;
	if (!why && (deadlocks ? !m->deadlock && !m->both : m->deadlock))
		why = evr_format("%zu deadlocks, and there should be %s", deadlocks, m->deadlock ? "some" : "none");
	if (!why && (waits ? !m->no_progress && !m->both : m->no_progress) && !overlooked)
		why = evr_format("%zu loops wait for ever, and there should be %s", waits,
				 m->no_progress ? "some" : "none");
	if (!why && m->both && !deadlocks && !waits && !overlooked)
		why = evr_strdup("neither a deadlock nor a loop that waits for ever is found");
	if (!why && classes && n != m->classes && are_counted(p, m))
		why = evr_format("%zu rf classes, and there should be %llu", n, (unsigned long long)m->classes);
	n = r->classes[EVR_CLASS_TRACE].len;
	if (!why && classes && tells_orders(r) && n != m->pairs && are_counted(p, m))
		why = evr_format("%zu trace classes, and there should be %llu", n, (unsigned long long)m->pairs);
	return why;
}

static bool has_result(const uint64_t *results, size_t n, uint64_t result)
{
	while (n && results[n - 1] != result)
		n--;
	return n;
}

char *c11_differing_between(const struct run *r, const struct c11_meaning *loud, const struct c11_meaning *quiet,
			    const struct program *p, bool classes)
{
	size_t n = r->classes[EVR_CLASS_RF].len;
	for (size_t i = 0; i < loud->results.len; i++)
		if (!has_result(r->results.data, r->results.len, loud->results.data[i]))
			return evr_format("a result is missing: %#llx", (unsigned long long)loud->results.data[i]);
	if (classes && (n < loud->classes || n > quiet->classes) && are_counted(p, loud))
		return evr_format("%zu rf classes, and there should be %llu to %llu", n,
				  (unsigned long long)loud->classes, (unsigned long long)quiet->classes);
	n = r->classes[EVR_CLASS_TRACE].len;
	if (classes && tells_orders(r) && (n < loud->pairs || n > quiet->pairs) && are_counted(p, loud))
		return evr_format("%zu trace classes, and there should be %llu to %llu", n,
				  (unsigned long long)loud->pairs, (unsigned long long)quiet->pairs);
	return c11_surplus(r, quiet);
}

char *c11_surplus(const struct run *r, const struct c11_meaning *m)
{
	for (size_t i = 0; i < r->results.len; i++)
		if (!has_result(m->results.data, m->results.len, r->results.data[i]))
			return evr_format("a result that C11 does not allow: %#llx",
					  (unsigned long long)r->results.data[i]);
	return NULL;
}
