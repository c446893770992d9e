/* Flavour `section`: two or three accesses that are one step, among others that are not. */
#include "random.h"

bool random_section(struct maker *m, struct block *b)
{
	struct stmt s = { .kind = S_SECTION, .value = random_percent(m, 50) };
	unsigned k = random_below(m, m->p->mutexes), held = m->held;
	bool locks = m->features & F_LOCKS && random_percent(m, 20), one = random_percent(m, 15);
	bool was_held = held >> k & 1;
	enum stmt_kind first = was_held ? S_UNLOCK : S_LOCK, last = was_held ? S_LOCK : S_UNLOCK;
	m->nested_block = true;
	if (locks) {
		evr_vec_push(&s.body, ((struct stmt){ .kind = first, .place = k }));
		m->held ^= 1u << k;
	}
	random_block(m, &s.body, one ? 1 : 2 + random_percent(m, 40));
	if (locks)
		evr_vec_push(&s.body, ((struct stmt){ .kind = last, .place = k }));
	m->held = held;
	/* A section within a section is a part of it. */
	if (random_percent(m, 10)) {
		struct stmt outer = { .kind = S_SECTION };
		evr_vec_push(&outer.body, s);
		random_block(m, &outer.body, 1);
		s = outer;
	}
	m->nested_block = false;
	evr_vec_push(b, s);
	return true;
}
