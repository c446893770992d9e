#!/bin/bash
# What reports say of memory orders: who synchronises with whom, and which order would have to be stronger.
. "$(dirname "$0")/lib.bash"

# holds FILE FILTER WHAT
holds()
{
	jq -e "$2" "$1" >/dev/null || fail "$last: $1: not so: $3"
}

# Who synchronises with whom in the first finding, as "LINE>LINE ...", in the order of the events.
edges()
{
	jq -r '.results[0].findings[0].events as $all | [ $all[] | . as $from | .synchronises[] | . as $to |
		"\($from.line)>\($all[] | select(.kind != "update" and .thread == $to.thread and .index == $to.index) | .line)" ] | join(" ")' "$1"
}

# The same of the pictures: nodes are named by their places.
dot_edges()
{
	sed -nE 's/.*(f0_e[0-9]+) \[label="#[0-9]+ [a-z]+\.c:([0-9]+).*/\1 \2/p' "$1" >places
	sed -nE 's/.*(f0_e[0-9]+) -> (f0_e[0-9]+) \[.*label=sw.*/\1 \2/p' "$1" |
		awk 'NR == FNR { line[$1] = $2; next } { printf "%s%s>%s", sep, line[$1], line[$2]; sep = " " } END { print "" }' places -
}

# And of the page, whose script works them out of what it holds.
page_edges()
{
	node - "$1" <<'END'
const fs = require('fs'), page = fs.readFileSync(process.argv[2], 'utf8');
const data = JSON.parse(/id="data">\n(.*)\n/.exec(page)[1]), script = /<script>\n([^]*)<\/script>/.exec(page)[1];
const everett = new Function(script.slice(0, script.indexOf('// What is drawn')) + '\nreturn everett;')();
const x = everett.prepare(data.results[0], data.results[0].findings[0]);
console.log(x.edges.filter((e) => e.kind === 'sw').map((e) => e.from.line + '>' + e.to.line).join(' '));
END
}

# synchronises EDGES ARGUMENT...: the finding of the check has these edges, in all formats.
synchronises()
{
	local expected=$1
	shift
	run 1 "$EVERETT" check -q --json s.json --dot s.dot --html s.html "$@"
	[ "$(edges s.json)" = "$expected" ] || fail "$last: edges $(edges s.json), not $expected"
	[ "$(dot_edges s.dot)" = "$expected" ] || fail "$last: DOT has $(dot_edges s.dot), not $expected"
	command -v node >/dev/null || return
	[ "$(page_edges s.html)" = "$expected" ] || fail "$last: the page has $(page_edges s.html), not $expected"
}

# A program of two threads and an assertion that fails in the end, whatever they do: what they do is given.
two()
{
	cat <<-END
	#include <assert.h>
	#include <pthread.h>
	#include <stdatomic.h>
	static atomic_int flag, other;
	static int data;
	static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
	static void *one(void *a)
	{
	$1
	return a;
	}
	static void *two(void *a)
	{
	$2
	return a;
	}
	int main(void)
	{
		pthread_t t[2];
		pthread_create(&t[0], 0, one, 0);
		pthread_create(&t[1], 0, two, 0);
		pthread_join(t[0], 0);
		pthread_join(t[1], 0);
		(void)&lock;
		(void)&other;
		assert(!data);
		return 0;
	}
	END
}
load() { echo "atomic_load_explicit(&$1, memory_order_$2)"; }
store() { echo "atomic_store_explicit(&$1, 1, memory_order_$2);"; }
fence() { echo "atomic_thread_fence(memory_order_$1);"; }

# One line is thread one's (9), one thread two's (14).
two "data = 1; $(store flag release)" "if ($(load flag acquire)) data++;" >mp.c
synchronises "9>14" -m ra mp.c
synchronises "9>14" -m sc mp.c
# Where the assertion fails in any case, the simplest execution may be one in which the flag was not seen.
two "$(store flag release)" "if ($(load flag acquire)) data = 1;" >seen.c
synchronises "9>14" -m tso seen.c
synchronises "9>14" -m ra seen.c
two "$(store flag relaxed) data = 1;" "if ($(load flag acquire)) flag++;" >weak.c
synchronises "" -m ra weak.c
# Within a thread there is nothing to show, nor between those who only create and join.
two "$(store flag seq_cst) data = flag;" "" >alone.c
synchronises "" -m ra alone.c
# Fences stand for the accesses beside them. Where the model does nothing with them, they are events if races are looked for.
two "data = 1; $(fence release)
	$(store flag relaxed)" "if ($(load flag relaxed)) {
	$(fence acquire) data++; }" >fence.c
