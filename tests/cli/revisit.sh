#!/bin/bash
# revisit explores what rf explores, class by class, each once, where it does not refuse: the programs of bench/papers, those with accesses of different sizes, and those whose threads wait in loops.
. "$(dirname "$0")/lib.bash"
. "$TOP/tests/cli/rf-programs.bash"

says='.results[] | "\(.model): \(.executions + .truncated) executions, \(.blocked) blocked, \(.redundant) redundant, " +
	"classes \(.class_digests.rf), complete \(.complete), found: " +
	"\(.findings | map("\(.kind) at \(.file):\(.line)") | unique | join(", "))"'
compared=0 models='sc tso pso ra rc11'

# compare FILE [DEFINITION | OPTION]...
compare() {
	local file=$1 defines=() options=() word model status
	shift
	for word; do
		if [[ $word == -D* ]]; then defines+=("$word"); else options+=("$word"); fi
	done
	rm -f checker rf revisit
	"$EVERETT" check -q -m sc -e none --max-executions 1 --keep checker "${defines[@]}" "$file" >out 2>err
	[ -x checker ] || fail "$file does not compile: $(tail -n 3 err)"
	for model in $models; do
		"$EVERETT" run -k -q -m $model -e revisit --json revisit --classes classes "${options[@]}" ./checker >out 2>err </dev/null
		status=$?
		if grep -q "which equivalence 'revisit' does not support" err; then
			[ $status = 4 ] || fail "$file $*: $model: refused with status $status"
			continue
		fi
		[ $status -lt 4 ] || fail "$file $*: $model: $(tail -n 3 err)"
		"$EVERETT" run -k -q -m $model -e rf --json rf --classes classes "${options[@]}" ./checker >out 2>err </dev/null
		[ "$(jq -r "$says" revisit)" = "$(jq -r "$says" rf)" ] ||
			fail "$file $*: rf: $(jq -r "$says" rf); revisit: $(jq -r "$says" revisit)"
		compared=$((compared + 1))
	done
}

# All models with every program would take a minute; the programs take turns with some.
turn=0 turns=('tso' 'pso' 'ra')
while IFS='|' read -r program words; do
	models="sc rc11 ${turns[turn++ % 3]}"
	# shellcheck disable=SC2086
	compare "$TOP/bench/papers/$program.c" $words
done <<<"$programs"
[ $compared -ge 100 ] || fail "only $compared were compared"

compared=0 models='sc tso pso ra rc11' files=("$TOP"/tests/programs/mixed_size*.c)
for file in "${files[@]}"; do
	compare "$file"
done
[ $compared = $((5 * ${#files[@]})) ] || fail "only $compared of ${#files[@]} programs with accesses of different sizes were compared"

# Locks of several kinds, a barrier, a queue.
compared=0
while read -r program n; do
	compare "$TOP/bench/waits/$program.c" -DN=$n
done <<'END'
barrier 3
cas 3
mcs 2
msqueue 2
peterson 2
rwlock 2
seqlock 2
ticket 3
trylock 3
ttas 3
END
[ $compared = 50 ] || fail "only $compared programs whose threads wait were compared"

# The lock reads all of the mutex's word, and this a part of it.
cat >mutex.c <<'END'
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *thread(void *unused)
{
	pthread_mutex_lock(&m);
	pthread_mutex_unlock(&m);
	return unused;
}
int main(void)
{
	pthread_t t;
	pthread_create(&t, NULL, thread, NULL);
	(void)*(volatile char *)&m;
	pthread_join(t, NULL);
	return 0;
}
END
run 4 "$EVERETT" check -q -m sc -e revisit mutex.c
has err "a mutex is accessed in different sizes, which equivalence 'revisit' does not support: -e rf does"
finish
