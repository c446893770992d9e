# Algorithms with each of their memory orders weakened, one at a time, under rc11: all of tests/orders/run.sh.
# set: long
"$TOP/tests/orders/run.sh"
