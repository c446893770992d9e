/* Every order, every size, every operation. */
#include <stdatomic.h>

atomic_char c;
atomic_short s;
atomic_int i;
atomic_long l;
_Atomic(int *) p;
_Atomic double d;
int plain;

void orders(void)
{
	atomic_load_explicit(&i, memory_order_relaxed);
	atomic_load_explicit(&i, memory_order_consume);
	atomic_load_explicit(&i, memory_order_acquire);
	atomic_load_explicit(&i, memory_order_seq_cst);
	atomic_store_explicit(&i, 1, memory_order_relaxed);
	atomic_store_explicit(&i, 1, memory_order_release);
	atomic_store_explicit(&i, 1, memory_order_seq_cst);
	atomic_fetch_add_explicit(&i, 1, memory_order_relaxed);
	atomic_fetch_add_explicit(&i, 1, memory_order_acq_rel);
}

void sizes(void)
{
	c = 1;
	s = 2;
	l = 3;
	p = 0;
	d = 1.5;
	c++;
	l += s;
}

void operations(void)
{
	atomic_exchange(&i, 1);
	atomic_fetch_add(&c, 1);
	atomic_fetch_sub(&s, 1);
	atomic_fetch_and(&i, 1);
	atomic_fetch_or(&l, 1);
	atomic_fetch_xor(&i, 1);
	__atomic_fetch_nand(&plain, 1, __ATOMIC_SEQ_CST);
	__atomic_fetch_max(&plain, 1, __ATOMIC_RELAXED);
	__atomic_fetch_min((unsigned *)&plain, 1, __ATOMIC_RELAXED);
	__sync_fetch_and_add(&plain, 1);
	__sync_lock_test_and_set(&plain, 1);
	__sync_lock_release(&plain);
}

int compare_exchange(int *expected)
{
	int one = 1;
	int done = atomic_compare_exchange_strong(&i, &one, 2);
	done += atomic_compare_exchange_weak_explicit(&i, expected, 2, memory_order_acquire, memory_order_relaxed);
	done += __sync_bool_compare_and_swap(&plain, 1, 2);
	return done;
}

void fences(void)
{
	atomic_thread_fence(memory_order_acquire);
	atomic_thread_fence(memory_order_release);
	atomic_thread_fence(memory_order_acq_rel);
	atomic_thread_fence(memory_order_seq_cst);
	atomic_signal_fence(memory_order_seq_cst);
	__sync_synchronize();
}
