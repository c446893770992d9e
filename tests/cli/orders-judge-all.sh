# `everett orders` against brute force, and its answers for all algorithms of tests/orders: each is minimal, and no repair costs more.
# set: long
. "$TOP/tests/cli/lib.bash"
run 0 "$TOP/tests/orders/judge/judge.py" "$EVERETT"
has out '^mp_fences under rc11: 169 of 225 assignments hold' '^sequence under rc11: 12 of 45 assignments hold' \
	'^sb_added under tso: 25 of 625 assignments hold, 4 fences added' '^two_stores_added under rc11: .*, 1 fences added'
cd "$TOP/tests/orders" && programs=$(ls ./*.c | sed 's|^\./||; s|\.c$||') && cd - >/dev/null
# The programs' names, one by one.
# shellcheck disable=SC2086
run 0 "$TOP/tests/orders/answers.py" "$EVERETT" $programs
hasnot out 'FAIL'
finish
