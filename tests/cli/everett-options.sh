# A checker that is started by itself takes its options from EVERETT_OPTIONS; the commands do not.
. "$TOP/tests/cli/lib.bash"
cp "$TOP/examples/sb.c" .
run 0 "$EVERETT" cc sb.c -o sb
run 1 ./sb; has err '^everett: rc11/rf: FINDING assertion'
EVERETT_OPTIONS='-m sc' run 0 ./sb; has err '^everett: sc/rf: ok, 3 executions'
EVERETT_OPTIONS='-m tso' run 1 ./sb; has err '^everett: tso/traces: FINDING assertion'
# Words with any blanks between them, as on the command line; the program's arguments stay its own.
EVERETT_OPTIONS=$' --model=sc,pso\t-q\n--keep-going --json  r.json ' run 1 ./sb -m ra; has err '^everett: sc/rf: ok' '^everett: pso/traces: FINDING'
[ -s out ] && fail "--quiet is not heard"
jq -e '.command == "run" and .args == ["-m", "ra"]' r.json >jq.log || fail "the report: $(cat jq.log)"
run 1 "$EVERETT" replay --trust-report r.json; has err '^everett: pso/traces: FINDING'
EVERETT_OPTIONS= run 1 ./sb; has err '^everett: rc11/rf: FINDING'
# Mistakes in it.
EVERETT_OPTIONS='--modle tso' run 2 ./sb; one_line; has err "unknown option '--modle'"
EVERETT_OPTIONS='-m' run 2 ./sb; has err "unknown model\|missing argument\|no checker"
EVERETT_OPTIONS='other' run 2 ./sb; one_line; has err 'more than one checker'
# Who is started by the driver is told everything by it.
EVERETT_OPTIONS='-m tso' run 0 "$EVERETT" run -m sc ./sb; has err '^everett: sc/rf: ok'
EVERETT_OPTIONS='-m tso' run 1 "$EVERETT" run ./sb; has err '^everett: rc11/rf: FINDING'
EVERETT_OPTIONS='-m tso' run 1 "$EVERETT" check sb.c; has err '^everett: rc11/rf: FINDING'
# Another driver, by its path or its name.
cat >other <<'END'
#!/bin/sh
echo "other: $*"
END
chmod +x other
EVERETT=./other EVERETT_OPTIONS='-m tso' run 0 ./sb a; has out "^other: run -m tso $PWD/sb -- a$"
PATH=$PWD:$PATH EVERETT=other run 0 ./sb; has out "^other: run $PWD/sb --$"
finish
