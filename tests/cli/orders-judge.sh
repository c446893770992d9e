# `everett orders` against brute force over all assignments of orders, and its answers for some of the algorithms of tests/orders.
. "$TOP/tests/cli/lib.bash"
run 0 "$TOP/tests/orders/judge/judge.py" "$EVERETT" mp sb_fences two_stores_added
has out '^mp under rc11: 4 of 9 assignments hold, [1-9][0-9]* false answers rejected$' '^sb_fences under tso: 1 of 25 ' '^two_stores_added under rc11: 66 of 128 assignments hold, 1 fences added'
run 0 "$TOP/tests/orders/answers.py" "$EVERETT" seqlock ring_spsc left_right
has out '^seqlock: .* weaker orders fail$'
hasnot out 'FAIL'
finish
