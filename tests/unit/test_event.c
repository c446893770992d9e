#include "twin.h"

#include "event/event.h"

#include <math.h>
#include <string.h>

__extension__ typedef __int128 int128;

/* Values near the ends, where signed and unsigned, and narrow and wide, differ; else any. */
static evr_value some_value(uint64_t *random, unsigned size)
{
	static const int edges[] = { 0, 1, -1, 2, -2, 127, -128, 255 };
	evr_value v = (evr_value)twin_random(random) << 64 | twin_random(random);
	if (twin_below(random, 2))
		v = (evr_value)(int128)edges[twin_below(random, EVR_COUNT(edges))];
	if (twin_below(random, 4) == 0)
		v = (evr_value)1 << (8 * size - 1);
	return size == 16 ? v : v & (((evr_value)1 << (8 * size)) - 1);
}

/* What C does with variables of the type itself. */
#define PLAIN_C(name, type, stype) \
	static evr_value name(enum evr_rmw_op op, evr_value old_value, evr_value operand_value) \
	{ \
		type old = (type)old_value, operand = (type)operand_value; \
		switch (op) { \
		case EVR_RMW_XCHG: \
			old = operand; \
			break; \
		case EVR_RMW_ADD: \
			old = (type)(old + operand); \
			break; \
		case EVR_RMW_SUB: \
			old = (type)(old - operand); \
			break; \
		case EVR_RMW_AND: \
			old &= operand; \
			break; \
		case EVR_RMW_NAND: \
			old = (type) ~(old & operand); \
			break; \
		case EVR_RMW_OR: \
			old |= operand; \
			break; \
		case EVR_RMW_XOR: \
			old ^= operand; \
			break; \
		case EVR_RMW_MAX: \
			old = (stype)old > (stype)operand ? old : operand; \
			break; \
		case EVR_RMW_MIN: \
			old = (stype)old < (stype)operand ? old : operand; \
			break; \
		case EVR_RMW_UMAX: \
			old = old > operand ? old : operand; \
			break; \
		case EVR_RMW_UMIN: \
			old = old < operand ? old : operand; \
			break; \
		case EVR_RMW_UINC_WRAP: \
			old = old >= operand ? 0 : (type)(old + 1); \
			break; \
		case EVR_RMW_UDEC_WRAP: \
			old = !old || old > operand ? operand : (type)(old - 1); \
			break; \
		default: \
			assert_true(false); \
		} \
		return old; \
	}

PLAIN_C(plain1, uint8_t, int8_t)
PLAIN_C(plain2, uint16_t, int16_t)
PLAIN_C(plain4, uint32_t, int32_t)
PLAIN_C(plain8, uint64_t, int64_t)
PLAIN_C(plain16, evr_value, int128)

static void rmw_is_what_c_does(void **state)
{
	(void)state;
	static evr_value (*const plain[])(enum evr_rmw_op, evr_value, evr_value) = { plain1, plain2, plain4, plain8,
										     plain16 };
	uint64_t random = 1;
	for (unsigned k = 0; k < EVR_COUNT(plain); k++)
		for (int op = EVR_RMW_XCHG; op <= EVR_RMW_UDEC_WRAP; op++)
			for (int i = 0; i < 2000; i++) {
				if (op >= EVR_RMW_FADD && op <= EVR_RMW_FMIN)
					continue;
				evr_value old = some_value(&random, 1u << k), operand = some_value(&random, 1u << k);
				assert_true(evr_rmw_result((enum evr_rmw_op)op, old, operand, 1u << k) ==
					    plain[k]((enum evr_rmw_op)op, old, operand));
			}
}

/* All patterns of bits: infinities and what is no number, too. */
#define FLOATING(name, type, bits) \
	static void name(void **state) \
	{ \
		(void)state; \
		uint64_t random = 3; \
		for (int i = 0; i < 20000; i++) { \
			bits x = (bits)twin_random(&random), y = (bits)twin_random(&random), found; \
			if (i % 4 == 0) /* near each other, so that digits are lost */ \
				y = x ^ (bits)twin_below(&random, 1000); \
			type a, b; \
			memcpy(&a, &x, sizeof(a)); \
			memcpy(&b, &y, sizeof(b)); \
			const type expected[] = { a + b, a - b, \
						  isnan(a)            ? b \
						  : isnan(b) || a > b ? a \
								      : b, \
						  isnan(a)            ? b \
						  : isnan(b) || a < b ? a \
								      : b }; \
			for (unsigned k = 0; k < EVR_COUNT(expected); k++) { \
				type result; \
				found = (bits)evr_rmw_result((enum evr_rmw_op)(EVR_RMW_FADD + k), x, y, sizeof(a)); \
				memcpy(&result, &found, sizeof(result)); \
				assert_true(isnan(expected[k]) ? isnan(result) : result == expected[k]); \
			} \
		} \
	}

FLOATING(float_is_what_c_does, float, uint32_t)
FLOATING(double_is_what_c_does, double, uint64_t)

