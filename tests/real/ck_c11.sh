#!/bin/sh
# Concurrency Kit in the words of C11, in the current folder, which has a copy of it:
# - Loads, stores and updates of shared memory, which are volatile accesses and __sync builtins, become relaxed atomics. What loads a pointer is
#   consume, because ck relies on the dependency of what is accessed through it.
# - Each fence becomes a site (tests/orders/sites.h). It is sequentially consistent, as in ck's port for GCC.
# - Fields that are written plainly although other threads access them by the above are written by relaxed atomics, too.
set -e
sed -i \
	-e 's/\(CK_PR_BINARY(K, \|CK_PR_UNARY(\|CK_PR_FAA(\)ptr, void, void \*/\1ptr, void, uintptr_t/' \
	-e 's/r = CK_PR_ACCESS(\*(const T \*)target);/__atomic_load((const T *)target, \&r, __ATOMIC_RELAXED);/' \
	-e 's/CK_PR_ACCESS(\*(T \*)target) = v;/__atomic_store((T *)target, \&v, __ATOMIC_RELAXED);/' \
	-e 's/r = CK_CC_DECONST_PTR(\*(volatile void \*const\*)(target));/r = __atomic_load_n((void *const *)target, __ATOMIC_CONSUME);/' \
	-e 's/\*(volatile void \*\*)target = CK_CC_DECONST_PTR(v);/__atomic_store_n((void **)target, CK_CC_DECONST_PTR(v), __ATOMIC_RELAXED);/' \
	-e 's/z = __sync_bool_compare_and_swap((T \*)target, compare, set);/z = __atomic_compare_exchange_n((T *)target, \&compare, set, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED);/' \
	-e 's/set = __sync_val_compare_and_swap((void \*\*)target, compare, set);/void *old = compare; __atomic_compare_exchange_n((void **)target, \&old, set, 0, __ATOMIC_CONSUME, __ATOMIC_CONSUME); set = old;/' \
	-e 's/set = __sync_val_compare_and_swap(target, compare, set);/T old = compare; __atomic_compare_exchange_n(target, \&old, set, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED); set = old;/' \
	-e 's/__sync_fetch_and_\(##K\|add\)(\((T \*)target\), d)/__atomic_fetch_\1(\2, d, __ATOMIC_RELAXED)/' include/gcc/ck_pr.h
if grep -nE '__sync_[a-rt-z]|volatile (void|__typeof)' include/gcc/ck_pr.h | grep -v 'define CK_PR_ACCESS'; then
	echo "ck_c11.sh: these are not atomics of C11"
	exit 1
fi
sed -i -e 's/node->locked = true;/ck_pr_store_uint(\&node->locked, true);/' -e 's/node->next = NULL;/ck_pr_store_ptr(\&node->next, NULL);/' include/spinlock/mcs.h
sed -i -e 's/thread->wait = true;/ck_pr_store_uint(\&thread->wait, true);/' include/spinlock/clh.h
for file in include/*.h include/spinlock/*.h src/*.c; do
	name=$(basename "$file" | tr . _)
	[ "$name" != ck_pr_h ] || continue
	awk -v name="$name" '{
		while (match($0, /ck_pr_fence_(strict_)?[a-z_]+\(\)/)) {
			kind = substr($0, RSTART + 12, RLENGTH - 14)
			sub(/^strict_/, "", kind)
			order = kind == "load_depends" ? "acquire" : "seq_cst"
			$0 = substr($0, 1, RSTART - 1) "FENCE(" name "_" NR "_" kind ", " order ")" substr($0, RSTART + RLENGTH)
		}
		print
	}' "$file" >"$file.new"
	mv "$file.new" "$file"
done
