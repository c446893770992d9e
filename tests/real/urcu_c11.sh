#!/bin/sh
# liburcu in the words of C11, in the current folder, which has a copy of it:
# - Volatile accesses to shared memory become relaxed atomics, or consume if they load a pointer; atomic operations are those of urcu_c11.h.
# - Each barrier becomes a site (tests/orders/sites.h): mb is a sequentially consistent fence, wmb release, rmb and the barrier for dependent loads,
#   which C11 does not order, acquire.
# - In wfcqueue, next pointers that are written plainly although other threads access them by the above are written by relaxed atomics, too.
set -e
cp "$(dirname "$0")/urcu_c11.h" include
sed -i -e 's/^#define _CMM_LOAD_SHARED(p).*/#define _CMM_LOAD_SHARED(p) __atomic_load_n(\&(p), C11_LOAD_ORDER(p))/' \
	-e 's/^#define _CMM_STORE_SHARED(x, v).*/#define _CMM_STORE_SHARED(x, v) __extension__ ({ __typeof__(x) _w = (v); __atomic_store_n(\&(x), _w, __ATOMIC_RELAXED); _w; })/' \
	include/urcu/system.h
[ "$(grep -cE '__ATOMIC_RELAXED|C11_LOAD_ORDER' include/urcu/system.h)" = 2 ]
sed -i -e 's/^\(\t*\)\(head->node\.next\|node->next\) = \(.*\);/\1CMM_STORE_SHARED(\2, \3);/' include/urcu/static/wfcqueue.h
for file in include/urcu/*.h include/urcu/static/*.h src/*.h src/*.c; do
	name=$(basename "$file" | tr .- __)
	awk -v name="$name" '/^[ \t]*\*|#define cmm_/ { print; next }
	{
		while (match($0, /cmm_(smp_)?(mb|rmb|wmb|read_barrier_depends)\(\)/)) {
			kind = substr($0, RSTART + 4, RLENGTH - 6)
			sub(/^smp_/, "", kind)
			order = kind == "mb" ? "seq_cst" : kind == "wmb" ? "release" : "acquire"
			$0 = substr($0, 1, RSTART - 1) "FENCE(" name "_" NR "_" kind ", " order ")" substr($0, RSTART + RLENGTH)
		}
		print
	}' "$file" >"$file.new"
	mv "$file.new" "$file"
done
