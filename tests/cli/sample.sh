#!/bin/bash
# Executions drawn at random: which classes they see, against those that there are; what is said of the rest, against what is known; findings and exit status.
# SEEDS: how many samples are judged.
. "$(dirname "$0")/lib.bash"
seeds=${SEEDS:-20}

of() {
	jq -r "$1" r.json
}

is() {
	[ "$(of "$1")" = "$2" ] || fail "$last: $1 is '$(of "$1")', not '$2'"
}

run 2 "$EVERETT" sample
run 2 "$EVERETT" sample --checkpoint c.json "$TOP/examples/sb.c"
has err "option '--checkpoint' is not for 'everett sample'"
run 2 "$EVERETT" sample -m pslo "$TOP/examples/sb.c"

# Nothing is verified, whatever was seen; what was seen is the same for a seed.
for try in 1 2; do
	run 3 "$EVERETT" sample -m sc --seed 7 --max-executions 2000 --json r.json "$TOP/examples/sb.c"
	has out '^sc: [0-9]* classes of executions seen, of about [0-9.]* or more; [0-9]* pairs' '984 independent draws, 0 failed; with 95 % confidence'
	has err '2000 executions drawn at random, [0-9]* classes, limit on executions; this verifies nothing ('
	of '.results[0] | .executions, .events, .sample' >sample.$try
	is '.results[0].verdict' incomplete
	jq -c '.results[0].sample | [.executions, .confidence, .bound > 0.003039 and .bound < 0.003041]' r.json >numbers
	has numbers '^\[984,0.95,true\]$'
done
cmp -s sample.1 sample.2 || fail "the same seed: $(diff sample.1 sample.2)"

# A finding ends it, is one of the model, and can be replayed; with -k it goes on.
run 1 "$EVERETT" sample -m tso --json r.json "$TOP/examples/sb.c"
has err 'FINDING assertion at .*sb.c:[0-9]*, [0-9]* executions\{0,1\} drawn at random'
has out 'random execution [0-9]* (' "replay: everett replay 'r.json'\|replay: everett replay r.json"
run 1 "$EVERETT" replay r.json
run 1 "$EVERETT" sample -k -m tso,ra --max-executions 400 --json r.json "$TOP/examples/sb.c"
is '[.results[].executions] | join(" ")' '400 400'
is '[.results[].findings | length] | join(" ")' '1 1'
is '[.results[].sample.failing > 20] | join(" ")' 'true true'
run 0 "$EVERETT" report r.json

# The judge of what is seen: as many classes as there are, by everything that is explored; no more, and with enough draws no less.
tried=0
judge() { # MODEL EQUIVALENCE FILE OPTIONS...; DRAWS: how many are enough
	local all jobs
	"$EVERETT" check -q -k --hunt 0 -m "$1" -e "$2" --json r.json "${@:4}" "$TOP/$3" >/dev/null 2>&1
	[ "$(of '.results[0].complete')" = true ] || fail "$*: not explored"
	all=$(of '.results[0] | .executions + .blocked')
	# One process; and several, which give their ranges away all the time.
	for jobs in '' '-j 3 --restless'; do
		"$EVERETT" sample -q -k -m "$1" -e "$2" --check $jobs --max-executions "${DRAWS:-6000}" --json r.json "${@:4}" "$TOP/$3" >/dev/null 2>err
		is '.results[0].sample.classes' "$all"
		is '.results[0].sample.estimated_classes <= '"$((all + all / 10))" true
		is '.results[0] | .executions + .blocked + .truncated | . >= '"${DRAWS:-6000} and . <= ${DRAWS:-6000} + 9" true
		is '.results[0] | .verdict != "ok" and (.complete | not)' true
	done
	tried=$((tried + 1))
}
judge sc rf examples/sb.c
judge sc traces examples/sb.c
judge tso traces examples/sb.c
judge pso traces examples/sb.c
judge ra rf examples/sb.c
judge rc11 rf examples/sb.c
judge ra traces examples/mp.c
judge sc rf examples/reducing.c -DTHREADS=3
judge sc traces examples/reducing.c -DTHREADS=3
DRAWS=60000 judge sc rf examples/reducing.c -DFINE
DRAWS=60000 judge sc rf examples/reducing.c -DCHOOSE
# Two writers and no reader: the order of writes alone tells classes apart.
cat >writers.c <<'EOP'
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x, y;
static void *other(void *unused)
{
	atomic_store_explicit(&y, 1, memory_order_release);
	atomic_store_explicit(&x, 2, memory_order_release);
	return unused;
}
int main(void)
{
	pthread_t t;
	pthread_create(&t, NULL, other, NULL);
	atomic_store_explicit(&x, 1, memory_order_release);
	atomic_store_explicit(&y, 2, memory_order_release);
	pthread_join(t, NULL);
}
EOP
TOP=. judge ra traces writers.c
TOP=. judge rc11 traces writers.c
[ $tried = 13 ] || fail "$tried programs were judged"