synchronises "9>16" -m ra fence.c
synchronises "9>16" -m sc --races fence.c
# A read-modify-write of whatever order hands on what was released.
two "$(store flag release)
	atomic_fetch_add_explicit(&flag, 1, memory_order_relaxed);" "if ($(load flag acquire) == 2) data = 1;" >rmw.c
synchronises "9>15" -m ra rmw.c
# Locks, whose order a report may have either way round.
two "pthread_mutex_lock(&lock); data++;
	pthread_mutex_unlock(&lock);" "pthread_mutex_lock(&lock); data++;
	pthread_mutex_unlock(&lock);" >lock.c
run 1 "$EVERETT" check -q -m sc --json s.json lock.c
case $(edges s.json) in
"10>15" | "16>9") ;;
*) fail "locks: $(edges s.json)" ;;
esac
# The end of a thread has no order, whatever its last access has.
holds s.json '[.results[0].findings[0].events[] | select(.kind == "exit" or .kind == "unlock") | .order] | unique == [""]' "no order"

# ---- what would have to be stronger ----

# stronger LINES ARGUMENT...: as the text report has it, and no format says anything else.
stronger()
{
	local expected=$1
	shift
	run 1 "$EVERETT" check --json s.json --dot s.dot --html s.html --sarif s.sarif --junit s.xml "$@"
	diff <(sed -n '/would be .* if$/,/^$/p' out | sed '/^$/d; s/^ *//') <(printf %s "$expected") >difference || fail "$last: $(cat difference)"
	[ "$(jq -r '.results[0].findings[0].stronger | length' s.json)" = "$(grep -c ' were ' <<<"$expected")" ] || fail "$last: JSON has others"
	jq -r '.results[0].findings[0].stronger[] | "\(.line) \(.operation) \(.location) \(.now) \(.needed)"' s.json >changes
	while read -r line operation; do
		holds s.sarif "[.runs[0].results[0].relatedLocations[] | select((.message.text | test(\"would be .* if .* were \")) and
			.physicalLocation.region.startLine == $line)] | length > 0" "$line $operation is related"
	done <changes
	[ "$(grep -c 'f0_stronger \[' s.dot)" = "$([ -s changes ] && echo 1 || echo 0)" ] || fail "$last: DOT has another note"
	[ -z "$expected" ] || [ "$(grep -o 'were [a-z_]*' s.dot)" = "$(grep -o 'were [a-z_]*' <<<"$expected")" ] || fail "$last: DOT says something else"
	[ "$(grep -c 'were [a-z_]* (it is\|were [a-z_]* on failure' s.xml)" = "$(grep -c ' were ' <<<"$expected")" ] || fail "$last: JUnit says something else"
	run 0 "$EVERETT" report s.json
	diff <(sed -n '/would be .* if$/,/^$/p' out | sed '/^$/d; s/^ *//') <(printf %s "$expected") >difference || fail "$last: $(cat difference)"
	run 1 "$EVERETT" replay s.json
	diff <(sed -n '/would be .* if$/,/^$/p' out | sed '/^$/d; s/^ *//') <(printf %s "$expected") >difference || fail "$last: $(cat difference)"
}
ordered="the two accesses would be ordered in this execution if"

# A race that an assertion does not hide.
race() { two "data = 1;
	$1" "$2
	if (data > 5) flag++;" | sed 's/assert(!data)/(void)data/'; }
race "$(store flag relaxed)" "if (!$(load flag relaxed)) return a;" >both.c
stronger "$ordered
the store to flag at both.c:10 were release (it is relaxed)
and the load of flag at both.c:15 were acquire (it is relaxed)
" -m ra both.c
stronger "$ordered
the store to flag at both.c:10 were release (it is relaxed)
and the load of flag at both.c:15 were acquire (it is relaxed)
" -m sc --races both.c
holds s.json '.results[0].findings[0].stronger == [
	{ file: "both.c", line: 10, column: 2, function: "one", operation: "store", location: "flag", now: "relaxed", needed: "release" },
	{ file: "both.c", line: 15, column: 6, function: "two", operation: "load", location: "flag", now: "relaxed", needed: "acquire" } ]' "the changes"
race "$(store flag release)" "if (!$(load flag relaxed)) return a;" >one.c
stronger "$ordered
the load of flag at one.c:15 were acquire (it is relaxed)
" -m ra one.c
race "$(store flag seq_cst)" "int no = 0;
	if (atomic_compare_exchange_strong_explicit(&flag, &no, 1, memory_order_acq_rel, memory_order_relaxed)) return a;" >cas.c
