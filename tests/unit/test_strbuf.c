#include "twin.h"

#include "base/strbuf.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 200000 };

static void assert_same(const struct evr_strbuf *b, const char *twin, size_t len)
{
	assert_int_equal(b->len, len);
	assert_true(b->cap > b->len);
	assert_memory_equal(b->text, twin, len);
	assert_int_equal(b->text[len], '\0');
}

/* The twin is an array large enough for everything. */
static void against_an_array(void **state)
{
	(void)state;
	static char twin[MOST], piece[600];
	for (uint64_t seed = 1; seed <= 20; seed++) {
		uint64_t random = seed;
		size_t len = 0;
		struct evr_strbuf b;
		evr_strbuf_init(&b);
		assert_same(&b, twin, 0);
		for (int step = 0; step < 400; step++) {
			size_t n = twin_below(&random, twin_below(&random, 10) ? 40 : sizeof(piece));
			for (size_t i = 0; i < n; i++)
				piece[i] = (char)(1 + twin_below(&random, 255));
			piece[n] = '\0';
			switch (twin_below(&random, 20)) {
			case 0:
				evr_strbuf_clear(&b);
				len = 0;
				n = 0;
				break;
			case 1: {
				char *text = evr_strbuf_take(&b);
				assert_memory_equal(text, twin, len);
				assert_int_equal(text[len], '\0');
				free(text);
				assert_null(b.text);
				if (twin_below(&random, 2))
					evr_strbuf_init(&b); /* either way, it can be used again */
				else
					evr_strbuf_puts(&b, "x"), evr_strbuf_clear(&b);
				len = 0;
				n = 0;
				break;
			}
			case 2: /* bytes may be zero */
				memset(piece, 0, n);
				evr_strbuf_add(&b, piece, n);
				break;
			case 3:
			case 4:
			case 5:
				n = 1;
				piece[0] |= 1;
				evr_strbuf_putc(&b, piece[0]);
				break;
			case 6:
			case 7:
			case 8:
			case 9: {
				int number = (int)twin_random(&random);
				static char copy[sizeof(piece)];
				memcpy(copy, piece, n + 1);
				evr_strbuf_printf(&b, "%d<%.*s>%%", number, 500, copy);
				n = (size_t)snprintf(piece, sizeof(piece), "%d<%.*s>%%", number, 500, copy);
				break;
			}
			case 10:
				evr_strbuf_printf(&b, "%s", "");
				n = 0;
				break;
			default:
				evr_strbuf_puts(&b, piece);
			}
			memcpy(twin + len, piece, n);
			len += n;
			assert_same(&b, twin, len);
		}
		evr_strbuf_release(&b);
		assert_null(b.text);
	}
}

/* Every length around the sizes at which the buffer grows, by each way of adding. */
static void every_boundary(void **state)
{
	(void)state;
	static char text[300];
	for (size_t n = 0; n < sizeof(text) - 1; n++) {
		memset(text, 'x', n);
		text[n] = '\0';
		for (int way = 0; way < 3; way++) {
			struct evr_strbuf b;
			evr_strbuf_init(&b);
			if (way == 0)
				evr_strbuf_puts(&b, text);
			else if (way == 1)
				evr_strbuf_printf(&b, "%s", text);
			else
				for (size_t i = 0; i < n; i++)
					evr_strbuf_putc(&b, 'x');
			assert_same(&b, text, n);
			evr_strbuf_release(&b);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(against_an_array),
		cmocka_unit_test(every_boundary),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
