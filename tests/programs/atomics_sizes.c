// Objects of sizes that no instruction has, also of more than 16 bytes: the bytes always belong together. For each of 13 sizes two
// exchanges, two compare-exchanges, a store and a load, each with two orders: 2 * 3 * 13.
// everett: -Wno-atomic-alignment
// executions: sc/none:78 tso/none:78 pso/none:78 ra/none:78
// finding: none
#include "atomic_tests.h"

/* All bytes are the same in every value: this is one of them. */
static int value_of(const void *bytes, size_t size)
{
	const unsigned char *c = bytes;
	for (size_t i = 1; i < size; i++)
		assert(c[i] == c[0]);
	return c[0];
}

static int result[2];

#define SIZE(n) \
	struct bytes##n { \
		unsigned char c[n]; \
	}; \
	static struct bytes##n object##n; \
	static struct bytes##n make##n(int value) \
	{ \
		struct bytes##n b; \
		memset(&b, value, sizeof(b)); \
		return b; \
	} \
	static void begin##n(void) \
	{ \
		struct bytes##n one = make##n(1); \
		__atomic_store(&object##n, &one, __ATOMIC_SEQ_CST); \
	} \
	static int final##n(void) \
	{ \
		struct bytes##n found; \
		__atomic_load(&object##n, &found, __ATOMIC_RELAXED); \
		return value_of(&found, sizeof(found)); \
	} \
	static void *exchange##n(void *argument) \
	{ \
		size_t i = (size_t)argument; \
		struct bytes##n new = make##n((int)i + 2), old; \
		__atomic_exchange(&object##n, &new, &old, __ATOMIC_ACQ_REL); \
		result[i] = value_of(&old, sizeof(old)); \
		return NULL; \
	} \
	static void check_exchange##n(void) \
	{ \
		int last = final##n(); \
		assert((result[0] == 1 && result[1] == 2 && last == 3) || (result[1] == 1 && result[0] == 3 && last == 2)); \
	} \
	static void *compare##n(void *argument) \
	{ \
		size_t i = (size_t)argument; \
		struct bytes##n new = make##n((int)i + 2), old = make##n(1); \
		bool done = __atomic_compare_exchange(&object##n, &old, &new, 0, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED); \
		result[i] = done ? 100 : value_of(&old, sizeof(old)); \
		return NULL; \
	} \
	static void check_compare##n(void) \
	{ \
		int last = final##n(); \
		assert((result[0] == 100 && result[1] == 2 && last == 2) || (result[1] == 100 && result[0] == 3 && last == 3)); \
	} \
	static void *transfer##n(void *argument) \
	{ \
		struct bytes##n b = make##n(5); \
		if (argument) \
			__atomic_load(&object##n, &b, __ATOMIC_ACQUIRE); \
		else \
			__atomic_store(&object##n, &b, __ATOMIC_RELEASE); \
		result[(size_t)argument] = value_of(&b, sizeof(b)); \
		return NULL; \
	} \
	static void check_transfer##n(void) \
	{ \
		assert((result[1] == 1 || result[1] == 5) && final##n() == 5); \
	} \
	__attribute__((constructor)) static void add##n(void) \
	{ \
		const struct atomic_test tests[] = { { exchange##n, begin##n, check_exchange##n }, \
						     { compare##n, begin##n, check_compare##n }, \
						     { transfer##n, begin##n, check_transfer##n } }; \
		for (unsigned i = 0; i < 3; i++) \
			atomic_tests[atomic_test_count++] = tests[i]; \
	}

SIZE(3)
SIZE(5)
SIZE(6)
SIZE(7)
SIZE(9)
SIZE(10)
SIZE(12)
SIZE(15)
SIZE(17)
SIZE(20)
SIZE(24)
SIZE(33)
SIZE(64)

int main(void)
{
	atomic_tests_run(3 * 13);
	return 0;
}