static void memory_goes_there_and_back(void **state)
{
	(void)state;
	unsigned char memory[40], twin[40];
	uint64_t random = 2;
	memset(memory, 0, sizeof(memory));
	memset(twin, 0, sizeof(twin));
	for (int i = 0; i < 5000; i++) {
		unsigned size = 1u << twin_below(&random, 5);
		size_t at = twin_below(&random, sizeof(memory) - size + 1);
		evr_value v = some_value(&random, size), expected = 0;
		evr_memory_store((uintptr_t)memory + at, size, v);
		for (unsigned k = 0; k < size; k++)
			twin[at + k] = (unsigned char)(v >> (8 * k));
		assert_memory_equal(memory, twin, sizeof(memory));
		at = twin_below(&random, sizeof(memory) - size + 1);
		for (unsigned k = 0; k < size; k++)
			expected |= (evr_value)twin[at + k] << (8 * k);
		assert_true(evr_memory_load((uintptr_t)memory + at, size) == expected);
	}
}

/* Kind by kind, with the result that decides for some: R reads, W writes, - neither. */
static void reads_and_writes(void **state)
{
	(void)state;
	static const struct {
		struct evr_event e;
		bool reads, writes, mutex;
	} cases[] = {
		{ { .kind = EVR_READ }, true, false, false },
		{ { .kind = EVR_WRITE }, false, true, false },
		{ { .kind = EVR_RMW }, true, true, false },
		{ { .kind = EVR_CAS, .read = 1, .expected = 1 }, true, true, false },
		{ { .kind = EVR_CAS, .read = 1, .expected = 2 }, true, false, false },
		/* A fence that updates a hidden location; one that does not has no size. */
		{ { .kind = EVR_FENCE, .size = 1 }, true, true, false },
		{ { .kind = EVR_LOCK }, true, true, true },
		{ { .kind = EVR_LOCK, .result = 35 }, true, false, true },
		{ { .kind = EVR_TRYLOCK }, true, true, true },
		{ { .kind = EVR_TRYLOCK, .result = 16 }, true, false, true },
		{ { .kind = EVR_TIMEDLOCK }, true, true, true },
		{ { .kind = EVR_TIMEDLOCK, .result = 110 }, true, false, true },
		{ { .kind = EVR_UNLOCK }, false, true, true },
		{ { .kind = EVR_UNLOCK, .result = 1 }, false, false, true },
		{ { .kind = EVR_MUTEX_INIT }, false, true, true },
		{ { .kind = EVR_MUTEX_DESTROY }, true, true, true },
		{ { .kind = EVR_CREATE }, false, false, false },
		{ { .kind = EVR_START }, false, false, false },
		{ { .kind = EVR_EXIT }, false, false, false },
		{ { .kind = EVR_JOIN }, false, false, false },
		{ { .kind = EVR_CHOOSE }, false, false, false },
		{ { .kind = EVR_FREE }, false, false, false },
		{ { .kind = EVR_UPDATE }, false, true, false },
	};
	assert_false(evr_event_reads(&(struct evr_event){ .kind = EVR_FENCE }));
	assert_false(evr_event_writes(&(struct evr_event){ .kind = EVR_FENCE }));
	for (size_t i = 0; i < EVR_COUNT(cases); i++) {
		assert_int_equal(evr_event_reads(&cases[i].e), cases[i].reads);
		assert_int_equal(evr_event_writes(&cases[i].e), cases[i].writes);
		assert_int_equal(evr_event_is_mutex(&cases[i].e), cases[i].mutex);
		/* Against each of the others, at addresses that do and do not overlap. */
		for (size_t k = 0; k < EVR_COUNT(cases); k++)
			for (uintptr_t at = 90; at < 110; at++) {
				struct evr_event a = cases[i].e, b = cases[k].e;
				a.address = 100, a.size = 4;
				b.address = at, b.size = 1u << (at & 3);
				bool common = false;
				for (uintptr_t byte = 100; byte < 104; byte++)
					common |= byte >= b.address && byte < b.address + b.size;
				bool touch = (cases[i].reads || cases[i].writes) && (cases[k].reads || cases[k].writes);
				bool expected = common && touch && (cases[i].writes || cases[k].writes);
				assert_int_equal(evr_events_conflict(&a, &b), expected);
				assert_int_equal(evr_events_conflict(&b, &a), expected);
			}
	}
}

static void names_are_there(void **state)
{
	(void)state;
	assert_string_equal(evr_event_kind_name(EVR_READ), "read");
	assert_string_equal(evr_event_kind_name(EVR_UPDATE), "update");
	assert_string_equal(evr_event_kind_name(EVR_FAULT), "fault");
	assert_string_equal(evr_event_kind_name(EVR_FAULT + 1), "?");
	assert_string_equal(evr_order_name(EVR_PLAIN), "");
	assert_string_equal(evr_order_name(EVR_SEQ_CST), "seq_cst");
	assert_string_equal(evr_order_name(EVR_SEQ_CST + 1), "?");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rmw_is_what_c_does),    cmocka_unit_test(float_is_what_c_does),
		cmocka_unit_test(double_is_what_c_does), cmocka_unit_test(memory_goes_there_and_back),
		cmocka_unit_test(reads_and_writes),      cmocka_unit_test(names_are_there),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
