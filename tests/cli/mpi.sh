# Searches by several ranks on one machine have the counts and findings of one process. cli/mpi-all.sh has more programs, cli/mpi-hosts.sh more machines, cli/mpi-kill.sh
# loses ranks.
# set: slow
. "$TOP/tests/mpi/lib.bash"

# ---- counts and findings ----

paper fib_bench -DN=4
paper casrot -DN=8
cp "$TOP/tests/mpi/findings.c" "$TOP/tests/mpi/late.c" .
for program in findings late; do
	run 0 "$EVERETT" cc $program.c -o $program
done
agree ./fib_bench sc "1 2 4 8"
agree ./fib_bench tso 3 -j 2
agree ./casrot sc,rc11 3
agree ./findings sc,ra "2 5"
agree ./findings sc 2 -e none --max-executions 1000000
# What threads share is learned in the middle of the search, by one of the ranks: what is known at first is not what is known in the end.
known()
{
	run "$1" "$EVERETT" run -q -k -m sc --checkpoint known.json "${@:2}" ./late
	jq -r '.results[0].rest.known' known.json
}
first=$(known 3 --max-executions 2)
[ "$first" != "$(known 1)" ] || fail "nothing is learned late: $first"
agree ./late sc "2 4"

# What was executed on any of them was executed, also if it was by a job that was stopped.
run 1 "$EVERETT" run -q -k -m sc --coverage one.info ./findings
run 1 ranks 3 run -q -k -m sc --restless --coverage ranks.info ./findings
run 0 cmp one.info ranks.info
rm -rf covered
ranks 3 run -q -k -m sc --restless --max-executions 100 --checkpoint covered ./findings >out 2>err </dev/null
has err 'limit on executions'
run 1 ranks 2 resume -q --trust-report --coverage ranks.info covered
run 0 cmp one.info ranks.info

# Of robustness, what is compared is a search with two workers: which places are named in an execution depends on the engine.
run 1 "$EVERETT" robust -q -k -m tso -j 2 --json one.json "$TOP/examples/sb.c"
what one.json >expected
run 1 ranks 3 robust -q -k -m tso --json ranks.json "$TOP/examples/sb.c"
same robust

# The first finding ends the search everywhere, and the report replays it.
run 1 ranks 4 run -q -m sc --json first.json ./findings
has err 'FINDING assertion at findings.c:'
run 1 "$EVERETT" replay -q --trust-report first.json

# Draws of all ranks: no classes but those that there are, and with enough draws all of them; nothing is verified.
run 0 "$EVERETT" check -q -k -m sc -DTHREADS=3 --json one.json "$TOP/examples/reducing.c"
for n in 1 3; do
	run 3 ranks $n sample -q -m sc --restless --check --timeout 1 -DTHREADS=3 --json ranks.json "$TOP/examples/reducing.c"
	[ "$(jq '.results[0].sample.classes' ranks.json)" = "$(jq '.results[0] | .executions + .blocked' one.json)" ] || fail "sample: $(jq -c '.results[0].sample' ranks.json)"
	jq -e '.results[0] | .verdict == "incomplete" and (.complete | not) and .sample.failing == 0 and .sample.draws > 100' ranks.json >/dev/null || fail "sample: $(cat ranks.json)"
done
run 1 ranks 3 sample -q -m sc --json ranks.json findings.c
has err 'FINDING assertion at findings.c:'
run 1 "$EVERETT" replay -q --trust-report ranks.json

# A search that cannot be divided is one of rank 0.
run 0 ranks 2 check -m sc -e rvf -DN=3 "$TOP/bench/papers/fib_bench.c"
has err 'note: one rank was used'

# ---- limits, and status ----

run 3 ranks 2 run -q -m sc --max-executions 50 ./fib_bench
has err 'incomplete, .* limit on executions'
paper lastzero -DN=20
run 3 ranks 3 run -q -m sc --timeout 1 --json ranks.json ./lastzero
has err 'stopped at the time limit'
run 2 ranks 2 check -q none.c
has err "cannot open 'none.c'"
run 2 ranks 2 replay first.json
has err "'replay' is not a command of everett-mpi"
run 2 ranks 2 run -q --classes classes ./fib_bench
has err "option '--classes' works on one machine only"

