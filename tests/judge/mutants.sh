#!/bin/bash
# The judge is judged: each mutant below is the archive with one deliberate fault, and the judge must notice it within a
# minute. tests/judge/mutants.sh [NAME...]; without names, all of them. Environment: BUILD, CC, CFLAGS; DRY: if not empty, see
# only whether the mutants can be built; EXPRESSIONS: only whether they change anything; JOBS.
set -u
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1
BUILD=${BUILD:-build}
CC=${CC:-gcc}
CFLAGS=${CFLAGS:--O2 -g}
SECONDS_ALLOWED=${SECONDS_ALLOWED-60} # empty: as many programs as PROGRAMS says, however long that takes
PROGRAMS=${PROGRAMS:-1000000}
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
	if [ -n "${EXPRESSIONS-}" ]; then
		while [ $# -gt 1 ]; do
			! sed -E "$2" "$1" | cmp -s - "$1" || fail "$name: the expression does not change $1"
			shift 2
		done
		return
	fi
	mkdir -p "$dir"
	ln -s "$PWD/include" "$work/$name/include"
	cp "$BUILD/everett" "$dir"
	cp "$BUILD/obj/libruntime.a" "$dir/libeverett.a"
	while [ $# -gt 1 ]; do
		change "$1" "$2" || return
		shift 2
	done
	[ -n "${DRY-}" ] || try
	rm -rf "$dir"
}

# contract TEST NAME [FILE EXPRESSION]...: it is this test of tests/run.sh that must fail.
contract() {
	local contract=$1
	shift
	mutant "$@"
}

change() {
	local file=$1 expression=$2 copy=$dir/${1//\//-}
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
	if ! remove_from_archive "$(basename "$file" .c).o" "$(symbols "${copy%.c}.o")"; then
		fail "$name: $file is not in the archive"
		return 1
	fi
	ar r "$dir/libeverett.a" "${copy%.c}.o"
}

symbols() {
	nm -g --defined-only "$1" | cut -d' ' -f3
}

# remove_from_archive MEMBER SYMBOLS: several members may be called the same; the one that defines the symbols is meant.
remove_from_archive() {
	local i
	for ((i = 1; ; i++)); do
		rm -f "$dir/$1"
		(cd "$dir" && ar xN $i libeverett.a "$1") 2>/dev/null
		[ -f "$dir/$1" ] || return 1
		[ "$(symbols "$dir/$1")" != "$2" ] || break
	done
	ar dN $i "$dir/libeverett.a" "$1"
}

try() {
	local status start=$SECONDS engine=
	if [ -n "${contract-}" ]; then
		if BUILD=$BUILD EVERETT=$dir/everett JOBS=1 timeout $((${SECONDS_ALLOWED:-36000} + 60)) tests/run.sh "$contract" \
			>"$work/$name/out" 2>&1; then
			fail "$name: not noticed by $contract"
		elif grep -q "^FAIL.*$contract" "$work/$name/out"; then
			echo "ok $name: $contract fails, after $((SECONDS - start)) s"
		else
			fail "$name: $contract was not run"
			tail -n 5 "$work/$name/out"
		fi
		return
	fi
	[[ $name != @(hb|traces|wakeup)-* ]] || engine=--engine=traces
	[[ $name != @(rf|oracle|saturation)-* ]] || engine=--engine=rf
	[[ $name != rf-@(tso|pso)-* ]] || engine+=" --model=$(cut -d- -f2 <<<"$name")"
	[[ $name != rf-pso-fences-* ]] || engine+=' --features=rwf'
	[[ $name != await-* ]] || engine='--engine=rf --flavour=await'
	[[ $name != wait-* ]] || engine='--engine=rf,traces --flavour=await'
	[[ $name != wait-@(rf|traces)-* ]] || engine="--engine=$(cut -d- -f2 <<<"$name") --flavour=await --model=sc"
	[[ $name != wait-traces-sleeping-stores ]] || engine=${engine/sc/tso}
	[[ $name != wait-traces-*-choices-* ]] || engine+=' --features=rwuh'
	[[ $name != mixed-* ]] || engine='--engine=traces --flavour=mixed'
	[[ $name != mixed-rf-* ]] || engine='--engine=rf --flavour=mixed'
	[[ $name != @(rvf|verify|closure)-* ]] || engine=--engine=rvf
	[[ $name != sync-* ]] || engine='--engine=rf --flavour=sync'
	[[ $name != section-* ]] || engine='--engine=rf --flavour=section'
	[[ $name != section-trylock-* ]] || engine+=' --features=rwlt'
	[[ $name != sync-rvf-* ]] || engine='--engine=rvf --flavour=sync'
	[[ $name != fault-* ]] || engine='--engine=none --flavour=fault'
	[[ $name != fault-@(rf|rvf|traces)-* ]] || engine="--engine=$(cut -d- -f2 <<<"$name") --flavour=fault"
	# A store must be late whatever the order of all else is: a free because of what was read.
	[[ $name != fault-*late-* ]] || engine+=' --model=pso --features=rw'
	[[ $name != race-* ]] || engine='--engine=rf --flavour=race --model=sc'
	[[ $name != race-trylock-* ]] || engine+=' --features=rwltp'
	[[ $name != rollback-* ]] || engine='--engine=none,rf,traces'
	[[ $name != rollback-buffers ]] || engine='--engine=none,traces --model=tso,pso'
	[[ $name != rollback-@(history|watched) ]] || engine+=' --flavour=await'
	[[ $name != rollback-@(locals|unchanged-thread|thread-that-ran) ]] || engine+=' --flavour=sync'
	[[ $name != rollback-@(visits|happens-before|touched-later|first-touch) ]] || engine='--flavour=race'
	[[ $name != rollback-revisit-* ]] || engine='--engine=revisit'
	[[ $name != rollback-revisit-sources ]] || engine+=' --model=ra'
	[[ $name != revisit-* ]] || engine='--engine=revisit --model=sc --features=rwlt'
	[[ $name != revisit-rmw-* ]] || engine='--engine=revisit --model=sc --features=rwuc'
	[[ $name != revisit-cells-* ]] || engine='--engine=revisit --model=sc --flavour=mixed --features=rwuc'
	[[ $name != revisit-wait-* ]] || engine='--engine=revisit --model=sc --flavour=await'
	[[ $name != divided-* ]] || engine='--engine=rf --divided --model=sc --features=rwuclt'
	[[ $name != divided-wait-* ]] || engine='--engine=rf --divided --model=sc --flavour=await'
	[[ $name != divided-forwarding-* ]] || engine='--engine=rf --divided --model=tso'
	[[ $name != divided-cells-* ]] || engine='--engine=rf --divided --model=sc --flavour=mixed --features=rwuc'
	[[ $name != order-* ]] || engine='--engine=traces --model=ra,rc11 --features=rwuc'
	[[ $name != order-@(psc|fences)-* ]] || engine='--engine=traces --model=rc11 --flavour=c11'
	[[ $name != order-locks-* ]] || engine='--engine=traces --model=ra --features=rwlt'
	[[ $name != order-effects-* ]] || engine='--divided --engine=traces --model=tso,pso'
	[[ $name != order-divided-* ]] || engine+=' --divided'
	[[ $name != revisit-choices-* ]] || engine='--engine=revisit --model=sc --features=rwuh'
	[[ $name != rc11-* ]] || engine='--engine=rf --flavour=c11 --model=rc11 --classes'
	[[ $name != rvf-@(await|free|mixed)-* ]] || engine+=" --flavour=$(cut -d- -f2 <<<"$name")"
	# What need not be compiled is noticed sooner. Loops of the machine are not those that compiled programs have.
	[[ $engine != *--engine=* || $engine == *--flavour=@(await|free|fault|mixed|race|section|sync)* ]] || engine+=' --machine'
	timeout $((${SECONDS_ALLOWED:-36000} + 60)) "$BUILD/judge" --everett="$dir/everett" $engine ${JOBS:+--jobs="$JOBS"} --count="$PROGRAMS" --batch=100 \
		${SECONDS_ALLOWED:+--seconds="$SECONDS_ALLOWED"} --no-shrink --keep="$work/$name/mismatches" >"$work/$name/out" 2>&1
	status=$?
	if [ $status = 1 ]; then
		echo "ok $name: $(sed -n 's/^judge: //p;' "$work/$name/out" | head -n 1), after $((SECONDS - start)) s"
	else
		fail "$name: not noticed (exit status $status)"
		tail -n 5 "$work/$name/out"
	fi
}

mutant fence-does-not-drain src/event/event.c 's/return evr_event_order\(e\) == EVR_SEQ_CST;/return false;/'
mutant load-skips-newest-own-store src/model/buffer.c '/^evr_value evr_buffers_load/,/^}/s/i < b->len/i + 1 < b->len/'
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
mutant ra-write-only-last src/model/sources.c '/^static void access_steps/,/^}/s/try_choice\(w, e, EVR_NO_EVENT, out\);/if (e->kind != EVR_WRITE || !w->trace.events.len) &/'
mutant mutex-taken-while-held src/model/model.c 's/return !evr_mutex_holder\(m\) \|\| evr_mutex_held_by\(m, t\);/return true;/'
mutant shadow-write-after-read src/runtime/memory/visits.c 's/write \? v->read \| v->written : v->written/v->written/'

# Engine `traces`: edges of happens-before that are missing or too many, races that nobody reverses ...
mutant hb-simple-write-not-after-readers src/explore/hb.c '/^static inline bool add_simple/,/^}/s/writes \? l->access : write/write/'
mutant hb-simple-first-not-after-create src/explore/hb.c '/^static inline bool add_simple/,/^}/s/: o->created\[e->thread\]/: EVR_NO_EVENT/'
mutant traces-steps-are-nowhere src/explore/traces_races.c '/^static bool request/,/^}/s/~evr_op_places\(&x->op\)/UINT64_MAX/'
mutant hb-write-not-after-readers src/explore/hb.c '/^static void change\(/,/^}/s/^\t\tafter\(o, id, i\);/\t\t;/'
mutant hb-forwarded-loads-no-readers src/explore/hb.c '/^static void change\(/,/^}/s/if \(store != EVR_NO_EVENT/if (false/'
mutant hb-updates-in-any-order src/explore/hb.c '/^static void add_update/,/^}/s/index >= e->barrier/index != NONE/'
mutant hb-flush-not-after-updates src/explore/hb.c '/^static void add_thread_event/,/^}/s/evr_event_flushes\(e\)/false/'
mutant hb-join-not-after-thread src/explore/hb.c '/^static void add_thread_event/,/^}/s/after_thread\(.*/;/'
mutant hb-start-not-after-create src/explore/hb.c '/^static inline evr_event_id last_of/,/^}/s/: o->created\[t\];/: EVR_NO_EVENT;/'
mutant hb-locks-do-not-race src/explore/hb.c '/^static void acquire/,/^}/s/if \(k != EVR_NO_EVENT/if (false/'
mutant hb-lock-races-with-unlock src/explore/hb.c '/^static bool reversible/,/^}/s/ \|\| !a->holder/ || true/'
mutant hb-choices-forgotten src/explore/hb.c 's/e->kind == EVR_CHOOSE && e->choices > 1/false/'
mutant hb-rewind-keeps-acquire src/explore/hb.c '/^static void undo_last/,/^}/s/^\t\t\tl->acquire = .*/\t\t\t;/'
mutant hb-rewind-keeps-forwarded src/explore/hb.c '/^static void undo_last/,/^}/s/^\t\to->events.data\[x->store\].forwarded = .*/\t\t;/'
# ... sequences that are wrong or not asked for, and what has been explored already. The judge notices neither that a race
# is never looked at again (evr_traces_reverse_races() and stays_independent()), nor that a load may do without its own thread's update
# (precedes() and pass()), nor that a load is ordered after that; the last is noticed by tests/unit/test_hb.c.
mutant traces-blocked-locks-forgotten src/explore/traces.c '/^static void note_blocked/,/^}/s/if \(w->waiting/if (false \&\& w->waiting/'
mutant traces-blocked-lock-knows-nothing src/explore/traces_races.c '/^void evr_traces_reverse_races/,/^}/s/!evr_hb_known_to\(.*\)$/true)/'
mutant traces-cas-not-foreseen src/explore/traces_races.c '/^static uint8_t reversed_access/,/^}/s/case EVR_CAS:/& return now;/'
mutant traces-trylock-not-foreseen src/explore/traces_races.c '/^static uint8_t reversed_access/,/^}/s/case EVR_TRYLOCK:/& return now;/'
mutant wakeup-updates-left-out-forgotten src/explore/wakeup.c '/^static void find_in_buffer/,/^}/s/i-- > 0;/i-- > 0 \&\& false;/'
mutant traces-nobody-wakes src/explore/traces.c '/^static void inherit_sleep/,/^}/s/if \(!evr_ops_conflict.*/if (true)/'
mutant wakeup-sleepers-ignored src/explore/wakeup.c '/^bool evr_wakeup_insert/,/^}/s/i < n; i\+\+/i < 0; i++/'
mutant wakeup-sleepers-must-be-initials src/explore/wakeup.c '/^bool evr_wakeup_insert/,/^}/s/^\t\tif \(r == CONFLICT\)$/\t\tif (r != INITIAL)/'
mutant wakeup-tree-ignored src/explore/wakeup.c '/^bool evr_wakeup_insert/,/^}/s/evr_tree owner = EVR_NO_TREE, b = \*tree;/evr_tree owner = EVR_NO_TREE, b = EVR_NO_TREE;/'
mutant wakeup-without-past src/explore/wakeup.c '/^static void complete/,/^}/s/precedes\(w, i, k\)/false/'
mutant wakeup-forwarding-stays-in-sequence src/explore/wakeup.c '/^static inline enum relation relate/,/^}/s/if \(EVR_UNLIKELY\(op->access.forward\)\)/if (false)/'
mutant wakeup-forwarding-stays-asleep src/explore/wakeup.c '/^struct evr_op evr_op_after/,/^}/s/if \(!op->access.forward/if (true/'

# Engine `rf`: branches that nobody asks for, or asks for twice. (An order that saturation misses, the phases behind it
# find; tests/unit/test_saturation.c notices.)
mutant rf-new-sources-only src/explore/rf_rules.c 's/if \(!new \&\& !\(x->flags \& EVR_RF_CHANGED\)\)/if (!new)/'
mutant rf-initial-write-forgotten src/explore/rf_rules.c 's/if \(reads \&\& x->source != NONE \&\&/if (false \&\&/'
mutant rf-nothing-is-reversed src/explore/rf_rules.c '/^static void consider\(/,/^}/s/displace\(f, r, \&c\);/;/'
mutant rf-failed-not-reversed src/explore/rf_rules.c '/^static void consider\(/,/^}/s/!\(y->flags \& EVR_RF_READS\)/!(y->flags \& EVR_RF_WRITES)/'
mutant rf-cas-not-foreseen src/explore/rf_values.c '/^bool evr_rf_would_write\(/,/^}/s/case EVR_CAS:/& return true;/'
mutant rf-locks-not-replaced src/explore/rf_rules.c '/^static void replace\(/,/^}/s/if \(!past_without/if (true || !past_without/'
mutant rf-replaced-not-marked src/explore/rf_rules.c '/^static void replace\(/,/^}/s/ \| EVR_RF_MARKED//'
mutant rf-blocked-forgotten src/explore/rf_rules.c '/^void evr_rf_find_branches\(/,/^}/s/if \(w->waiting/if (false \&\& w->waiting/'
mutant rf-choices-forgotten src/explore/rf_rules.c '/^void evr_rf_find_branches\(/,/^}/s/x->kind == EVR_CHOOSE/false/'
mutant rf-nothing-is-marked src/explore/rf_branch.c 's/ \| EVR_RF_MARKED\)\);/));/'
mutant rf-branches-not-remembered src/explore/rf_branch.c '/^static bool note_branch\(/,/^}/s/return evr_set_add.*/return true;/'
mutant rf-sources-not-in-keys src/explore/rf_branch.c '/^static void add_to_key\(/,/^}/s/evr_hash64\(way \+ 1\)\);/1);/'
mutant rf-join-forgotten src/event/rf_record.c '/^static void record_gap\(/,/^}/s/e->kind == EVR_JOIN/false/'
mutant rf-joined-not-passed-on src/event/rf_record.c '/^static void wait_for\(/,/^}/s/i < t->waiting\[other\].len/i < 0/'
mutant oracle-inserts-anywhere src/model/insertion.c '/^static bool find_rank\(/,/^}/s/if \(!all_before\(/if (false \&\& !all_before(/'
mutant oracle-inserts-between src/model/insertion.c '/^static bool find_rank\(/,/^}/s/if \(x->flags \& EVR_RF_WRITES \&\&/if (false \&\&/'
mutant oracle-readers-overtaken src/model/witness.c '/^static bool is_ready\(/,/^}/s/!= is_reader\)/!= is_reader \&\& false)/'
mutant oracle-decides-too-soon src/model/witness.c 's/return found \|\| decide\(.*\);/return found;/; /^static bool follow_guide\(/,/^}/s/return order->len == .*/return false;/'
mutant saturation-keeps-old-clocks src/model/saturation.c '/^static void log_clock\(/,/^}/s/if \(s->logged/if (true || s->logged/'
mutant saturation-orders-source-itself src/model/saturation.c '/^static bool order_before_later\(/,/^}/s/ids->data\[low\] == source \|\| //'
mutant traces-reversed-is-asleep src/explore/traces_races.c '/^static bool request/,/^}/s/\(evr_traces_asleep\(t, n, op.step\)/(true/'
mutant wakeup-forwarded-load-conflicts src/explore/wakeup.c '/^bool evr_forwarded_conflict/,/^}/s/return \(!a->forward.*/return true;/'
mutant hb-only-two-events src/explore/hb.c '/^bool evr_hb_only/,/^}/s/return evr_clock_missing/return true || evr_clock_missing/'

# The same engine where stores are buffered: what they, and others, wait for ... (That loads come after what their thread's stores
# come after, tests/programs/rf_created_stores.c notices; that a buffer's older store is not read, nor stores to the same memory
# come in another order, is known before the oracle is asked: tests/unit/test_buffer_oracle.c.)
mutant rf-tso-flush-waits-for-nothing src/model/buffer_oracle.c 's/after_stores\(o, t, y.drain\);/;/'
mutant rf-tso-own-store-not-awaited src/model/buffer_oracle.c '/^static bool after_own_stores\(/,/^}/s/if \(own_store != NONE\)/if (false)/'
mutant rf-tso-nothing-is-forwarded src/model/saturation.c 's/!evr_saturation_forwards\([^)]*\)/true/'
mutant rf-tso-all-is-forwarded src/model/saturation.c 's/!evr_saturation_forwards\([^)]*\)/false/'
mutant rf-tso-not-first-in-first-out src/model/buffer_oracle.c '/^static evr_thread_id buffer_for\(/,/^}/s/ o->fifo \|\|//'
mutant rf-tso-created-before-stores src/model/buffer_oracle.c '/^static void after_event\(/,/^}/s/after_stores\(.*/;/'
mutant rf-tso-drain-forgotten src/event/rf_record.c 's/set_drained\(t, e->thread, true\);/;/'
mutant rf-tso-drain-not-passed-on src/model/buffer_oracle.c '/^static struct split next_split\(/,/^}/s/if \(y.last_unbuffered == last\)/if (true)/'
mutant rf-pso-release-store-overtakes src/model/buffer_oracle.c 's/x->flags \& EVR_RF_RELEASES \? id : y.barrier/y.barrier/'
mutant rf-pso-fences-ignored src/model/buffer_oracle.c '/^static struct split next_split\(/,/^}/s/else if \(x->flags \& EVR_RF_RELEASES \&\& /else if (false \&\& /'
# ... where an event fits in ...
mutant rf-tso-inserted-past-own-store src/model/insertion.c 's/if \(a.own_store != NONE \&\& a.own_store != source/if (false \&\& a.own_store != source/'
mutant rf-tso-inserted-before-drained src/model/insertion.c 's/return !\(x->flags \& EVR_RF_FLUSHES\) \|\| has_drained\(t, x->thread, x->index, when\);/return true;/'
# ... and which sources need not be asked for. (That nobody asks for stores that take effect when their memory was freed,
# tests/findings/late_store.c notices.)
mutant rf-pso-effects-always-known src/model/pso_hidden.c '/^static evr_event_id effect_before\(/,/^}/s/if \(y->flags \& EVR_RF_WRITES \&\& .*/if (y->flags \& EVR_RF_WRITES)/'
mutant rf-pso-overwritten-at-once src/model/pso_hidden.c '/^bool evr_pso_is_overwritten\(/,/^}/s/return !\(t->events/return true || !(t->events/'
mutant rf-pso-all-is-drained src/event/rf.c '/^void evr_rf_program_drains\(/,/^}/s/if \(x->flags \& EVR_RF_FLUSHES\)/if (true)/'
mutant rf-pso-every-store-releases src/event/rf.c '/^static void drain_after\(/,/^}/s/if \(w->flags \& EVR_RF_RELEASES\)/if (true)/'

# Loops that wait, in vain only if the writes came so. That they always do would go unnoticed: all engines and models agree.
mutant await-never-settled src/runtime/findings/deadlock.c 's/evr_rt.world.awaits_undecided = true;/;/'

# Loops that retry: what a round did is not seen, or seen where there is nothing. All engines are as wrong as brute force; the
# interpreter must notice ...
waiting() {
	local name=wait-$1 file=$2
	shift 2
	mutant "$name" "src/$file" "$@"
}
waiting registers-not-compared runtime/threads/retry.c 's/memcmp\(r->values.*\) != 0 \|\|/false ||/'
contract findings/wait_private_counter.c wait-private-memory-not-compared src/runtime/threads/retry.c '/^static bool memory_is_restored/,/^}/s/return false;/return true;/'
contract programs/wait_store.c wait-store-is-nothing src/runtime/threads/retry.c 's/return writes_again\(id\);/return true;/'
waiting rmw-is-nothing runtime/threads/retry.c '/^static bool changes_nothing/,/^}/s/return e->read == e->written \|\|/return true ||/'
waiting cas-is-nothing runtime/threads/retry.c 's/return e->read != e->expected \|\| e->written == e->read;/return true;/'
waiting same-value-is-something runtime/threads/retry.c '/^static bool changes_nothing/,/^}/s/return e->read == e->written \|\|/return/'
contract findings/wait_lock_kept.c wait-held-lock-is-nothing src/runtime/threads/retry.c 's/return !held && is_unnoticed/return is_unnoticed/'
contract findings/wait_lock_noticed.c wait-failed-locks-not-counted src/runtime/threads/retry.c '/^static uint64_t count_failed/,/^}/s/return sum - .*/return 0;/'
contract findings/wait_lock_noticed.c wait-tried-locks-ignored src/runtime/threads/retry.c '/^static bool is_unnoticed/,/^}/s/if \(i == SIZE_MAX \|\| .*/if (true)/'
contract findings/wait_library_state.c wait-effects-ignored src/runtime/threads/retry.c '/^void evr_effect/,/^}/s/evr_current->effects\+\+;/;/'
contract findings/wait_frees.c wait-free-is-nothing src/runtime/memory/heap.c '/^static void note_release/,/^}/s/evr_current->effects\+\+;/;/'
waiting always-in-vain runtime/threads/await.c '/^bool evr_await_in_vain/,/^}/s/return same;/return true;/'
waiting never-in-vain runtime/threads/await.c '/^bool evr_await_in_vain/,/^}/s/return same;/return false;/'
contract findings/wait_unshared.c wait-unwatched src/runtime/threads/retry.c '/^bool evr_retry_watch/,/^}/s/evr_watch\(.*/;/'
contract findings/restored_in_between.c wait-exposed-unwatched src/runtime/threads/retry.c 's/if \(t->journal.data\[i\].exposed\)/if (false)/'
# ... whose look was for nothing ...
waiting wakes-at-another-address model/model.c '/^bool evr_model_futile\(/,/^}/s/evr_memory_load\(e->address,/evr_memory_load(e->address + e->size,/'
waiting wakes-at-any-value model/model.c '/^bool evr_model_futile\(/,/^}/s/evr_memory_load\(e->address, e->size\)/0/'
waiting values-not-in-history model/model.c 's/evr_history_add_event\(&before, &then\);/then.read = 0; &/' src/runtime/sched.c '
s/evr_history_add_event\(&w->history\[e->thread\], e\);/struct evr_event blind = *e; blind.read = 0; evr_history_add_event(\&w->history[e->thread], \&blind);/'
waiting child-has-its-parents-history runtime/threads/thread.c 's/evr_history_add\(.*~evr_hash64\(child->id\)\);/;/'
contract findings/wait_joined.c wait-joined-not-in-history src/runtime/threads/thread.c '/^static void order_join/,/^}/s/evr_history_add\(.*/;/'
# ... and what engines make of it: brute force notices.
waiting traces-no-older-write explore/traces_races.c '/^static evr_event_id awaited_before/,/^}/s/w = t->hb.events.data\[w\].older_write;/w = EVR_NO_EVENT;/'
waiting traces-past-not-known explore/traces_races.c '/^static bool is_known_before/,/^}/s/return .*/return false;/'
waiting traces-taken-back-not-reversed explore/traces.c '/^static void take_back/,/^}/s/evr_traces_reverse_race\(t, t->hb.races.data\[i\]\);/;/'
waiting traces-asked-is-not-loose explore/traces.c 's/n->loose \|= n->asked;/;/'
waiting traces-loose-sleepers-forgotten explore/traces.c '/^static void try_another/,/^}/s/evr_vec_push\(&t->asleep, t->sleep.*/;/'
waiting traces-sleepers-overwritten explore/traces.c '/^static void pop_node/,/^}/s/n \? n->asleep \+ n->sleepers : 0/0/'
waiting traces-sleeping-stores explore/traces.c '/^static struct evr_step any_step/,/^}/s/ && !evr_traces_asleep\(t, n, t->possible.data\[i\]\)//'
waiting traces-no-last-look explore/traces.c '/^static struct evr_step any_step/,/^}/s/t->possible.len && !\*asleep/false/'
waiting rf-always-over explore/rf_rules.c '/^static bool is_over/,/^}/s/return source != NONE .*/(void)source; return true;/'
contract programs/wait_exchange_lock.c wait-rf-not-passed-over src/explore/rf_rules.c '/^static void read_other/,/^}/s/pass_over\(f, r, w\);/;/; s/^static void pass_over/static __attribute__((unused)) void pass_over/'
contract programs/wait_exchange_lock.c wait-rf-traces-not-remembered src/explore/rf_branch.c '/^bool evr_rf_is_new/,/^}/s/return evr_set_add.*/return true;/'
waiting rf-no-last-look explore/rf_run.c '/^static struct evr_step any_step/,/^}/s/w->futile.len && !f->s.alone && i < w->threads/false/'
# ... These, hundreds of random programs and the locks of bench/waits do not notice: they are tried only by name, and with DRY.
# (traces-only-the-first-write can but cost time: the step is taken, taken back, and asks for the older write then.)
rarely() {
	[[ -z $wanted && -z ${DRY-}${EXPRESSIONS-} ]] || "$@"
}
rarely waiting traces-only-the-first-write explore/traces_races.c '/^static evr_event_id awaited_before/,/^}/s/while \(w != EVR_NO_EVENT && futile_before/while (false \&\& futile_before/'
rarely waiting traces-sleepers-not-loose explore/traces.c 's/n->loose \|= n->sleepers > 0;/;/'
rarely waiting traces-loose-left-out explore/traces.c '/^static bool advance/,/^}/s/ && !evr_vec_last\(&t->nodes\).loose\)/)/'
rarely waiting traces-loose-choices-one-way explore/traces.c '/^static inline bool is_awake/,/^}/s/\(uint32_t\)e->choices : 1/1u : 1/'
rarely waiting traces-asked-dropped explore/traces.c '/^static bool follow/,/^}/s/\(w->waiting\[actor\] && w->model->ready\(w, actor\)\)/evr_model_can_go(w, actor)/'
rarely waiting traces-asked-stays explore/traces.c '/^static bool retract/,/^}/s/\(new \|\| n->asked\)/new/'
rarely waiting rf-never-over explore/rf_rules.c '/^static bool is_over/,/^}/s/return source != NONE .*/(void)source; return false;/'
rarely waiting rf-passed-over-once explore/rf_rules.c '/^static void pass_over/,/^}/s/w = c.event.source;/return;/'
rarely waiting rf-displaced-is-not-doubtful explore/rf_rules.c '/^static void displace\(.*w\)$/,/^}/s/f->doubtful = true;/;/'
rarely waiting rf-kept-waiting-is-reversed explore/rf_rules.c '/^static bool is_kept_waiting/,/^}/s/return is_futile.*/return false;/'
rarely waiting rf-dropped-again explore/rf.c '/^static bool drop_last/,/^}/s/if \(!evr_rf_note_block\(s\)\)/if (!evr_rf_note_block(s) \&\& false)/'
rarely waiting rf-dropped-is-not-doubtful explore/rf.c '/^static bool drop_last/,/^}/s/s->doubtful = true;/;/'
rarely waiting rf-nothing-dropped explore/rf.c '/^bool evr_rf_retract/,/^}/s/f->dropped = last && is_reversal\(&f->s\);/f->dropped = false;/; s/^static bool is_reversal/static __attribute__((unused)) bool is_reversal/'
rarely waiting rf-asked-is-not-doubtful explore/rf.c '/^bool evr_rf_retract/,/^}/s/f->s.doubtful \|= .*/;/'

# Accesses of different sizes.
mutant mixed-partly-visible src/runtime/memory/access.c 's/evr_shadow_share_rest\(address, size\);/;/'
mutant mixed-cas-conflicts-not-foreseen src/explore/traces_races.c '/^static bool has_new_conflicts/,/^}/s/return a->address.*/return false;/'
mutant mixed-rf-only-own-sources src/explore/rf_cells.c '/^static bool has_fresh_source/,/^}/s/return true;/return false;/'
# Engine `rvf`: signals that nobody sends, values that are forgotten or given twice ...
mutant rvf-extension-does-not-signal src/explore/rvf_run.c '/^static void record_new/,/^}/s/evr_rvf_signal\(f, \&y\);/;/'
mutant rvf-reads-do-not-signal src/explore/rvf_tree.c '/^static void ask/,/^}/s/if \(p->kind != EVR_READ\)/if (false)/'
mutant rvf-failed-do-not-signal src/explore/rvf_run.c '/^void evr_rvf_signal/,/^}/s/\(writes \|\| n->wrote\)/writes/'
mutant rvf-blocked-do-not-signal src/explore/rvf_tree.c '/^static void signal_holders/,/^}/s/if \(n->wrote/if (false/'
mutant rvf-own-signals-only src/explore/rvf_run.c '/^void evr_rvf_signal/,/^}/s/thread != y->thread/thread == y->thread/'
mutant rvf-signals-reach-one src/explore/rvf_run.c '/^void evr_rvf_signal/,/^}/s/i = f->nodes.data\[i\].above/i = NONE/'
mutant rvf-tried-needs-a-signal src/explore/rvf_tree.c '/^bool evr_rvf_next_child/,/^}/s/\*causal == NONE && //'
mutant rvf-causal-map-ignored src/explore/rvf_tree.c '/^static void list_sources/,/^}/s/!hidden \&\& !is_forbidden\(f, tried, i\)/!hidden/'
mutant rvf-initial-write-again src/explore/rvf_tree.c '/^static void list_sources/,/^}/s/if \(!tried && /if (/'
mutant rvf-causal-map-kept src/explore/rvf_tree.c '/^static void inherit/,/^}/s/evr_rvf_causal\(f, n\)\[f->mutate.*/;/'
mutant rvf-causal-map-not-inherited src/explore/rvf_tree.c '/^static void inherit/,/^}/s/ = parent && t < parent->threads \?/ = false ?/'
mutant rvf-causal-map-not-noted src/explore/rvf_tree.c '/^bool evr_rvf_next_child/,/^}/s/\*causal = \(uint32_t\).*/;/'
mutant rvf-lock-reads-held src/explore/rvf_tree.c '/^static void add_value/,/^}/s/if \(p->kind == EVR_LOCK/if (false/'
mutant rvf-cas-not-foreseen src/explore/rvf_tree.c '/^static void set_written/,/^}/s/writes = y->read == p->expected;/;/'
mutant rvf-trylock-not-foreseen src/explore/rvf_tree.c '/^static void set_written/,/^}/{/case EVR_TRYLOCK:/,/break;/s/writes = evr_rvf_is_free\(y->read\);/;/}'
mutant rvf-choices-forgotten src/explore/rvf_tree.c '/^static bool take_next/,/^}/s/\(uint32_t\)p->choices/1/'
mutant rvf-join-forgotten src/explore/rvf_run.c '/^void evr_rvf_record\(/,/^}/s/e->kind == EVR_JOIN/false/'
mutant rvf-create-forgotten src/explore/rvf_run.c '/^void evr_rvf_record\(/,/^}/s/e->kind == EVR_CREATE/false/'
mutant rvf-joined-not-passed-on src/explore/rvf_run.c '/^static void comes_after/,/^}/s/evr_clock_join\(.*/;/'
# ... orders that are no witness, or that are not found ... (That the writes are left out of the states, or that a closure is weak,
# tests/unit/test_verify_sc.c notices.)
mutant verify-past-ignored src/explore/verify_sc.c '/^static bool is_minimal/,/^}/s/y->flags & EVR_RVF_FIRST &&$/false \&\&/'
mutant verify-own-hold src/explore/verify_sc.c 's/held > \(reads && !v->left.data\[y->part\]\)/held > 0/'
mutant verify-greedy-rmw src/explore/verify_sc.c 's/ && flags != \(EVR_RVF_READS \| EVR_RVF_WRITES\)//'
mutant verify-overwrites-wanted src/explore/verify_sc.c '/^static bool is_unwanted/,/^}/s/!wanted && i < y->cells/false/'
mutant verify-writes-unwanted src/explore/verify_sc.c '/^static bool is_unwanted/,/^}/s/wanted = v->wanted.data\[e\]/wanted = false/'
mutant verify-executed-still-holds src/explore/verify_sc.c '/^static void execute_part/,/^}/s/c->held -= .*/;/'
mutant closure-least-is-greatest src/explore/closure.c 's/find_extreme\(k, true, \&least\)/find_extreme(k, false, \&least)/' src/explore/rvf.c 's/define PATIENCE 128/define PATIENCE 0/'
mutant closure-all-bad-before-good src/explore/closure.c 's/has_greatest && before\(k, bad, r\)/has_greatest/' src/explore/rvf.c 's/define PATIENCE 128/define PATIENCE 0/'
mutant closure-one-visible-is-enough src/explore/closure.c '/^static bool close_part/,/^}/s/after_all && j < visible->len;/j < 1;/' src/explore/rvf.c 's/define PATIENCE 128/define PATIENCE 0/'
mutant closure-own-bad-write src/explore/closure.c 's/if \(bad == r \|\| /if (/' src/explore/rvf.c 's/define PATIENCE 128/define PATIENCE 0/'
# ... and what is not asked about an execution. (That nothing is asked about loops that wait, tests/findings/await_overtaken.c
# notices.)
mutant rvf-await-reads-come-anywhere src/explore/rvf.c '/^static void come_last/,/^}/s/flags & EVR_RVF_WRITES/flags \& 0/'
mutant rvf-free-pairs-ignored src/explore/verify_sc.c '/^static bool is_minimal/,/^}/s/i < v->pairs.len/i < 0/'
# ... and where sizes differ. (That signals are relied on where they are not enough, tests/programs/mixed_size_unsignalled.c notices.)
mutant rvf-mixed-nothing-new src/explore/rvf_cells.c '/^static bool join/,/^}/s/tried \? EVR_RVF_NEW : 0/0/'
mutant rvf-mixed-all-new src/explore/rvf_cells.c '/^static bool join/,/^}/s/if \(evr_rvf_same_value/if (f->options.data[i].new \&\& evr_rvf_same_value/'
mutant rvf-mixed-any-part-new src/explore/verify_sc.c '/^static bool is_readable/,/^}/s/return new;/return true;/'
mutant rvf-mixed-first-cell-signals src/explore/rvf_run.c '/^void evr_rvf_signal/,/^}/s/p->cell < y->cell \+ y->cells/p->cell == y->cell/'
mutant rvf-mixed-cells-alike src/explore/rvf_cells.c '/^static bool same_sources/,/^}/s/return same;/return true;/'
mutant rvf-mixed-first-cell-hidden src/explore/rvf_cells.c 's/evr_rvf_is_hidden\(f, n, p, w, cell\)/evr_rvf_is_hidden(f, n, p, w, p->cell)/'
mutant rvf-mixed-first-cell-written src/explore/verify_sc.c '/^static void execute_divided/,/^}/s/set_active\(v, i, e\);/if (i == y->cell) &/'

# What threads wait for. Brute force has the same faults: the interpreter must notice ...
mutant sync-signal-wakes-one-or-none src/runtime/sync/cond.c '/^int evr_libc_pthread_cond_signal/,/^}/s/if \(n\)/if (n == 1)/'
mutant sync-signal-wakes-the-first src/runtime/sync/cond.c 's/waiter\(cond, evr_choose\(n, site\)\)/waiter(cond, 0)/'
mutant sync-wait-not-atomic src/runtime/sync/cond.c '/evr_wake_prepare\(site\);/,/evr_sleep/{s/mutex_event\(EVR_UNLOCK, mutex, site\);//;s/evr_wake_prepare\(site\);/& mutex_event(EVR_UNLOCK, mutex, site);/}'
mutant sync-timed-wait-is-a-deadlock src/runtime/sync/cond.c 's/evr_current->tries = timed;/;/'
mutant sync-broadcast-wakes-one src/runtime/sync/cond.c 's/while \(\(woken\[n\] = waiter\(cond, 0\)\)\)/if ((woken[n] = waiter(cond, 0)))/'
mutant sync-writer-among-readers src/runtime/sync/rwlock.c '/^static int lock_to_read/,/^}/s/if \(!readers\)/if (false)/'
mutant sync-readers-one-at-a-time src/runtime/sync/rwlock.c '/^static int lock_to_read/,/^}/s/if \(!readers\)/if (true)/'
mutant sync-semaphore-loses-post src/runtime/sync/semaphore.c '/^int evr_libc_sem_post/,/^}/s/VALUE, value \+ 1\)/VALUE, value ? value : 1)/'
mutant sync-semaphore-wakes-late src/runtime/sync/semaphore.c '/^int evr_libc_sem_post/,/^}/s/if \(!value\)/if (value == 1)/'
mutant sync-crowd-let-go-too-early src/runtime/sync/barrier.c '/^static void meet_crowded/,/^}/s/n == limit/n + 1 >= limit/'
mutant sync-serial-if-the-first-asks src/runtime/sync/barrier.c 's/asking \+= threads\[i\]->asks_serial;/asking += !i \&\& threads[i]->asks_serial;/'
mutant sync-once-is-twice src/runtime/sync/once.c 's/if \(!\(evr_sync_load\(once\) & DONE\)\)/if (true)/'
# ... and what engines make of a lock that another thread has taken, brute force notices. (That engine rvf forgets what an unlock leaves
# behind goes unnoticed: the order in which locks were taken follows from causal order, which it keeps.)
mutant sync-rf-lock-before-forgotten src/event/rf.c '/^static evr_event_id lock_before/,/^}/s/return last;/return NONE;/'
mutant sync-rvf-posts-do-not-signal src/explore/rvf_tree.c '/^static void signal_holders/,/^}/s/holder == EVR_NOBODY \|\| //'

# Faults, and what comes after them. Brute force has the same faults as the engines: the interpreter must notice ...
mutant fault-stops-everybody src/runtime/findings/fault.c 's/if \(!evr_rt.config.keep_going && !evr_learned\(&evr_rt.world\)\)/if (!evr_learned(\&evr_rt.world))/'
mutant fault-reported-twice src/runtime/findings/fault.c 's/^\tevr_fault_add\(kind, site, evr_current->id, message, NULL\);/& evr_fault_add(kind, site, evr_current->id, evr_strdup(message), NULL);/'
mutant fault-joiner-goes-on src/runtime/sched.c 's/t->awaited && !failed/t->awaited/' src/runtime/threads/thread.c 's/other->state != EVR_ENDED \|\| other->failed/other->state != EVR_ENDED/'
mutant fault-deadlock-follows src/runtime/findings/deadlock.c '/^static bool has_ended/,/^}/s/ && !t->failed//'
mutant fault-late-store-unnoticed src/runtime/sched.c '/^static void take_update/,/^}/s/!evr_shadow_valid\(e.address, e.size\)/false/'
mutant fault-late-store-ends-thread src/runtime/sched.c 's/evr_execution.faults.data\[known\].after_free = true;/& finish(evr_rt.threads[e.thread], true); evr_rt.world.waiting[e.thread] = false;/'
mutant fault-life-not-asked src/runtime/memory/lifetime.c '/^void evr_life_use/,/^}/s/EVR_LIKELY\(!evr_life_is_over\(o.address, site\)\)/true/'
mutant fault-life-ends-silently src/runtime/memory/frame.c '/^static bool end_life/,/^}/s/^\tif \(evr_is_contended\(l->address\)\)$/\tif (false)/'
mutant fault-double-free-unnoticed src/runtime/memory/heap.c '/^static struct evr_block \*release_as/,/^}/s/if \(contended && !evr_life_end\(address, size, site\)\)/if (contended \&\& !evr_life_end(address, size, site) \&\& false)/'
mutant fault-freed-alone-unnoticed src/runtime/memory/heap.c '/^static bool is_contended/,/^}/s/evr_shadow_contend\(.*\);/;/'
mutant fault-uninitialised-unnoticed src/runtime/sched.c '/^static bool still_allowed/,/^}/s/kind = evr_access_uninitialised\(e, &message\);/;/'
mutant fault-wrong-unlock-passes src/runtime/sync/mutex.c '/^static void check_normal/,/^}/s/if \(kind == EVR_UNLOCK/if (false \&\& kind == EVR_UNLOCK/'
# ... and what engines make of them, brute force.
mutant fault-traces-late-stores-unordered src/explore/hb.c '/^static void come_after_updates/,/^}/s/if \(x->kind == EVR_UPDATE/if (false \&\& x->kind == EVR_UPDATE/'
mutant fault-traces-failed-read-nothing src/explore/hb.c '/^static void set_access/,/^}/{/case EVR_FAULT:/,/break;/s/EVR_ACCESS_READ/EVR_ACCESS_NONE/}'
mutant fault-rf-late-not-asked src/explore/rf.c 's/!evr_rf_ask_for_update_after_free\(&f->s, &f->frees_tried\)/true/'
mutant fault-rf-failed-read-nothing src/event/rf_record.c 's/evr_event_reads\(e\) \|\| e->kind == EVR_FAULT/evr_event_reads(e)/'

# Atomic sections. Again brute force has the same faults.
mutant section-plain-access-does-not-wait src/runtime/sync/section.c 's/t->section_lock \? EVR_NO_GROUP/true ? EVR_NO_GROUP/'
mutant section-ends-at-the-inner-end src/runtime/sync/section.c 's/if \(--evr_current->sections == 0\)/if (--evr_current->sections == 1)/'
mutant section-uses-are-forgotten src/runtime/sync/section.c '/^static void use/,/^}/s/if \(news\)/if (false)/' src/runtime/memory/shadow.c 's/if \(evr_execution.open_sections\)/if (false)/'
mutant section-bytes-have-their-own-lock src/runtime/sync/section.c '/^static void use/,/^}/{s/evr_learn_same_group\(.*add\(word \+ i, true\)\);/add(word + i, true);/;s/if \(news\)/if (news \&\& !evr_current->section_lock)/}'
mutant section-begins-too-early src/runtime/sync/section.c 's/if \(root != EVR_NO_GROUP\)/if (false)/'
# (That a section looks at a mutex twice, tests/programs/section_mutex_twice.c notices.)
mutant section-trylock-in-between src/runtime/sync/mutex.c 's/\(kind != EVR_LOCK \&\& kind != EVR_UNLOCK\)/false/'

# Data races: what orders is forgotten, or orders what it does not ... (That of a read in pieces only the first one's source counts, or
# that a thread without events has a clock of its own, tests/unit/test_race.c notices.)
race() {
	mutant "race-$1" src/event/race.c "$2"
}
happens() {
	mutant "race-$1" src/event/happens.c "$2"
}
happens acquire-fence-ignored '/^static void fence\(/,/^}/s/if \(evr_order_acquires\(order\)\)/if (false)/'
happens release-fence-ignored '/^static void fence\(/,/^}/s/if \(evr_order_releases\(order\)\)/if (false)/'
happens release-fence-covers-later 's/evr_order_releases\(order\) \? PRESENT : FENCED/evr_order_releases(order) || *clock_of(h, e->thread, FENCED) ? PRESENT : FENCED/'
happens sequence-cut '/^static void write_to/,/^}/s/evr_event_reads\(e\) && next_source/false \&\& next_source/'
happens sequences-of-c11 's/EVR_UNLIKELY\(h->trace->c11_release_sequences\)/true/'
happens plain-write-releases '/^static void write_to/,/^}/s/if \(order == EVR_PLAIN\)/if (false)/'
happens plain-read-counts '/^static void read_from/,/^}/s/order != EVR_PLAIN && //'
happens relaxed-read-acquires '/^static void read_from/,/^}/s/evr_order_acquires\(order\) \?/true ?/'
happens relaxed-write-releases '/^static void write_to/,/^}/s/evr_order_releases\(order\) \?/true ?/'
happens seq-cst-does-not-acquire 's/evr_order_acquires\(order\)/(order != EVR_SEQ_CST \&\& &)/'
happens seq-cst-does-not-release 's/evr_order_releases\(order\)/(order != EVR_SEQ_CST \&\& &)/'
happens failed-cas-acquires 's/: evr_event_order_taken\(e\);/: evr_event_order(e);/'
race own-acquire-too-late '/^bool evr_race_find/,/^}/{s/advance\(f, t, i\);/if (!is_access(e)) advance(f, t, i);/;s/if \(p\)$/advance(f, t, i); if (p)/}'
happens unlock-does-not-release '/case EVR_UNLOCK:/,/break;/s/if \(!evr_happens_ignores_lock\(e\)\)/if (false)/'
happens trylock-does-not-acquire '/^static void synchronise/,/^}/s/case EVR_TRYLOCK:/case EVR_CHOOSE:/'
happens create-forgotten '/case EVR_CREATE:/,/break;/{s/evr_clock_join\(.*/;/;/of_thread.width\);/d}'
happens join-forgotten '/case EVR_JOIN:/,/break;/{s/evr_clock_join\(.*/;/;/of_thread.width\);/d}'
# ... and accesses are no accesses, or conflict where they do not.
race free-is-no-access '/^static bool is_access/,/^}/s/e->kind == EVR_FREE;/false;/'
race overlap-at-the-start '/^static bool races\(/,/^}/s/conflict\(a, b\)/a->address == b->address \&\& &/'
race atomics-too '/^static bool races\(/,/^}/s/ \&\& !\(is_atomic\(a\) \&\& is_atomic\(b\)\)//; s/unsigned kinds = .*/unsigned kinds = 2;/'
race not-with-atomics 's/unsigned kinds = .*/unsigned kinds = 1;/'
race volatile-is-atomic '/^static bool is_atomic/,/^}/s/e->site->order != EVR_PLAIN/(& || e->site->flags \& EVR_SITE_VOLATILE)/'
race reads-forgotten '/^static void note_access/,/^}/s/changes\(e\) \?/true ?/'
race old-accesses-remembered 's/if \(p->run != f->runs\)/if (!p->run)/'
race only-the-newest '/^static void add_all/,/^}/s/a = race_anywhere.*/a = EVR_NO_EVENT)/'
happens four-at-once '/^static void fence\(/,/^}/s/if \(evr_order_acquires\(order\)\)/if (false)/; /^static void write_to/,/^}/s/evr_event_reads\(e\) && next_source/false \&\& next_source/; /case EVR_JOIN:/,/break;/{s/evr_clock_join\(.*/;/;/of_thread.width\);/d}; s/: evr_event_order_taken\(e\);/: evr_event_order(e);/'
mutant race-place-depends-on-order src/runtime/findings/races.c 's/bool swap = .*/bool swap = false;/'
mutant race-other-place-ignored src/runtime/findings/collect.c 's/bool same = !other .*/bool same = true;/'
mutant race-fences-not-recorded src/runtime/memory/access.c 's/else if \(evr_races_wanted\(\) \|\| .*\) \{/else if (false) {/'

# Robustness where models leave the order of writes open.
robust() {
	local name=$1
	shift
	contract cli/robust-sources.sh "robust-$name" "$@"
}
robust fences-are-accesses src/model/interleaving.c '/^static bool accesses_memory/,/^}/s/e->kind != EVR_FENCE && //'
robust created-threads-are-free src/model/interleaving.c 's/evr_vec_push\(&c->items, t->events.data\[e\]\);/& evr_vec_last(\&c->items).afters = 0;/'
robust order-of-writes-counts src/runtime/findings/robust.c 's/const evr_rf_ids \*order = NULL;/& static struct evr_graph g; evr_graph_build(\&g, \&evr_rt.world.trace, true); if (!evr_model_sc.allows(\&g)) return false;/'
robust one-fence-is-enough src/event/cycle.c 's/^\t\tplace_one\(/\t\tif (begin == 1) place_one(/'
robust reads-always-synchronise src/model/rc11.c '/^static bool synchronises/,/^}/s/return releases\(write\) && acquires\(read\);/(void)write, (void)read; return true;/'
robust fences-in-threads-missed src/event/cycle.c '/^static bool has_fence/,/^}/s/edge == EVR_CYCLE_CREATE \? b : a/a/'
robust orders-not-tried src/runtime/findings/robust_report.c 's/bool forbidden = .*/bool forbidden = true;/'

# RC11. Its steps: brute force differs from the definition ...
# Engine revisit: each of its rules.
revisit() {
	mutant "revisit-$1" "src/explore/revisit_rules.c" "$2"
}
canonical() {
	mutant "revisit-$1" "src/explore/revisit_canonical.c" "$2"
}
locks() {
	mutant "revisit-$1" "src/explore/revisit_locks.c" "$2"
}
canonical nothing-is-canonical '/^static bool is_canonical/,/^}/s/return s->candidates.data\[i\] == source/return false \&\& source/'
canonical rmw-all-is-canonical '/^static bool is_canonical/,/^}/s/return s->candidates.data\[i\] == source/return true || source/'
canonical rmw-read-itself-may-be-anything '/^bool evr_revisit_may_go/,/^}/s/return consider\(s, r, w\) \&\&/return/'
canonical rmw-read-of-the-write-forgotten '/^static bool is_canonical/,/^}/s/s->keep.data\[w\] = .*/s->keep.data[w] = false;/'
revisit rmw-no-mere-reads '/^enum evr_revisit_outcome evr_revisit_follow/,/^}/s/\(!writes \|\| /(true || !writes || /'
revisit rmw-write-revisits-its-past 's/!k->final && !evr_rf_before\(t, r, w\)/!k->final/; /^static evr_event_id (first|next)_access/,/^}/s/ && !evr_(clock_has|rf_before)\(.*\)\)$/)/'
canonical rmw-past-goes 's/size_t stay = .*/size_t stay = 0; (void)past;/'
canonical goes-without-source '/^static bool is_rest_closed/,/^}/s/if \(EVR_LIKELY\(!s->turned.len\)\)/if (true)/'
canonical rmw-newcomers-forgotten '/^static void find_newcomers/,/^}/s/evr_vec_push\(.*/;/'
canonical rmw-preference-by-place '/^bool evr_revisit_prefers/,/^}/s/return x->thread .*/return (void)x, (void)y, a < b;/'
canonical choices-are-canonical '/^static enum answer know_canonical/,/^}/s/x->variant == 0 \? YES : NO/YES/'
revisit locks-not-replaced '/^static enum evr_revisit_outcome back/,/^}/s/return evr_revisit_replace\(s, r, w\);/return EVR_REVISIT_NOTHING;/'
locks replaced-not-final 's/known.final = true;/known.final = false;/'
locks locks-take-only-what-is-free '/^enum evr_revisit_outcome evr_revisit_take_from/,/^}/s/if \(displaced == NONE \|\|/if (true ||/'
locks waiting-locks-forgotten '/^enum evr_revisit_outcome evr_revisit_take_waiting/,/^}/s/if \(!evr_revisit_ask/if (true || !evr_revisit_ask/'
revisit cells-only-the-first-is-revisited '/^static enum evr_revisit_outcome write_part/,/^}/s/!fits \|\| r->cell >= t->events.data\[other\].cells/true/'
revisit cells-only-the-first-is-read-anew '/^static void find_parts/,/^}/s/c < evr_revisit_cells\(s, i\)/c < 1/'
canonical cells-only-the-first-must-be-canonical '/^static bool ask_canonical/,/^}/s/c < evr_revisit_cells\(s, i\) \&\& fine/c < 1 \&\& fine/'
canonical cells-later-ones-of-the-read-may-be-anything '/^static bool ask_canonical/,/^}/s/c < evr_revisit_cells\(s, i\) \&\& fine/c < evr_revisit_cells(s, i) \&\& fine \&\& (i != r || c == cell)/'
canonical cells-canonical-without-write '/^static bool can_be_added/,/^}/s/if \(!mere && /if (!mere \&\& evr_revisit_cells(s, d) == 1 \&\& /'
canonical cells-canonical-only-with-write '/^static bool is_canonical/,/^}/s/evr_revisit_cells\(s, d\) > 1 && /false \&\& /'
revisit cells-blocked-writes-forgotten '/^static void find_next_part/,/^}/s/if \(cells > 1\)/if (false)/'
revisit cells-blocked-thread-goes-on '/^static enum evr_revisit_outcome stand_still/,/^}/s/flags \|= EVR_RF_UNEXECUTED/flags |= 0/'
canonical rmw-known-although-a-write-is-preferred '/^static enum answer know_canonical/,/^}/s/evr_revisit_prefers\(t, i, k->canon\)/false/'
canonical rmw-known-before-all-was-tried '/^static enum answer know_canonical/,/^}/s/ && !k->exact\)/ \&\& false)/'
revisit rmw-not-known-anew-after-a-revisit 's/s->since = place;/(void)place;/'
canonical fits-though-overwritten '/^static bool fits_into_execution/,/^}/s/rank <= before/false/'
canonical fits-before-it-can '/^static bool fits_into_execution/,/^}/s/int64_t written = .*, before = .*;/int64_t written = -1, before = -1;/'
locks displaced-by-nobody-else '/^static evr_event_id find_displaced/,/^}/s/return r;/continue;/'
locks displaces-its-past '/^static evr_event_id find_displaced/,/^}/s/comes_before\(t, r, lock, afters, source\)/true/'
waits() {
	mutant "revisit-wait-$1" "src/explore/revisit_${3:-wait}.c" "$2"
}
waits is-always-canonical '/^static bool is_canonical/,/^}/s/find_candidates\(s, d, cell\);/if (evr_revisit_waits(s, d)) return true; &/' canonical
waits is-never-canonical '/^static bool is_canonical/,/^}/s/^\t\treturn true;/\t\treturn false;/' canonical
waits futile-sources-are-canonical '/^static bool is_canonical/,/^}/s/f == EVR_REVISIT_FUTILE \|\|/false ||/' canonical
waits without-reason-missed 's/s->doubts.data\[doubt\] = true;/;/'
waits reasons-by-sources '/^static bool must_follow/,/^}/s/if \(!\(x->flags & EVR_RF_READS\)\)/if (true)/'
waits reasons-by-any-write '/^static bool is_doubtful/,/^}/s/return !goes_on_with_last\(s, e\);/return false;/'
waits nobody-looks '/^bool evr_revisit_look/,/^}/s/while \(s->look < ways\)/while (false)/'
waits one-way-to-look 's/s->look = \(s->look \/ rest \+ 1\) \* rest;/s->look = ways;/'
waits not-revisited '/^bool evr_revisit_may_revisit/,/^}/s/ \|\| evr_revisit_waits\(s, r\)//' rules
waits merged-although-something-goes '/^static bool keeps_all/,/^}/s/return false;/;/' merge
waits merged-although-not-canonical '/^static bool may_merge/,/^}/s/evr_revisit_may_go\(s, r, 0, w\)/true/' merge
waits merged-although-nothing-may-come '/^static bool may_merge/,/^}/s/ \|\| evr_revisit_may_find_nothing\(s, r\)//' merge
waits merged-and-found-again '/^static enum evr_revisit_outcome write_part/,/^}/s/bool fits = !merged/bool fits = (merged || true)/' rules
waits left-alone-by-all '/^static bool is_left_alone/,/^}/s/return false;/;/'
waits left-alone-finds-nothing '/^enum evr_revisit_outcome evr_revisit_wait/,/^}/s/alone && somebody_finds\(s\)/alone/'
# Engine traces where steps name sources: each rule of its modification order.
order() {
	mutant "order-$1" "src/explore/revisit_order.c" "$2"
}
order places-not-tried '/^static enum evr_revisit_outcome move/,/^}/s/if \(!\*more \|\| /if (true || !*more || /'
order back-only-as-the-last 's/\*more = has_places\(x\) && .*;/*more = false;/'
order writes-that-go-need-not-be-last '/^bool evr_revisit_is_maximal/,/^}/s/: is_last\(s, x->location, d, k->write, w\)/: true/'
order reads-that-go-need-not-read-the-last '/^bool evr_revisit_is_maximal/,/^}/s/\? is_last\(s, x->location, x->source, k->read, w\)/? true/'
mutant order-read-itself-need-not-read-the-last src/explore/revisit_canonical.c '/^bool evr_revisit_may_go/,/^}/s/return evr_revisit_is_maximal\(s, r, w\) \&\&/return/'
order past-of-the-write-does-not-count '/^static bool is_last/,/^}/s/\(added > place && !evr_rf_before\(t, i, w\)\)/added > place/'
order all-that-is-there-counts '/^static bool is_last/,/^}/s/\(added > place && !evr_rf_before\(t, i, w\)\)/false/'
order updates-come-first '/^bool evr_revisit_place_changed/,/^}/s/else if \(x->source != NONE\)/else if (false)/'
order room-not-made '/^static uint32_t insert/,/^}/s/\.mo > before/.mo > before + 1/'
order locks-not-replaced '/^static enum evr_revisit_outcome go_back/,/^}/s/return evr_revisit_replace\(s, r, w\);/return EVR_REVISIT_NOTHING;/'
order divided-place-by-execution '/^void evr_rf_order_new/,/^}/s/number_at\(t, x->location, .*\);/t->events.data[evr_rf_newest_in_order(t, x->location)].mo;/'
mutant order-newest-by-execution src/explore/rf_run.c '/^evr_event_id evr_rf_newest/,/^}/s/return evr_rf_newest_in_order\(t, location\);/;/'
mutant order-divided-place-forgotten src/explore/revisit_branch.c 's/placed \? place_of\(g, id, k\)/placed ? (void)place_of, NONE/'
mutant order-loaded-as-it-was src/explore/revisit_frames.c 's/t->events.data\[i\].mo = r->mo.data\[i\];/;/'
mutant order-effects-by-numbers-of-the-run src/explore/revisit_restore.c 's/r->mo.data\[i\] = own->events.data\[i\].mo;/;/'
mutant order-atomicity src/model/modification.c '/^static bool splits/,/^}/s/return /return false \&\& /'
mutant order-reads-incoherent src/model/modification.c 's/return seen <= x->source;/return true;/'
mutant order-writes-incoherent src/model/modification.c 's/ \|\| seen < x->event->mo;/ || true;/'
mutant order-reads-in-the-past-forgotten src/model/modification.c 's/y->event->mo : y->source;/y->event->mo : 0;/'
mutant order-early-for-any-reason src/model/modification.c 's/return !c->early && !splits\(x, y\)(.*);/c->early |= splits(x, y); return !c->early \1;/'
mutant order-psc-not-asked src/model/rc11_oracle.c 's/fine = evr_psc_holds\(&o->psc\);//'
mutant order-psc-the-other-way-round src/model/psc_order.c '/^bool evr_psc_holds/,/^}/s/mo_of\(p, c, a\) < mo_of/mo_of(p, c, a) > mo_of/'
effects() {
	mutant "order-effects-$1" "src/model/effects.c" "$2"
}
effects program-order '/^static bool add_given/,/^}/s/add_edge\(o, last\[x->thread\], n\);//'
effects flushes '/^static bool add_given/,/^}/s/after_stores\(o, x->thread, n, n\);//'
effects created-before-stores '/^static void add_afters/,/^}/s/after_stores\(.*\);//'
effects overtaking '/^static void add_store/,/^}/s/!t->reorders_stores \|\|/false ||/'
effects release-overtakes '/^static void add_store/,/^}/s/x->flags & EVR_RF_RELEASES \|\|/false ||/'
effects barrier-forgotten '/^static void add_store/,/^}/s/\(barrier != NONE && s < barrier\)/(barrier != NONE \&\& false)/'
effects forwarding-forgotten '/^static bool add_read/,/^}/s/if \(w && own == x->source\)/if (false)/'
effects own-store-skipped '/^static bool add_read/,/^}/s/add_edge\(o, o->total \+ own, n\);/;/'
effects reads-from '/^static bool add_read/,/^}/s/add_edge\(o, effect\(o, w, x->source\), n\);/;/'
effects modification-order '/^static void add_order/,/^}/s/add_edge\(o, effect\(o, z, before\), node\);/;/'
effects from-reads '/^static void add_order/,/^}/s/add_edge\(o, o->reads.data\[r\].from, node\);/;/'
effects early-for-any-reason '/^bool evr_effects_order/,/^}/s/c->early &= !splits\(.*\);/(void)splits;/'
mutant order-effects-made-not-effected src/explore/revisit_order.c '/^static void order_by_effect/,/^}/s/x->flags & EVR_RF_BUFFERED \? .* : //'
branch() {
	mutant "divided-$1" "$2" "$3"
}
branch cursor-forgotten src/explore/revisit_restore.c 's/r->part = s->told.part;/r->part = 0;/'
branch counted-again src/explore/revisit_branch.c 's/f->base.restored = told->is_frame;/f->base.restored = false;/'
branch numbers-as-they-come src/explore/revisit_restore.c '/^static void number_events/,/^}/s/: x->number\)/: (evr_event_id)i)/'
branch canon-forgotten src/explore/revisit_restore.c 's/if \(y->has_canon\)/if (false \&\& y->has_canon)/'
branch canon-is-exact src/explore/revisit_restore.c 's/k->exact = y->exact;/k->exact = true;/'
branch final-forgotten src/explore/revisit_restore.c 's/k->final = y->final;/k->final = false;/'
branch given-and-kept src/explore/revisit_branch.c '/^static char \*give_frame/,/^}/s/evr_revisit_pop\(s\);//'
branch frame-above-loses-what-it-shares src/explore/revisit_frames.c '/^void evr_revisit_raise/,/^}/s/if \(above < s->depth\)/if (false)/'
branch frames-keep-their-numbers src/explore/revisit_frames.c 's/r->below -= r->below > frame;/;/'
mutant revisit-frames-share-what-is-gone src/explore/revisit_frames.c '/^void evr_revisit_pop/,/^}/s/s->shared = r->from < .*/(void)r;/'
mutant revisit-frames-share-what-has-changed src/explore/revisit_graph.c 's/s->shared = c->prefix < .*/;/'
branch virtual-frames-lost src/explore/revisit_branch.c '/^static void resolve\(/,/^}/s/evr_revisit_put_off\(s\);/;/'
branch wait-at-a-new-place src/explore/revisit_branch.c '/^static void prepare/,/^}/s/0, 0, x->read \}/0, 0, EVR_NEVER }/'
contract cli/checkpoint divided-wait-merged-forgotten src/explore/revisit_restore.c 's/r->merged_read = s->told.merged_read;/;/'
branch wait-looks-are-given src/runtime/worker.c 's/if \(e->rerun \|\| e->amid\)/if (e->rerun)/'
branch forwarding-forgotten src/event/rf_record.c '/^static evr_event_id find_source/,/^}/s/return own != NONE .*/return (void)own, evr_rf_now(t, cell);/'
branch cells-blocked-thread-goes-on src/explore/rf_run.c '/^static bool stands_still/,/^}/s/return true;/continue;/'
branch cells-of-one-place src/explore/revisit_restore.c '/^void evr_revisit_recall_places/,/^}/s/c \? .* : k->read/k->read/'
branch cells-sources-of-blocked-forgotten src/event/rf_record.c '/^void evr_rf_record_unexecuted/,/^}/s/i < n \? sources\[i\] : NONE/((void)sources, (void)n, NONE)/'
contract cli/sample.sh sample-draws-forgotten src/runtime/sample.c 's/t->later \+= n\[3\];/;/'
contract cli/sample.sh sample-pairs-forgotten src/runtime/sample.c '/^bool evr_sample_take_pairs/,/^}/s/add_pair\(.*\);/;/'
contract cli/sample.sh sample-same-draws-again src/explore/hunt.c '/^static void take\(/,/^}/s/h->number = strtoull\(branch, &to, 10\);/strtoull(branch, \&to, 10), h->number = 32;/'
contract cli/predict-jobs.sh trials-lessons-forgotten src/runtime/trials.c 's/t->learned = o->known;/t->learned = false;/'
contract cli/predict-jobs.sh trials-as-they-come src/runtime/trials.c '/^static void take_all/,/^}/s/while \(.*/for (size_t i = 0; i < t->cycles; i++) if (t->outcomes[i].there)/;/^static void take_all/,/^}/s/t->outcomes\[t->taken\+\+\]/t->outcomes[(t->taken++, i)]/'
contract cli/predict-jobs.sh trials-counts-go-on src/runtime/trials.c '/^static void try_one/,/^}/s/r->executions = r->blocked = .*//'
contract cli/rvf-jobs.sh rvf-copies-signals-lost src/explore/rvf_split.c 's/f->nodes.data\[k\].backtrack \|= .*/;/'
contract cli/rvf-jobs.sh rvf-copies-given-and-kept src/explore/rvf_split.c 's/f->nodes.data\[node\].given = true;//'
contract cli/rvf-jobs.sh rvf-copies-take-other-reads src/explore/rvf_split.c 's/f->is_copy = true;//'
mutant revisit-cells-dead-ends-count src/explore/rf_run.c '/^struct evr_step evr_rf_next/,/^}/s/e->abandoned = f->stands_still = true;/;/'
mutant revisit-cells-of-one-value src/explore/revisit_cells.c 's/from->of\[cell\];/from->of[0];/'
mutant revisit-cells-of-one-place src/explore/revisit_cells.c 's/return cell \? .* : /return (void)cell, /'
mutant revisit-cells-of-one-source src/explore/revisit_frames.c '/^static bool is_same/,/^}/s/i < evr_revisit_pooled\(a\)/i < 1/'

rc11() {
	mutant "rc11-$1" "src/model/$2" "$3"
}
# With many seq_cst events, an execution under sequential consistency is looked for first; here, with any.
rc11 sequential-if-refuted rc11_oracle.c 's/(EVR_RC11_FEW) 48/\1 0/; s/a = all_are_sequential\(o, c\) \? EVR_NO : EVR_UNCLEAR;/a = EVR_YES;/'
rc11 not-sequential-impossible rc11_oracle.c 's/(EVR_RC11_FEW) 48/\1 0/; s/a = all_are_sequential\(o, c\) \? EVR_NO : EVR_UNCLEAR;/a = EVR_NO;/'
rc11 all-are-sequential rc11_oracle.c 's/(EVR_RC11_FEW) 48/\1 0/; s/ && x->order != EVR_SEQ_CST\)/ \&\& false)/'
rc11 steps-relaxed-read-acquires rc11.c '/^static bool acquires/,/^}/s/\(o == EVR_ACQUIRE/(o == EVR_RELAXED || o == EVR_ACQUIRE/'
rc11 steps-acquire-ignored rc11.c '/^static bool acquires/,/^}/s/\(o == EVR_ACQUIRE \|\| /(/'
rc11 steps-release-ignored rc11.c '/^static bool releases/,/^}/s/\(o == EVR_RELEASE \|\| /(/'
rc11 steps-release-fence-ignored rc11.c 's/\(x->kind == EVR_FENCE && x->thread == y->thread\)/false/'
rc11 steps-acquire-fence-ignored rc11.c 's/\(y->kind == EVR_FENCE && y->thread == x->thread\)/false/'
rc11 steps-sequence-cut rc11.c 's/evr_relation_add_composition\(&m->one, &m->left, &m->right\);/;/'
rc11 steps-sequences-of-c11 rc11.c 's/find_hb\(m, w->trace.c11_release_sequences\)/find_hb(m, true)/'
rc11 steps-create-forgotten rc11.c 's/x->kind == EVR_CREATE && x->other/false \&\& x->other/'
rc11 steps-join-forgotten rc11.c 's/y->kind == EVR_JOIN && y->other/false \&\& y->other/'
rc11 steps-not-atomic rc11.c 's/return is_atomic\(m\) && /return /'
rc11 steps-not-coherent rc11.c 's/ && is_coherent\(m\)//'
rc11 steps-coherence-without-mo-rf rc11.c 's/evr_relation_add_composition\(&m->eco, &m->mo, &m->rf\);/;/'
rc11 steps-coherence-without-rb-rf rc11.c 's/evr_relation_add_composition\(&m->eco, &m->rb, &m->rf\);/;/'
rc11 steps-coherence-without-rb rc11.c '/^static void find_eco/,/^}/s/evr_relation_unite\(&m->eco, &m->rb\);/;/'
rc11 steps-scb-without-sb rc11.c '/^static void find_scb/,/^}/s/evr_relation_copy\(&m->scb, &m->sb\);/evr_relation_clear(\&m->scb, n);/'
rc11 steps-scb-without-mo rc11.c '/^static void find_scb/,/^}/s/evr_relation_unite\(&m->scb, &m->mo\);/;/'
rc11 steps-scb-without-rb rc11.c '/^static void find_scb/,/^}/s/evr_relation_unite\(&m->scb, &m->rb\);/;/'
rc11 steps-scb-without-hb-loc rc11.c '/^static void find_scb/,/^}/s/if \(same && evr_relation_has/if (false \&\& evr_relation_has/'
rc11 steps-scb-without-sb-hb-sb rc11.c 's/evr_relation_add_composition\(&m->scb, &m->two, &m->one\);/;/'
rc11 steps-scb-with-sb-of-one-location rc11.c '/^static void find_scb/,/^}/s/if \(!same && /if (/'
rc11 steps-no-hb-behind-fence rc11.c '/^static void find_ends/,/^}/s/if \(evr_relation_has\(&m->hb, a, b\)\)/if (false)/'
rc11 steps-no-hb-before-fence rc11.c '/^static void find_ends/,/^}/s/if \(evr_relation_has\(&m->hb, b, a\)\)/if (false)/'
rc11 steps-no-eco-between-fences rc11.c '/^static bool is_sequential/,/^}/s/evr_relation_add_composition\(&m->two, &m->one, &m->hb\);/;/'
# ... and its oracle. Happens-before (a plain access hands nothing on: where it could, there is a race) ...
rc11 acquire-ignored sync.c 's/evr_order_acquires\(x->order\) \? &known : &e.seen/\&e.seen/'
rc11 relaxed-read-acquires sync.c 's/evr_order_acquires\(x->order\) \? &known : &e.seen/\&known/'
rc11 release-ignored sync.c 's/evr_order_releases\(x->order\) \? e->clock : e->fenced/e->fenced/'
rc11 relaxed-write-releases sync.c 's/evr_order_releases\(x->order\) \? e->clock : e->fenced/e->clock/'
rc11 acquire-fence-ignored sync.c 's/if \(fence && evr_order_acquires\(x->order\)\)/if (false)/'
rc11 release-fence-ignored sync.c 's/if \(fence && evr_order_releases\(x->order\)\)/if (false)/'
rc11 release-fence-covers-later sync.c 's/\? e->clock : e->fenced/? e->clock : e->fenced ? e->clock : NOTHING/'
rc11 pending-only-of-last-read sync.c 's/\*to = join_rows\(s, \*to, s->events.data\[source\].released\);/*to = join_rows(s, to == \&e.seen ? NOTHING : *to, s->events.data[source].released);/'
rc11 sequence-cut sync.c 's/bool continues = .*/bool continues = false;/'
rc11 sequence-has-one-head sync.c 's/continues \? join_rows\(s, e.own, s->events.data\[source\].released\)/continues ? s->events.data[source].released/'
rc11 sequences-of-c11 sync.c 's/s->c11_release_sequences && i-- > 0/i-- > 0/'
rc11 create-forgotten sync.c 's/if \(EVR_LIKELY\(!x->afters\)\)/if (!x->afters || !x->index)/'
rc11 join-forgotten sync.c 's/if \(EVR_LIKELY\(!x->afters\)\)/if (!x->afters || x->index)/'
mutant rc11-failed-cas-has-order-of-success src/explore/rf_values.c '/^void evr_rf_set_writes/,/^}/s/evr_rf_executed\(t, c->id\), writes\)/evr_rf_executed(t, c->id), true)/'
# ... coherence ...
rc11 reads-in-the-past-ignored coherence.c 's/if \(c->reads_count \|\| x->flags/if (x->flags/'
rc11 update-of-updated coherence.c 's/c->members.data\[x.source\].next != NONE\)/false)/;s/return EVR_NO;/answer = EVR_UNCLEAR;/'
rc11 order-within-block-ignored coherence.c '/^static bool order\(/,/^}/s/return x->block_index < y->block_index;/return true;/'
rc11 source-may-be-overwritten coherence.c 's/if \(!order_after_past\(c, x, x->source, sure\)\)/if (false)/'
rc11 write-may-come-before-past coherence.c 's/return x->flags & EVR_RF_READS \|\| order_after_past\(c, x, m, sure\);/return true;/'
rc11 own-past-only coherence.c 's/i == m->thread \? m->previous : last_before\(c, m, i\)/i == m->thread ? m->previous : NONE/'
rc11 forced-cycle-unnoticed coherence.c 's/\|\| evr_coherence_reaches\(c, y->block, x->block\)\)/)/'
ask() {
	rc11 "ask-$1" coherence.c "/^enum evr_answer evr_coherence_ask/,/^}/$2"
}
ask past-unknown 's/if \(past\[.*/if (true)/'
ask same-source 's/return EVR_NO;/continue;/'
ask source-before-all 's/source == NONE \|\| source_past\[.*\)$/source == NONE)/'
rc11 hidden-writes-read-elsewhere rc11_oracle.c '/^static void follow_hiding/,/^}/s/x->flags & EVR_RF_WRITES \? \(evr_event_id\)o->rows : x->source;/(evr_event_id)o->rows;/'
# ... what need not be asked ...
rc11 tightening-not-asked rc11_oracle.c 's/\(o->here.tightened \|\| new_are_sequential\(o, c\)\)/new_are_sequential(o, c)/'
rc11 sequential-not-asked rc11_oracle.c '/^static bool new_are_sequential/,/^}/s/order == EVR_SEQ_CST\)/order == EVR_SEQ_CST \&\& false)/'
rc11 behind-fence-not-asked rc11_oracle.c '/^static bool new_are_sequential/,/^}/s/i < o->sync.sc_fences.len/i < 0/'
rc11 newest-of-coherence-alone rc11_oracle.c '/^static evr_event_id newest/,/^}/s/if \(is_sequential\(o\) && /if (false \&\& /'
# ... psc, with each part of it. (That one of two fences happens before the other makes no further cycles, nor does program order between an
# access and a fence, nor happens-before between them: what comes before or after the one, in the order of memory, does so of the other.) ...
rc11 psc-without-sb psc.c 's/return a->x.index < b->x.index;/return a->x.index < b->x.index \&\& (is_fence(a) || is_fence(b));/'
rc11 psc-without-hb-loc psc.c '/^static bool is_fixed/,/^}/s/return true;/return false;/'
rc11 psc-without-sb-hb-sb psc.c 's/return row != NONE && .*/return false \&\& row;/'
rc11 psc-leaves-at-one-location psc.c '/^static int32_t leaves_at/,/^}/s/if \(!same_location\(a, e\)\)/if (true)/'
rc11 psc-enters-at-one-location psc.c '/^static uint32_t enters_with/,/^}/s/ && !same_location\(b, e\)//'
rc11 psc-leaves-not-by-creating psc.c '/^static int32_t leaves_at/,/^}/{s/if \(e->x.apart\)/if (false)/;s/\(2 \* i\)/(2 * i + 2)/}'
rc11 psc-enters-not-by-joining psc.c '/^static uint32_t enters_with/,/^}/s/if \(e->x.apart\)/if (false)/'
rc11 psc-without-mo psc.c 's/return same_location\(a, b\) && b->x.flags & EVR_RF_WRITES/& \&\& !(a->x.flags \& EVR_RF_WRITES)/'
rc11 psc-without-rb psc.c 's/return same_location\(a, b\) && b->x.flags & EVR_RF_WRITES/& \&\& a->x.flags \& EVR_RF_WRITES/'
rc11 psc-rmw-has-no-rb psc.c '/^static bool comes_before/,/^}/s/return x->block_index < y->block_index;/return false;/'
rc11 psc-fence-to-access psc.c '/^static bool is_ordered/,/^}/s/: fence_to_access\(p, o, i, b\)/: false/; s/^static bool fence_to_access/__attribute__((unused)) &/'
rc11 psc-access-to-fence psc.c '/^static bool is_ordered/,/^}/s/return access_to_fence\(p, o, a, k\);/return false;/; s/^static bool access_to_fence/__attribute__((unused)) &/'
rc11 psc-fence-to-fence psc.c '/^static bool is_ordered/,/^}/s/is_fence\(b\) \? fence_to_fence\(p, o, i, k\)/is_fence(b) ? false/; s/^static bool fence_to_fence/__attribute__((unused)) &/'
rc11 psc-fence-to-fence-without-rf psc.c '/^static bool fence_to_fence/,/^}/s/p->last.data/p->last_write.data/'
rc11 psc-fence-of-own-thread-first psc.c '/^static void find_frontiers/,/^}/s/ && happens_before\(p, f, x\)/ \&\& f->x.thread == x->x.thread&/'
rc11 psc-fence-of-own-thread-last psc.c '/^static void find_frontiers/,/^}/s/if \(!happens_before\(p, x, f\)\)/if (f->x.thread != x->x.thread || !happens_before(p, x, f))/'
rc11 psc-frontier-too-early psc.c '/^static void find_frontiers/,/^}/s/^\t\t\tp->last.data\[at\] = m;/\t\t\tif (p->last.data[at] == NONE) p->last.data[at] = m;/'
rc11 psc-frontier-too-late psc.c '/^static void find_frontiers/,/^}/s/p->first.data\[at\] == NONE && happens_before/happens_before/'
# ... and the search for an order.
rc11 order-first-guess-taken psc_order.c '/^bool evr_psc_solve/,/^}/s/^\t\tfound = evr_psc_acyclic\(p, &p->order\);/\t\tfound = true;/'
rc11 order-no-search psc_order.c '/^bool evr_psc_solve/,/^}/s/^\t\tfound = evr_psc_acyclic\(p, &p->order\) && search\(p, &p->order\);/\t\tif (wanted) found = search(p, \&p->order);/'
rc11 order-forced-the-wrong-way psc_order.c '/^static bool saturate/,/^}/s/if \(!ba\)/if (!ab)/; /^static bool saturate/,/^}/s/else if \(!ab\)/else if (!ba)/'
rc11 order-impossible-pair-unnoticed psc_order.c '/^static bool saturate/,/^}/s/if \(!ab && !ba\)/if (false)/'
rc11 order-is-not-transitive psc_order.c '/^static void add\(/,/^}/s/row\[i\] \|= after\[i\];/;/'
rc11 order-forced-edges-forgotten psc_order.c '/^static void force/,/^}/s/if \(!evr_mo_has\(o, &o->of.data\[k\], b, c->edges.data\[i\].to\)\)/if (false)/'
rc11 order-initial-write-anywhere psc_order.c 's/add\(o, k, EVR_INITIAL, b\);/;/'
rc11 order-one-branch psc_order.c '/^static bool search/,/^}/s/way < 2/way < 1/'
rc11 order-need-not-be-total psc_order.c '/^static bool search/,/^}/s/if \(found && next_pair\(o, &at\)\)/if (false)/'
# Memory whose accesses are ordered has no events: who thinks so of other memory overlooks a race, or has too few classes.
contract findings/race_relaxed_main.c rc11-period-ends-too-early src/runtime/sched.c 's/evr_period_note\(t, &evr_vec_last\(&w->trace.events\)\);/evr_period_note(t, e);/'
mutant rc11-period-always-ordered src/runtime/threads/period.c '/^bool evr_period_is_ordered/,/^}/s/evr_clock_has\(present\(\), thread, end\)/(present(), true)/'
mutant rc11-period-ends-by-relaxed-write src/runtime/threads/period.c 's/may && evr_order_releases\(evr_event_order\(e\)\)/may/' src/event/happens.c '/^static void write_to/,/^}/s/evr_order_releases\(order\) \?/true ?/'
mutant rc11-kept-of-a-longer-prefix src/model/coherence.c '/^size_t evr_coherence_resume/,/^}/s/evr_coherence_forget\(c, prefix\);//'
mutant rc11-kept-edges src/model/coherence.c '/^static void leave/,/^}/s/c->edges.len > x->edges/false/'
mutant rc11-kept-updates src/model/coherence.c '/^static void leave/,/^}/s/c->members.data\[x->source\].next = NONE;//'
mutant rc11-kept-last-of-thread src/model/coherence.c '/^static void leave/,/^}/s/c->last\[x->thread\] = x->previous;/c->last[x->thread] = NONE;/'
mutant rc11-one-of-two-sequential src/model/rc11_oracle.c '/^static bool is_sequential/,/^}/s/> 1/> 2/'

# An execution that goes on from a mark: what is left out of a mark, or put back wrongly.
marks() {
	mutant "rollback-$1" "src/$2" "${@:3}"
}
marks memory runtime/rollback.c '/^static void memory_pieces/,/^}/s/\*u->log.data\[i\].word = place\[i\];/{}/'
marks cells runtime/rollback.c '/^static void cell_pieces/,/^}/s/put_back_cell\(x->touched.data\[i\].cell, place\[i\]\);/{}/'
marks touched-later runtime/rollback.c '/^static void cell_pieces/,/^}/s/put_back_cell\(x->touched.data\[i\].cell, x->touched.data\[i\].before\);/{}/'
marks watched runtime/rollback.c 's/\| \(c->flags & EVR_CELL_KEPT\)/| (before.flags \& EVR_CELL_KEPT)/'
marks first-touch runtime/memory/shadow.c '/^static void create_words/,/^}/s/evr_shadow_note_touched\(c\);/{}/'
marks stack runtime/threads/thread.c 's/evr_piece_at\(at, t->coroutine.sp, stack, back\)/at + stack/'
marks unchanged-thread runtime/rollback.c '/^static void put_thread_back/,/^}/s/!t->changed && //'
marks joined-thread runtime/threads/thread.c '/^int evr_thread_join/,/^}/s/other->joined = other->changed = true;/other->joined = true;/'
marks thread-that-ran runtime/sched.c '/^void evr_yield/,/^}/s/next->changed = true;/{}/'
marks clock runtime/threads/thread.c 's/at = evr_piece_at\(at, &t->state, state, back\);/at = evr_piece_at(at, \&t->state, offsetof(struct evr_thread, clock) - offsetof(struct evr_thread, state), back);/'
marks locals runtime/threads/thread.c 's/evr_vec_bytes\(&t->(locals|left)\), back\)/0, back)/'
marks visits runtime/execution.c 's/EVR_PIECE_VEC\(p, &x->visits\);/EVR_PIECE_LEN(p, \&x->visits);/'
marks happens-before runtime/execution.c '/^void evr_execution_pieces/,/^}/s/x->happens.done > evr_rt.world.trace.events.len/false/'
marks pending runtime/threads/thread.c '/^static inline __attribute__.*void pieces/,/^}/s/evr_world_thread_pieces/if (!back) &/'
marks buffers model/buffer.c '/^void evr_buffers_pieces/,/^}/s/EVR_PIECE_VEC\(p, &b->of\[i\]\);/{}/'
marks history runtime/threads/thread.c '/^static inline __attribute__.*void pieces/,/^}/s/(.*)evr_world_thread_pieces(.*)/\tstruct evr_history then = evr_rt.world.history[t->id];\n&\n\tevr_rt.world.history[t->id] = then;/'
marks counts event/trace.c '/^void evr_trace_pieces/,/^}/s/evr_piece\(p, t->counts, /if (!p->back) &/'
marks too-far runtime/rollback.c '/^bool evr_marks_resume/,/^}/s/m->events <= e->prefix/true/'
marks rf-too-far explore/rf_run.c '/^bool evr_rf_resume/,/^}/s/place > f->common/place > f->steps.len/' src/runtime/rollback.c '/^bool evr_marks_resume/,/^}/s/m->events <= e->prefix/true/'
marks revisit-too-far explore/revisit_common.c '/^bool evr_revisit_resume/,/^}/s/place > f->common/false/' src/runtime/rollback.c '/^bool evr_marks_resume/,/^}/s/m->events <= e->prefix/true/'
marks revisit-sources explore/revisit_common.c 's/named == NONE \? 0 : t->rank.data\[named\] \+ 1/0/'
# Random executions that are none of the model's, that tell what is known, or whose schedule is another one's.
contract cli/hunt.sh hunt-any-source src/explore/hunt.c 's/s.variant = newest\(h, e\);/s.variant = 0;/'
contract cli/hunt.sh hunt-finding-twice src/runtime/copies.c 's/if \(evr_finding_under\(r, f\)\)/if (false)/'
contract cli/hunt.sh hunt-seed-ignored src/explore/hunt.c 's/h->seed = seed;/h->seed = 1 + 0 * seed;/'
contract cli/hunt.sh hunt-buffers-not-kept src/explore/predict.c 's/if \(w->model->all_steps \|\| !w->model->silent\)/if (true)/'
# Bounded preemptions: one too many, changes that interrupt nobody, classes that count twice.
contract cli/preemptions.sh preemptions-one-too-many src/explore/naive.c 's/\(long\)s.cost.preemptions > n->most/& + 1/'
contract cli/preemptions.sh preemptions-every-change src/explore/cost.c 's/goes_on && s.thread != so_far.thread/s.thread != so_far.thread/'
contract cli/preemptions.sh preemptions-stores-count src/explore/cost.c 's/if \(!is_silent\(w, steps\[i\]\)\)/if (true)/'
contract cli/preemptions.sh preemptions-overtaking-is-free src/explore/cost.c 's/return overtakes\(steps, n, step\);/return overtakes(steps, n, step) \&\& false;/'
contract cli/preemptions.sh preemptions-early-loads-are-free src/explore/cost.c 's/return e->kind == EVR_READ && w->model->busy/return false \&\& w->model->busy/'
contract cli/preemptions.sh preemptions-oldest-is-newest src/explore/cost.c 's/for \(size_t i = w->trace.events.len; i-- > 0;\)/for (size_t i = 0; i < w->trace.events.len; i++)/'
contract cli/preemptions.sh preemptions-some-steps src/explore/naive.c 's/bool every = n->most >= 0 && w->model->all_steps;/bool every = false;/'
contract cli/preemptions.sh preemptions-dead-ends-count src/explore/naive.c 's/n->base.abandoned = f->count && kept == f->first;//'
# Trees that were pruned, where what is asleep is taken for explored, or nothing but the first steps is tried.
contract cli/pruned.sh traces-pruned-is-whole src/explore/traces.c 's/ && !t->pruned;/;/'
contract cli/pruned.sh traces-never-pruned src/explore/traces.c 's/branches < MOST_BRANCHES/true/'
# Rounds whose classes are those of all rounds before, that are said to be finished when they are not, or that leave out what is one too much for the last one.
contract cli/rounds.sh rounds-keep-classes src/runtime/rounds.c 's/evr_numbers_clear\(&rounds.classes\);//'
contract cli/rounds.sh rounds-one-more src/runtime/rounds.c 's/finished_preemptions = bound;/finished_preemptions = bound + 1;/'
contract cli/rounds.sh rounds-never src/runtime/rounds.c 's/used\(r, seconds\) \* r->estimate \/ done\(r\) > 1/false/'
# What is no choice passes for one.
contract cli/next.sh advice-guarded src/runtime/advice.c 's/m->locks \|= mutex_bit\(e->address\);/;/'
contract cli/preemptions.sh preemptions-class-twice src/runtime/search.c 's/return evr_numbers_add\(check.classes\) < before;/return evr_numbers_add(check.classes) > before;/'

[ $tried -gt 0 ] || fail "no mutant is called $wanted"
echo "$((tried - failures)) of $tried mutants ${EXPRESSIONS:+are changes, perhaps to be }${DRY:+can be built, perhaps to be }noticed"
[ $failures = 0 ]
