#!/bin/bash
# The judge is judged: each mutant below is the archive with one deliberate fault, and the judge must notice it within a
# minute. tests/judge/mutants.sh [NAME...]; without names, all of them. Environment: BUILD, CC, CFLAGS.
set -u
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1
BUILD=${BUILD:-build}
CC=${CC:-gcc}
CFLAGS=${CFLAGS:--O2 -g}
SECONDS_ALLOWED=${SECONDS_ALLOWED:-60}
[[ $BUILD == /* ]] || BUILD=$PWD/$BUILD
wanted=$*
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0 tried=0

fail() {
	echo "FAILED: $*"
	failures=$((failures + 1))
}

# mutant NAME [FILE EXPRESSION]...: the sed expression changes FILE, and with it one member of the archive.
mutant() {
	local name=$1 dir=$work/$1/build
	shift
	[[ -z $wanted || " $wanted " == *" $name "* ]] || return
	tried=$((tried + 1))
	mkdir -p "$dir"
	ln -s "$PWD/include" "$work/$name/include"
	cp "$BUILD/everett" "$BUILD/libeverett.a" "$dir"
	while [ $# -gt 1 ]; do
		change "$1" "$2" || return
		shift 2
	done
	try
	rm -rf "$dir"
}

change() {
	local file=$1 expression=$2 copy=$dir/${1##*/}
	sed -E "$expression" "$file" >"$copy"
	if cmp -s "$file" "$copy"; then
		fail "$name: the expression does not change $file"
		return 1
	fi
	# shellcheck disable=SC2086
	if ! "$CC" -c "$copy" -o "${copy%.c}.o" -std=gnu11 $CFLAGS -fPIC -D_GNU_SOURCE -Isrc -Iinclude; then
		fail "$name: $file does not compile"
		return 1
	fi
	ar r "$dir/libeverett.a" "${copy%.c}.o"
}

try() {
	local status start=$SECONDS
	timeout $((SECONDS_ALLOWED + 60)) "$BUILD/judge" --everett="$dir/everett" --count=1000000 --batch=100 \
		--seconds="$SECONDS_ALLOWED" --no-shrink --keep="$work/$name/mismatches" >"$work/$name/out" 2>&1
	status=$?
	if [ $status = 1 ]; then
		echo "ok $name: $(sed -n 's/^judge: //p;' "$work/$name/out" | head -n 1), after $((SECONDS - start)) s"
	else
		fail "$name: not noticed (exit status $status)"
		tail -n 5 "$work/$name/out"
	fi
}

mutant fence-does-not-drain src/event/event.c 's/return evr_event_order\(e\) == EVR_SEQ_CST;/return false;/'
mutant load-skips-newest-own-store src/model/buffer.c '/^static evr_value load/,/^}/s/i < b->len/i + 1 < b->len/'
mutant rmw-does-not-wait src/event/event.c '/^bool evr_event_flushes/,/^}/s/case EVR_UPDATE:/& case EVR_RMW: case EVR_CAS:/'
mutant lock-does-not-wait src/event/event.c '/^bool evr_event_flushes/,/^}/s/case EVR_UPDATE:/& case EVR_LOCK: case EVR_UNLOCK:/'
mutant tso-not-first-in-first-out src/model/tso.c 's/evr_buffers_begin\(w, true\)/evr_buffers_begin(w, false)/; s/\(a->kind == EVR_WRITE \&\& b->kind == EVR_READ\)/(a->kind == EVR_WRITE)/'
# Both the steps and the axioms of PSO let a seq_cst store pass earlier ones to other locations.
mutant pso-seq-cst-store-overtakes src/model/buffer.c '
s/evr_event_flushes\(&w->pending\[t\]\) && buffers_of\(w\)->of\[t\].len/must_wait(w, \&buffers_of(w)->of[t], \&w->pending[t])/
s/^bool evr_buffers_ready/static bool must_wait(const struct evr_world *w, const evr_buffer *b, const struct evr_event *e)\
{\
	if (!(w->model->fences >> EVR_RELEASE \& 1) || e->kind != EVR_WRITE)\
		return evr_event_flushes(e) \&\& b->len;\
	for (size_t i = 0; i < b->len; i++)\
		if (evr_event_flushes(e) \&\& b->data[i].address == e->address)\
			return true;\
	return false;\
}\
\
&/' src/model/pso.c '
s/if \(evr_event_flushes\(a\) \|\| evr_event_flushes\(b\)\)/if ((evr_event_flushes(a) || evr_event_flushes(b)) \&\& (a->kind != EVR_WRITE || b->kind != EVR_WRITE))/'
mutant pso-release-fence-ignored src/model/buffer.c 's/b->released\[e->thread\] = w->trace.counts\[e->thread\];/;/' src/model/pso.c 's/ \|\| release_fence_between\(t, a, b\)/ \&\& (release_fence_between(t, a, b) || true)/'
mutant pso-release-store-overtakes src/model/buffer.c 's/b->fifo \|\| evr_event_order\(e\) == EVR_RELEASE/b->fifo/' src/model/pso.c 's/return b->site->order == EVR_RELEASE \|\|/return/'
# Steps and axioms of RA use the same functions: the self-check is as wrong as the model.
mutant ra-no-from-reads src/model/ra.c 's/evr_graph_add_fr\(g, r, byte\);//'
mutant ra-read-may-skip src/model/ra.c '/^static bool possible/,/^}/s/&& consistent_at/\&\& (e->kind == EVR_READ || consistent_at/; /^static bool possible/,/^}/s/byte\);$/byte));/; s/evr_map_get\(&ra->graph.byte_of, e->address\)\);/evr_map_get(\&ra->graph.byte_of, e->address);/'
# Atomicity follows from from-reads, too: a read-modify-write must lose both.
mutant ra-rmw-not-atomic src/model/ra.c '/^static bool atomic_at/,/^}/s/if \(before != r->source\)/if (false)/' src/event/graph.c '
/^void evr_graph_add_fr/,/^}/s/byte != x->byte\)/(byte != x->byte || evr_event_writes(\&g->trace->events.data[x->read])))/'
mutant ra-write-only-last src/model/ra.c '/^static void access_steps/,/^}/s/try_choice\(w, e, EVR_NO_EVENT, out\);/if (e->kind != EVR_WRITE || !w->trace.events.len) &/'
mutant mutex-taken-while-held src/model/model.c 's/return !m->lock \|\| evr_mutex_held_by\(m, t\);/return true;/'
mutant shadow-write-after-read src/runtime/shadow.c 's/write \? v->read \| v->written : v->written/v->written/'

[ $tried -gt 0 ] || fail "no mutant is called $wanted"
echo "$((tried - failures)) of $tried mutants noticed"
[ $failures = 0 ]
