#include "twin.h"

#include "base/pieces.h"
#include "base/strbuf.h"

#include <string.h>

/* A state with all kinds of pieces; its twin is a deep copy. */
struct state {
	int number;
	EVR_VEC(int) stable; /* only its end changes */
	EVR_VEC(long) vec;
	EVR_VEC(char) rare;
	EVR_VEC(double) rarer;
	int head;
	int tail[5]; /* and all from here on */
};

static void pieces(struct state *s, struct evr_pieces *p)
{
	EVR_PIECE(p, s->number);
	EVR_PIECE_LEN(p, &s->stable);
	EVR_PIECE_VEC(p, &s->vec);
	EVR_PIECES_RARE(p, s->rare.len | s->rarer.len, EVR_RARE(&s->rare), EVR_RARE(&s->rarer));
	EVR_PIECE_FROM(p, s, head);
}

static void change(struct state *s, uint64_t *random)
{
	s->number = (int)twin_random(random);
	s->head = (int)twin_random(random);
	s->tail[twin_below(random, 5)] = (int)twin_random(random);
	for (size_t n = twin_below(random, 4); n > 0; n--)
		evr_vec_push(&s->stable, (int)twin_random(random));
	s->vec.len = twin_below(random, s->vec.len + 1);
	for (size_t n = twin_below(random, 20); n > 0; n--)
		evr_vec_push(&s->vec, (long)twin_random(random));
	for (size_t i = 0; i < s->vec.len; i++)
		s->vec.data[i] ^= 1;
	s->rare.len = s->rarer.len = 0;
	if (twin_below(random, 2))
		evr_vec_push(&s->rare, (char)twin_random(random));
	if (twin_below(random, 3) == 0)
		evr_vec_push(&s->rarer, (double)twin_below(random, 1000));
}

/* Written apart from the pieces: everything that there is to a state, as text. */
static char *describe(const struct state *s)
{
	struct evr_strbuf out;
	evr_strbuf_init(&out);
	evr_strbuf_printf(&out, "%d %d", s->number, s->head);
	for (int i = 0; i < 5; i++)
		evr_strbuf_printf(&out, " %d", s->tail[i]);
	for (size_t i = 0; i < s->stable.len; i++)
		evr_strbuf_printf(&out, " s%d", s->stable.data[i]);
	for (size_t i = 0; i < s->vec.len; i++)
		evr_strbuf_printf(&out, " v%ld", s->vec.data[i]);
	for (size_t i = 0; i < s->rare.len; i++)
		evr_strbuf_printf(&out, " r%d", s->rare.data[i]);
	for (size_t i = 0; i < s->rarer.len; i++)
		evr_strbuf_printf(&out, " d%g", s->rarer.data[i]);
	return evr_strbuf_take(&out);
}

enum { STATES = 8 };

/* States are put aside one behind the other, and put back in any order; what lies between is not touched. */
static void puts_back_what_was_put_aside(void **unused)
{
	(void)unused;
	uint64_t random = 5;
	for (int round = 0; round < 300; round++) {
		struct state s = { 0 };
		struct evr_pieces p = { 0 };
		char *texts[STATES];
		size_t from[STATES];
		for (int i = 0; i < STATES; i++) {
			change(&s, &random);
			from[i] = p.at;
			pieces(&s, &p);
			texts[i] = describe(&s);
		}
		size_t end = p.at;
		p.back = true;
		for (int k = STATES; k-- > 0;) {
			change(&s, &random);
			p.at = from[k];
			pieces(&s, &p);
			assert_int_equal(p.at, k + 1 < STATES ? from[k + 1] : end);
			char *text = describe(&s);
			assert_string_equal(text, texts[k]);
			free(text);
		}
		for (int i = 0; i < STATES; i++)
			free(texts[i]);
		evr_vecs_release(&s.stable, &s.vec, &s.rare, &s.rarer);
		free(p.data);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(puts_back_what_was_put_aside),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
