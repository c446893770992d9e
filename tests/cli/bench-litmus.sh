#!/bin/bash
# make bench-litmus: its table, its files, and that it notices a wrong verdict.
. "$(dirname "$0")/lib.bash"
: "${BUILD:?names the folder with litmus-cycles}"
bench=$TOP/bench/litmus.sh
export OUT=$PWD/files

run 0 "$bench" 10
has out '^tool *model/engine *wrong *tests *executions *blocked *executions/test *CPU s *tests/s *us/execution *exploring$' \
	'^CDSChecker *ra *0 *8064 *2383704 *295.6 *388.00 *21 *162.8' '^RCMC/RC11 *ra *0 *8064 *727942 *90.3 *840.00 *10 ' \
	'^Tracer *ra *0 *8064 *521288 *64.6 *183.00 *44 *351.1' '^10 tests; .* for compiling' '^0 wrong verdicts$'
# Every row has all its numbers, and they fit each other. The last one is a difference of two times, of which ten tests give no more than noise.
cp "$OUT/litmus.csv" csv
awk -F, '$1 == "Everett" {
	pairs = pairs " " $2
	executions[$2] = $5
	bad = $3 != 0 || $4 != 10 || $5 < 10 || $6 != 0 || $7 != sprintf("%.1f", $5 / 10) || $8 <= 0 || $9 <= 0 || $10 <= 0 || $11 !~ /^-?[0-9]+\.[0-9]+$/
	if (bad)
		print "cannot be: " $0
}
END {
	if (pairs != " sc/none sc/traces sc/rf sc/rvf tso/none tso/traces tso/rf pso/none pso/traces pso/rf ra/none ra/rf rc11/none rc11/rf")
		print "pairs:" pairs
	# A class of reads-from has one trace or more, a trace one interleaving or more.
	if (executions["sc/rf"] > executions["sc/traces"] || executions["sc/traces"] > executions["sc/none"] || executions["ra/rf"] > executions["ra/none"] ||
	    executions["rc11/rf"] > executions["rc11/none"] ||
	    executions["tso/rf"] > executions["tso/traces"] || executions["pso/rf"] > executions["pso/traces"])
		print "executions"
}' csv >wrong
[ ! -s wrong ] || fail "$(cat wrong)"
[ "$(wc -l <csv)" = 19 ] || fail "not 19 lines in litmus.csv"
[ "$(grep -c '^| ' "$OUT/litmus.md")" = 19 ] || fail "not 19 rows in litmus.md"
has "$OUT/litmus.md" '^| Everett | ra/rf | 0 | 10 | ' '^| Tracer | ra | 0 | 8064 | 521288 | '

# Store buffering has three traces under sc, which are three classes. Two of these verdicts are wrong, and all engines of the model say so.
cat >sb.litmus <<'END'
SB : x=1; a=y || y=1; b=x : a=0 b=0 : tso pso
SB+sc : x=1; fence.sc; a=y || y=1; fence.sc; b=x : a=0 b=0 : pso
END
run 1 "$bench" sb.litmus
has out '^7 wrong verdicts$' '^Everett *sc/none *0 *2 ' '^Everett *sc/traces *0 *2 *6 *0 ' '^Everett *sc/rf *0 *2 *6 *0 ' '^Everett *tso/traces *0 *2 ' '^Everett *pso/none *1 *2 ' \
	'^Everett *ra/rf *1 *2 ' '^Everett *rc11/rf *1 *2 '
has err '^WRONG SB+sc pso/traces: forbidden; expected: allowed$' '^WRONG SB ra/none: allowed; expected: forbidden$'
[ "$(grep -c ^WRONG err)" = 7 ] || fail "not these seven: $(cat err)"

# What is no test.
echo 'SB : x=1; a=q : a=0 : -' >bad.litmus
run 2 "$bench" bad.litmus
: >empty.litmus
run 2 "$bench" empty.litmus
has err 'there are no tests'
finish