stronger "$ordered
the compare_exchange of flag at cas.c:16 were acquire on failure (it is relaxed)
" -m ra cas.c
race "$(store flag relaxed)" "if (!$(load flag relaxed)) return a; $(fence acquire)" >fence.c
stronger "$ordered
the store to flag at fence.c:10 were release (it is relaxed)
" -m ra fence.c
# No order helps: nobody has read what the other has written.
race "$(store flag relaxed)" "" >none.c
stronger "" -m ra none.c
# Nor does any where the model gives the same to all, or where an interleaving has the finding.
stronger "" -m ra mp.c
stronger "" -m rc11 mp.c

# repaired FILE: the program with the orders that its report asks for, as FILE.
repaired()
{
	jq -r '.results[0].findings[0].stronger[] | "\(.line)s/memory_order_\(.now)/memory_order_\(.needed)/"' s.json >changes.sed
	[ -s changes.sed ] || fail "$last: nothing to repair"
	sed -f changes.sed "$(jq -r '.files[0]' s.json)" >"$1"
	run 0 "$EVERETT" check -q -m rc11 "$1"
}
impossible="this execution would be impossible if"

# Where the model heeds orders: message passing, in which the message is atomic, so that nothing is a race.
message() { two "$(store other relaxed)
	$1" "if ($2) {
	${3:-}
	assert($(load other relaxed)); }"; }
message "$(store flag relaxed)" "$(load flag acquire)" >release.c
stronger "$impossible
the store to flag at release.c:10 were release (it is relaxed)
" -m rc11 release.c
repaired release_2.c
message "$(store flag relaxed)" "$(load flag relaxed)" >both.c
stronger "$impossible
the store to flag at both.c:10 were release (it is relaxed)
and the load of flag at both.c:15 were acquire (it is relaxed)
" -m rc11 both.c
repaired both_2.c
message "$(store flag seq_cst)" "$(load flag relaxed)" "$(fence release)" >fence.c
stronger "$impossible
the load of flag at fence.c:15 were acquire (it is relaxed)
" -m rc11 fence.c
repaired fence_2.c
message "$(fence acquire)
	$(store flag relaxed)" "atomic_fetch_add_explicit(&flag, 1, memory_order_release)" >rmw.c
stronger "$impossible
the store to flag at rmw.c:11 were release (it is relaxed)
and the read-modify-write of flag at rmw.c:16 were acq_rel (it is release)
" -m rc11 rmw.c
repaired rmw_2.c
# Store buffering takes four.
cp "$TOP/examples/sb.c" .
stronger "$impossible
the store to x at sb.c:12 were seq_cst (it is relaxed)
and the load of y at sb.c:13 were seq_cst (it is relaxed)
and the store to y at sb.c:19 were seq_cst (it is relaxed)
and the load of x at sb.c:20 were seq_cst (it is relaxed)
" -m rc11 sb.c
repaired sb_2.c
# Threads that wait for each other, which they do only if neither has seen that the other is there.
two "$(store flag relaxed)
	if (!$(load other relaxed)) {
	pthread_mutex_lock(&lock);
	pthread_mutex_lock(&lock2);
	pthread_mutex_unlock(&lock2);
	pthread_mutex_unlock(&lock); }" "$(store other relaxed)
	$(fence seq_cst)
	if (!$(load flag relaxed)) {
	pthread_mutex_lock(&lock2);
	pthread_mutex_lock(&lock);
	pthread_mutex_unlock(&lock);
	pthread_mutex_unlock(&lock2); }" | sed 's/^static int data.*/static pthread_mutex_t lock2 = PTHREAD_MUTEX_INITIALIZER; static int data;/' >dead.c
stronger "$impossible
the store to flag at dead.c:9 were seq_cst (it is relaxed)
and the load of other at dead.c:10 were seq_cst (it is relaxed)
" -m rc11 dead.c
holds s.json '.results[0].findings[0].kind == "deadlock"' "a deadlock"
repaired dead_2.c
# What the page on reports shows.
shown() # N: what the Nth command of that section prints
{
	sed -n '/^### Orders that would/,/^### Call stacks/p' "$TOP/docs/reports.md" |
		awk -v n="$1" '/^    \$ / { inside = ++k == n; next } /^[^ ]/ { inside = 0 } inside && /would be|were|^    [^ .]/ { print substr($0, 5) }'
}
(cd "$TOP" && "$EVERETT" check -m rc11 examples/mp.c) >out 2>err
diff <(shown 1) <(grep '^[a-z/]*mp.c:.*assertion:\|would be\| were ' out) || fail "docs/reports.md shows something else of mp.c"
(cd "$TOP/examples/tutorial" && "$EVERETT" check -m ra queue_2.c) >out 2>err
diff <(shown 2) <(grep '^queue_2.c:.*race:\|would be\| were ' out) || fail "docs/reports.md shows something else of queue_2.c"

# The notes on what RA makes of orders are RA's.
run 1 "$EVERETT" check -q -m rc11 sb.c
hasnot err "are treated as release"
finish
