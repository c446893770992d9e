// Every kind of atomic operation at every size, by one thread: the values must be right. One execution.
// executions: sc/none:1
// finding: none
#include <assert.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#define ALL(T) \
	do { \
		static _Atomic(T) a = 5; \
		assert(atomic_load(&a) == 5 && atomic_load_explicit(&a, memory_order_relaxed) == 5); \
		assert(atomic_load_explicit(&a, memory_order_acquire) == 5 && atomic_load_explicit(&a, memory_order_consume) == 5); \
		atomic_store_explicit(&a, 6, memory_order_relaxed); \
		atomic_store_explicit(&a, 7, memory_order_release); \
		atomic_store(&a, 8); \
		assert(atomic_exchange(&a, 12) == 8); \
		assert(atomic_fetch_add(&a, 3) == 12 && a == 15); \
		assert(atomic_fetch_sub_explicit(&a, 5, memory_order_acq_rel) == 15 && a == 10); \
		assert(atomic_fetch_and(&a, 6) == 10 && a == 2); \
		assert(atomic_fetch_or(&a, 5) == 2 && a == 7); \
		assert(atomic_fetch_xor(&a, 3) == 7 && a == 4); \
		T old = 3; \
		assert(!atomic_compare_exchange_strong(&a, &old, 9) && old == 4 && a == 4); \
		assert(atomic_compare_exchange_weak(&a, &old, 9) && a == 9); \
		assert(a++ == 9 && --a == 9 && (a += 2) == 11 && (a *= 2) == 22 && (a /= 4) == 5); \
		static T p = 40; \
		assert(__sync_fetch_and_add(&p, 2) == 40 && __sync_add_and_fetch(&p, 1) == 43); \
		assert(__sync_val_compare_and_swap(&p, 43, 50) == 43 && !__sync_bool_compare_and_swap(&p, 43, 50)); \
		assert(__sync_lock_test_and_set(&p, 60) == 50); \
		__sync_lock_release(&p); \
		assert(p == 0); \
		assert(__sync_or_and_fetch(&p, 12) == 12 && __sync_fetch_and_nand(&p, 8) == 12 && p == (T)~8); \
		__atomic_store_n(&p, 33, __ATOMIC_SEQ_CST); \
		assert(__atomic_load_n(&p, __ATOMIC_ACQUIRE) == 33 && __atomic_exchange_n(&p, 34, __ATOMIC_RELAXED) == 33); \
		assert(__atomic_add_fetch(&p, 1, __ATOMIC_RELEASE) == 35 && __atomic_fetch_nand(&p, 3, __ATOMIC_SEQ_CST) == 35); \
		assert(p == (T)~3); \
		T in = 50, out = 0, expected = 50; \
		__atomic_store(&p, &in, __ATOMIC_RELEASE); \
		__atomic_load(&p, &out, __ATOMIC_ACQUIRE); \
		assert(out == 50 && __atomic_compare_exchange(&p, &expected, &out, 0, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED)); \
		T m = 10; \
		assert(__atomic_fetch_max(&p, m, __ATOMIC_SEQ_CST) == 50 && __atomic_fetch_min(&p, m, __ATOMIC_SEQ_CST) == 50 && p == 10); \
	} while (0)
int main(void)
{
	ALL(uint8_t);
	ALL(int8_t);
	ALL(uint16_t);
	ALL(int16_t);
	ALL(uint32_t);
	ALL(int);
	ALL(uint64_t);
	ALL(long);
	static atomic_flag flag = ATOMIC_FLAG_INIT;
	assert(!atomic_flag_test_and_set(&flag) && atomic_flag_test_and_set_explicit(&flag, memory_order_acquire));
	atomic_flag_clear(&flag);
	assert(!atomic_flag_test_and_set(&flag));
	static _Atomic bool b;
	assert(!atomic_exchange(&b, true) && b);
	static _Atomic(int *) p;
	static int array[4];
	p = array;
	assert(atomic_fetch_add(&p, 2) == array && p == array + 2 && ++p == array + 3);
	static _Atomic double d = 1.5;
	d += 2.25;
	assert(d == 3.75);
	static _Atomic float f = 1.5f;
	f = f * 2;
	assert(f == 3.0f);
	static _Atomic int8_t negative = -3;
	int8_t five = 5;
	assert(__atomic_fetch_max((int8_t *)&negative, five, __ATOMIC_SEQ_CST) == -3 && negative == 5);
	atomic_thread_fence(memory_order_seq_cst);
	atomic_thread_fence(memory_order_release);
	atomic_signal_fence(memory_order_acq_rel);
	__sync_synchronize();
	atomic_int i;
	atomic_init(&i, 4);
	assert(i == 4 && atomic_is_lock_free(&i));
	return 0;
}
