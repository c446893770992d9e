/*
 * liburcu's atomic operations in the words of C11. Those that return a value are documented to be full memory barriers, before and behind them: these are
 * fences that can be weakened (tests/orders/sites.h), and the operations are relaxed. The others are only relaxed.
 */
#ifndef REAL_URCU_C11_H
#define REAL_URCU_C11_H

/* Of pointers consume, because liburcu relies on the dependency of what is accessed through them. 5: a pointer. */
#define C11_LOAD_ORDER(p) (__builtin_classify_type(p) == 5 ? __ATOMIC_CONSUME : __ATOMIC_RELAXED)

#define uatomic_cmpxchg(addr, old, new) \
	__extension__({ \
		__typeof__(*(addr)) old_ = (__typeof__(*(addr)))(old), new_ = (__typeof__(*(addr)))(new); \
		FENCE(uatomic_cmpxchg_before, seq_cst); \
		__atomic_compare_exchange_n(addr, &old_, new_, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED); \
		FENCE(uatomic_cmpxchg_behind, seq_cst); \
		old_; \
	})

#define uatomic_xchg(addr, new) \
	__extension__({ \
		__typeof__(*(addr)) new_ = (__typeof__(*(addr)))(new); \
		FENCE(uatomic_xchg_before, seq_cst); \
		new_ = __atomic_exchange_n(addr, new_, __ATOMIC_RELAXED); \
		FENCE(uatomic_xchg_behind, seq_cst); \
		new_; \
	})

#define uatomic_add_return(addr, v) \
	__extension__({ \
		FENCE(uatomic_add_return_before, seq_cst); \
		__typeof__(*(addr)) sum_ = __atomic_add_fetch(addr, v, __ATOMIC_RELAXED); \
		FENCE(uatomic_add_return_behind, seq_cst); \
		sum_; \
	})

#define uatomic_add(addr, v) ((void)__atomic_fetch_add(addr, v, __ATOMIC_RELAXED))
#define uatomic_and(addr, v) ((void)__atomic_fetch_and(addr, v, __ATOMIC_RELAXED))
#define uatomic_or(addr, v) ((void)__atomic_fetch_or(addr, v, __ATOMIC_RELAXED))
#define cmm_smp_mb__before_uatomic_add() FENCE(mb_before_uatomic_add, seq_cst)
#define cmm_smp_mb__after_uatomic_add() FENCE(mb_behind_uatomic_add, seq_cst)
#define cmm_smp_mb__before_uatomic_and() FENCE(mb_before_uatomic_and, seq_cst)
#define cmm_smp_mb__after_uatomic_and() FENCE(mb_behind_uatomic_and, seq_cst)
#define cmm_smp_mb__before_uatomic_or() FENCE(mb_before_uatomic_or, seq_cst)
#define cmm_smp_mb__after_uatomic_or() FENCE(mb_behind_uatomic_or, seq_cst)

#endif