# ---- checkpoints ----

# total DIR: executions of the last epoch, over all ranks.
total()
{
	cat "$1"/*-"$(cut -f 1 "$1"/*.parts)"-*.part | awk -F '\t' '$1 == "rest" { n += $4 } END { print n }'
}
paper fib_bench -DN=5
run 0 "$EVERETT" run -q -m sc --json one.json ./fib_bench
what one.json >expected
run 3 ranks 3 run -q -m sc --checkpoint d --timeout 0.5 --restless --json ranks.json ./fib_bench
[ "$(total d)" = "$(jq '.results[0].executions' ranks.json)" ] || fail "$last: $(total d) executions are saved, not those of the report"
cp -r d e
run 3 ranks 2 resume -q --trust-report --restless --timeout 0.5 --json ranks.json d
[ "$(total d)" = "$(jq '.results[0].executions' ranks.json)" ] || fail "$last: $(total d) executions are saved"
run 0 ranks 4 resume -q --trust-report --json ranks.json d
same 'resumed by more ranks'
[ "$(echo d/*)" = d/search.json ] || fail "parts are left: $(echo d/*)"
run 0 "$EVERETT" resume -q --trust-report --json ranks.json e
same 'resumed by one process'

# A part that is missing, damaged, or of another epoch is no part.
run 3 ranks 2 run -q -m sc --checkpoint f --timeout 0.5 --restless ./fib_bench
part=$(echo f/sc-"$(cut -f 1 f/sc.parts)"-1.part)
cp "$part" kept
sed -i 's/^rest\t\([^\t]*\)/&0/' "$part"
run 2 "$EVERETT" resume -q --trust-report f
has err "'$part' is damaged"
rm "$part"
run 2 "$EVERETT" resume -q --trust-report f
has err "cannot open '$part'"
mv kept "$part"
run 2 ranks 2 run -q --checkpoint one.json ./fib_bench
has err "the checkpoint of several ranks is a directory, and 'one.json' is a file"

# ---- Ctrl-C ----

# mpirun sends SIGTERM to all ranks: what was explored up to then is reported and saved.
mpirun --quiet -n 3 "$mpi" run -q -m sc --checkpoint g --json ranks.json ./lastzero >out 2>err </dev/null &
pid=$!
until_exists g/sc.parts $pid
sleep 1
kill -INT $pid
wait $pid
last='Ctrl-C'
has err 'incomplete, .* interrupted'
[ "$(total g)" = "$(jq '.results[0].executions' ranks.json)" ] || fail "Ctrl-C: $(total g) executions are saved"

# ---- who may take part ----

# A rank on a machine of another type.
last='another machine'
mpirun --quiet -n 1 "$mpi" run -q ./fib_bench : -n 1 setarch i686 "$mpi" run -q ./fib_bench >out 2>err </dev/null && fail "$last: not refused"
has err 'rank 1 (.*) is a machine of type i686, and rank 0 (.*) is of type '
# Another version.
last='another version'
cp "$mpi" other
version=$("$EVERETT" --version | cut -d ' ' -f 2)
LC_ALL=C sed -i "s/\x00$version\x00/\x00${version%?}x\x00/" other
chmod +x other
mpirun --quiet -n 1 "$mpi" run -q ./fib_bench : -n 1 ./other run -q ./fib_bench >out 2>err </dev/null && fail "$last: not refused"
has err "rank 1 (.*) has everett-mpi ${version%?}x, and rank 0 (.*) has $version"
# Other addresses.
last='other addresses'
mpirun --quiet -n 1 "$mpi" run -q ./fib_bench : -n 1 sh -c "ulimit -s unlimited; exec $mpi run -q ./fib_bench" >out 2>err </dev/null && fail "$last: not refused"
has err 'rank 1 (.*) cannot take part: addresses are not those of rank 0'
finish