# Pairs, by hand: each of two reads has two sources, and nobody else reads.
cat >pairs.c <<'EOP'
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x, y, a, b;
static void *other(void *unused)
{
	atomic_store(&x, 1);
	a = atomic_load(&y);
	return unused;
}
int main(void)
{
	pthread_t t;
	pthread_create(&t, NULL, other, NULL);
	atomic_store(&y, 1);
	b = atomic_load(&x);
	pthread_join(t, NULL);
}
EOP
run 3 "$EVERETT" sample -m sc --max-executions 500 --json r.json pairs.c
is '.results[0].sample.pairs' 4
run 3 "$EVERETT" sample -m sc -j 2 --max-executions 500 --json r.json pairs.c
is '.results[0].sample.pairs' 4

# The judge of what is said of the rest: one of a hundred numbers, each as likely, and one of them fails. So what was not seen is known. Of the draws, 300 are counted; that
# none of them fails has a probability of 0.05, and then what is said (less than a hundredth) is wrong.
cat >hundred.c <<'EOP'
#include <assert.h>
#include <everett.h>
int main(void)
{
	unsigned n = everett_choose(100);
	assert(n != 37);
	return 0;
}
EOP
"$EVERETT" cc -c hundred.c
# Besides, there are as many guided ones, and 32 pilots, which workers do not count.
wrong_bound=0 wrong_unseen=0
for ((seed = 1; seed <= seeds; seed++)); do
	jobs='' executions=632
	[ $((seed % 2)) = 0 ] || jobs='-j 2' executions=599
	"$EVERETT" sample -q -k --no-simplify -m sc $jobs --seed $seed --max-executions $executions --json r.json hundred.o >/dev/null 2>&1
	is '.results[0].sample.draws | . >= 298 and . <= 302' true
	wrong_bound=$((wrong_bound + $(of '.results[0].sample | if .failing == 0 and .bound < 0.01 then 1 else 0 end')))
	wrong_unseen=$((wrong_unseen + $(of '.results[0].sample | if .unseen < 1 - .drawn_classes / 100 then 1 else 0 end')))
done
# Several workers draw nothing twice: of 2000 draws of one of a million numbers, two or so are the same.
printf '#include <everett.h>\nint main(void)\n{\n\treturn everett_choose(1000) + everett_choose(1000) < 0;\n}\n' >million.c
run 3 "$EVERETT" sample -q -m sc -j 3 --restless --max-executions 4000 --json r.json million.c
is '.results[0].sample | .draws > 1900 and .drawn_classes > .draws - 20' true
# One of twenty, and three standard deviations.
allowed=$(awk -v n="$seeds" 'BEGIN { print int(n / 20 + 3 * sqrt(n * 0.0475)) }')
[ $wrong_bound -le "$allowed" ] || fail "the bound was wrong in $wrong_bound of $seeds samples"
[ $wrong_unseen -le "$allowed" ] || fail "what is said of the unseen was wrong in $wrong_unseen of $seeds samples"
[ "$seeds" -lt 1000 ] || [ $wrong_bound -gt 20 ] || fail "of $seeds samples only $wrong_bound were wrong: that is no test of anything"
finish
