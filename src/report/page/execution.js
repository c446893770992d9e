'use strict';
// What an execution is, apart from how it is drawn: its events in order, the edges between them, and the state after each.
// everett.prepare(result, finding) -> { steps, threads, edges, ... }; everett.stateAt(execution, step) -> { memory, ... }.
const everett = (function () {
	const LOCKS = { lock: 1, trylock: 1, timedlock: 1, once: 1, enter: 1, take: 1 };
	const UNLOCKS = { unlock: 1, 'once-end': 1, leave: 1, offer: 1 };
	const MEMORY = { read: 1, write: 1, rmw: 1, cas: 1 };

	const nameOf = (thread, index) => thread + '#' + index;
	const reads = (e) => e.kind === 'read' || e.kind === 'rmw' || e.kind === 'cas';

	// "0 -> 1": what a read-modify-write read and wrote. A failed compare-exchange has read only.
	function halves(e) {
		const at = e.value.indexOf(' -> ');
		return at < 0 ? [e.value, null] : [e.value.slice(0, at), e.value.slice(at + 4)];
	}
	function written(e) {
		if (e.kind === 'write' || e.kind === 'update')
			return e.value;
		return e.kind === 'rmw' || e.kind === 'cas' ? halves(e)[1] : null;
	}
	const writes = (e) => e.kind !== 'update' && written(e) !== null;

	// The lines of a deadlock's detail: who waits for what, and where.
	function waitsOf(finding) {
		const waits = [];
		for (const line of finding.detail.split('\n')) {
			const m = /^thread (\d+) (waits .*?)(?:, at (.*):(\d+))?$/.exec(line);
			if (!m)
				continue;
			const holder = /held by thread (\d+)|for thread (\d+) to end/.exec(m[2]);
			waits.push({ thread: +m[1], kind: 'waits', text: m[2].replace(/\bthread (\d+)/g, 'T$1'), file: m[3] || '', line: +(m[4] || 0), fails: true,
				until: holder ? +(holder[1] || holder[2]) : -1 });
		}
		return waits;
	}

	// What ends the execution, as events of its own: the failure, or all threads that wait.
	function ends(finding) {
		const waits = waitsOf(finding);
		if (waits.length || finding.thread < 0)
			return waits;
		return [{ thread: finding.thread, kind: finding.kind, text: finding.message.replace(/^data race /, ''), file: finding.file, line: finding.line,
			fails: true, until: -1 }];
	}

	// The failure comes right behind what it depends on; what else happened in that execution comes later.
	function allSteps(finding) {
		const steps = finding.events.map((e) => Object.assign({ fails: false, text: '', until: -1 }, e));
		let end = steps.length;
		while (end > 0 && !steps[end - 1].past)
			end--;
		const last = ends(finding).map((e) => Object.assign({ index: -1, order: '', column: 0, function: '', location: '', value: '',
			object: '', byte: 0, size: 0, source: null, initial: false, after: null, buffered: false, decides: false, past: true, synchronises: [] }, e));
		steps.splice(end, 0, ...last);
		numberBytes(steps);
		steps.forEach((e, i) => {
			e.step = i;
			// The end of a thread is reported at its last access, whose order is not its own.
			if (!MEMORY[e.kind] && e.kind !== 'fence')
				e.order = '';
			e.id = e.index < 0 ? '' : 'T' + e.thread + '#' + e.index;
		});
		return steps;
	}

	// Where a report does not tell which bytes an event accesses, locations of one name are the same, and others are not.
	function numberBytes(steps) {
		const names = new Map();
		for (const e of steps) {
			if (e.size || !(MEMORY[e.kind] || e.kind === 'update'))
				continue;
			names.set(e.location, names.get(e.location) || -1 - names.size);
			e.byte = names.get(e.location);
			e.size = 1;
		}
	}
	const bytesOf = (e) => Array.from({ length: Math.min(e.size, 4096) }, (_, i) => e.byte + i);

	function threadsOf(steps) {
		const threads = new Map();
		for (const e of steps) {
			if (!threads.has(e.thread))
				threads.set(e.thread, { id: e.thread, function: '', steps: [] });
			const t = threads.get(e.thread);
			t.steps.push(e);
			// A thread starts where it was created, which is in another's function.
			if (!t.function && e.function && e.kind !== 'start')
				t.function = e.thread ? e.function : 'main';
		}
		return [...threads.values()].sort((a, b) => a.id - b.id);
	}

	// ---- what is folded ----

	// Groups of steps that can be shown as one: calls of the library, and what a thread does over and over.
	function groupsOf(steps) {
		const groups = [], calls = new Map();
		for (const e of steps) {
			if (!e.call)
				continue;
			const name = e.thread + ' ' + e.call.first + ' ' + e.call.text;
			if (!calls.has(name)) {
				calls.set(name, { kind: 'call', thread: e.thread, text: e.call.text, steps: [] });
				groups.push(calls.get(name));
			}
			calls.get(name).steps.push(e);
		}
		return groups.filter((g) => g.steps.length > 1 || !/^(lock|unlock)/.test(g.text)).concat(repetitions(steps));
	}

	const LONGEST_LOOP = 12;
	const signature = (e) => [e.thread, e.kind, e.file, e.line, e.column, e.location, e.value, e.call ? e.call.text : '',
		e.source ? nameOf(e.source.thread, e.source.index) : '', e.past].join('\n');
	// The second time and later of what comes three times or more in a row, with nothing in between.
	function repetitions(steps) {
		const signs = steps.map((e) => (e.fails || e.decides ? 'not ' + e.step : signature(e))), groups = [];
		for (let i = 0; i < steps.length;) {
			let next = i + 1;
			for (let period = 1; period <= LONGEST_LOOP; period++) {
				let n = 0;
				while (i + n + period < steps.length && signs[i + n] === signs[i + n + period])
					n++;
				const again = Math.floor(n / period), part = steps.slice(i + period, i + period * (again + 1));
				if (again < 2 || part.some((e) => e.thread !== steps[i].thread))
					continue;
				groups.push({ kind: 'loop', thread: steps[i].thread, text: '\u2026 and ' + again + ' times more', steps: part });
				next = i + period * (again + 1);
				break;
			}
			i = next;
		}
		return groups;
	}

	// ---- the program's own calls, where they are known ----

	// Of each step, the functions that its thread is in, outermost first: the call, and its locals. What happens to a store later is in none.
	function framesOf(finding, steps) {
		const known = finding.locals || { calls: [], events: [], failure: null }, at = new Map();
		for (const o of known.events)
			if (!at.has(nameOf(o.thread, o.index)))
				at.set(nameOf(o.thread, o.index), o.frames);
		const before = new Map(), missing = [];
		for (const e of steps) {
			const failure = e.fails && known.failure && known.failure.thread === e.thread ? known.failure.frames : null;
			const found = e.kind === 'update' ? [] : failure || at.get(nameOf(e.thread, e.index)) || null;
			e.frames = (found || []).filter((f) => known.calls[f.call]).map((f) => ({ call: known.calls[f.call], locals: f.locals }));
			if (!found)
				missing.push([e, before.get(e.thread)]);
			else if (e.kind !== 'update') {
				// An allocation, say, has none of its own: it is in the calls that go on from the step before it to the one after.
				for (const [o, earlier] of missing.filter(([o]) => o.thread === e.thread))
					o.frames = earlier ? e.frames.filter((f, i) => earlier.frames[i] && earlier.frames[i].call === f.call).map((f) => ({ call: f.call, locals: [] })) : [];
				before.set(e.thread, e);
			}
		}
	}
	const callText = (c) => c.function + '(' + c.arguments.map((a) => (a.value === null ? a.name : a.name + '=' + a.value)).join(', ') + ')' + (c.result ? ' = ' + c.result : '');
	// Inner calls come before those that they are made in. That of main says nothing.
	function functions(steps) {
		const groups = new Map();
		for (const e of steps)
			e.frames.forEach((f, depth) => {
				if (depth === 0 && f.call.thread === 0)
					return;
				if (!groups.has(f.call))
					groups.set(f.call, { kind: 'function', thread: e.thread, text: callText(f.call), name: f.call.function, depth, steps: [] });
				groups.get(f.call).steps.push(e);
			});
		return [...groups.values()].sort((a, b) => b.depth - a.depth);
	}

	// What stands for a part of a group that has nothing between: the call, or what becomes of it after others came between.
	function partText(group, steps) {
		if (group.kind === 'loop' || steps[0] === group.steps[0])
			return group.text;
		if (group.kind === 'function')
			return '\u2026 ' + group.name + ' goes on';
		const last = steps[steps.length - 1] === group.steps[group.steps.length - 1];
		return group.text.replace(/\(.*/, '') + (last ? ' returns' : ' goes on');
	}

	// ---- edges ----

	// The writes of each byte in the order in which they reach memory; those that never do come last.
	function orders(x) {
		const all = new Map();
		for (const e of x.steps)
			for (const b of writes(e) ? bytesOf(e) : []) {
				if (!all.has(b))
					all.set(b, []);
				all.get(b).push(e);
			}
		const when = (e) => (x.namesSources ? x.rank.get(e) : x.reachedAt(e));
		for (const list of all.values())
			list.sort((a, b) => when(a) - when(b) || a.step - b.step);
		return all;
	}

	function communication(x, add) {
		const order = orders(x), places = new Map();
		// Where a write is in the order of a byte; a list is numbered once, when it is first asked for.
		const placeIn = (list, write) => {
			if (!places.has(list))
				places.set(list, new Map(list.map((w, i) => [w, i])));
			return places.get(list).has(write) ? places.get(list).get(write) : -1;
		};
		for (const e of x.steps) {
			const before = writes(e) && e.after && x.byName.get(nameOf(e.after.thread, e.after.index));
			if (before)
				add('co', before, e);
			if (!reads(e))
				continue;
			const source = x.sourceOf(e), list = order.get(e.byte) || [];
			if (source)
				add('rf', source, e);
			// What its first byte comes before; later writes follow by coherence.
			const at = source ? placeIn(list, source) : -1, over = source && at < 0 ? null : list[at + 1];
			if ((source || e.initial) && over && over !== e)
				add('fr', e, over);
		}
	}

	// By release and acquire, and from unlock to lock: the checker has found out.
	function synchronise(x, add) {
		for (const e of x.steps)
			for (const name of e.fails || e.kind === 'update' ? [] : e.synchronises) {
				const to = x.byName.get(nameOf(name.thread, name.index));
				if (to)
					add('sw', e, to);
			}
	}

	function threadOrder(x, add) {
		const created = new Map(), ended = new Map();
		for (const e of x.steps) {
			if (e.fails)
				continue;
			if (e.kind === 'create')
				created.set(+e.value, e);
			else if (e.kind === 'start' && created.has(e.thread))
				add('hb', created.get(e.thread), e);
			else if (e.kind === 'exit')
				ended.set(e.thread, e);
			else if (e.kind === 'join' && ended.has(+e.value))
				add('hb', ended.get(+e.value), e);
		}
	}

	function programOrder(x, add) {
		for (const t of x.threads) {
			let before = null;
			for (const e of t.steps) {
				if (e.kind === 'update') {
					const write = x.byName.get(nameOf(e.thread, e.index));
					if (write)
						add('bu', write, e);
					continue;
				}
				if (before)
					add('po', before, e);
				before = e;
			}
		}
	}

	// The two accesses of a race.
	function racing(x, add) {
		const sides = [], end = x.steps.findIndex((e) => e.fails);
		for (const line of x.finding.kind === 'race' ? x.finding.detail.split('\n') : []) {
			const m = /^(?:first|second) access *: .* by thread (\d+) at (.*):(\d+)(?: in .*)?$/.exec(line);
			const there = m && x.steps.slice(0, end).reverse().find((e) => e.thread === +m[1] && e.file === m[2] && e.line === +m[3] && MEMORY[e.kind]);
			if (there)
				sides.push(there);
		}
		if (sides.length === 2 && sides[0] !== sides[1])
			add('race', sides[0], sides[1]);
	}

	function waiting(x, add) {
		const ending = x.steps.filter((e) => e.until >= 0);
		for (const e of ending) {
			const other = ending.find((o) => o.thread === e.until);
			if (other && other !== e)
				add('wait', e, other);
		}
	}

	function prepare(result, finding) {
		const steps = allSteps(finding), byName = new Map(), updates = new Map(), edges = [];
		for (const e of steps) {
			const name = nameOf(e.thread, e.index);
			if (e.kind === 'update')
				updates.set(name, e.step);
			else if (e.index >= 0)
				byName.set(name, e);
		}
		const x = { result, finding, steps, byName, edges, threads: threadsOf(steps) };
		x.sourceOf = (e) => (e.source && byName.get(nameOf(e.source.thread, e.source.index))) || null;
		x.reachedAt = (e) => (!e.buffered ? e.step : updates.has(nameOf(e.thread, e.index)) ? updates.get(nameOf(e.thread, e.index)) : steps.length);
		x.namesSources = namesSources.has(result.model);
		x.rank = ranks(x);
		const add = (kind, from, to) => edges.push({ kind, from, to });
		programOrder(x, add);
		communication(x, add);
		threadOrder(x, add);
		synchronise(x, add);
		waiting(x, add);
		racing(x, add);
		x.locations = locations(x);
		framesOf(finding, steps);
		x.groups = groupsOf(steps).concat(functions(steps));
		for (const t of x.threads)
			t.name = (finding.threads || []).filter((o) => o.thread === t.id).map((o) => o.name)[0] || t.function;
		return x;
	}

	// ---- state ----

	// The place of each write in the coherence order: which of two is newer?
	function ranks(x) {
		const rank = new Map();
		for (const e of x.steps) {
			const chain = new Set();
			for (let w = e; w && writes(w) && !rank.has(w) && !chain.has(w);
				w = w.after && x.byName.get(nameOf(w.after.thread, w.after.index)))
				chain.add(w);
			for (const w of [...chain].reverse()) {
				const before = w.after && x.byName.get(nameOf(w.after.thread, w.after.index));
				rank.set(w, before && rank.has(before) ? rank.get(before) + 1 : 0);
			}
		}
		return rank;
	}

	// Whatever is accessed, with the value that it had at first where an event tells it.
	function locations(x) {
		const all = new Map();
		for (const e of x.steps) {
			if (!MEMORY[e.kind])
				continue;
			const key = e.byte + ' ' + e.size;
			if (!all.has(key))
				all.set(key, { name: e.location, byte: e.byte, size: e.size, initial: null });
			if (e.initial && all.get(key).initial === null)
				all.get(key).initial = halves(e)[0];
		}
		const count = new Map();
		for (const l of all.values())
			count.set(l.name, (count.get(l.name) || 0) + 1);
		for (const l of [...all.values()].filter((o) => count.get(o.name) > 1))
			l.name += ' (' + l.size + (l.size === 1 ? ' byte)' : ' bytes)');
		return [...all.values()];
	}

	function store(x, s, e) {
		const write = e.kind === 'update' ? x.byName.get(nameOf(e.thread, e.index)) || e : e;
		for (const b of bytesOf(e)) {
			const old = s.bytes.get(b);
			// Where a model lets writes be seen out of order, an older one may come later.
			if (old && x.namesSources && x.rank.get(old) > x.rank.get(write))
				continue;
			s.bytes.set(b, write);
			s.freed.delete(b);
		}
	}

	// What a location holds: the value of one write, or what several writes, or a part of one, have made of it.
	function content(s, l) {
		const by = new Set(), bytes = bytesOf(l);
		bytes.forEach((b) => by.add(s.bytes.get(b) || null));
		const [one] = by, freed = s.freed.get(l.byte) || null;
		if (by.size === 1 && !one)
			return { name: l.name, value: l.initial, by: [], mixed: false, freed };
		const whole = by.size === 1 && one.byte === l.byte && one.size === l.size;
		return { name: l.name, value: whole ? written(one) : null, by: [...by].filter(Boolean), mixed: !whole, freed };
	}

	// Mutexes are held; the inside of other objects is in use for a moment, and is left with a value.
	function lock(s, e) {
		if (e.kind === 'sleep' || e.kind === 'wake') {
			const thread = +e.location.replace(/\D+/, '');
			s.asleep.set(thread, e.kind === 'sleep');
			return;
		}
		if (!(LOCKS[e.kind] || UNLOCKS[e.kind] || /init$|destroy$/.test(e.kind)) || e.value === 'failed' || !e.location)
			return;
		const l = Object.assign({ holder: -1, depth: 0, inside: -1, value: '', readers: false }, s.locks.get(e.location), { name: e.location, by: e });
		l.object = (e.object || '').replace(/ readers$/, '');
		if (e.kind === 'enter' || e.kind === 'leave')
			l.inside = e.kind === 'enter' ? e.thread : -1;
		else if (LOCKS[e.kind] && e.kind !== 'take')
			Object.assign(l, { depth: l.holder === e.thread ? l.depth + 1 : 1, holder: e.thread, readers: /readers$/.test(e.object || '') });
		else if (UNLOCKS[e.kind] && e.kind !== 'offer')
			Object.assign(l, { depth: l.depth - 1, holder: l.depth > 1 ? l.holder : -1 });
		if (e.value && (e.kind === 'leave' || e.kind === 'init'))
			l.value = e.value;
		if (/destroy$/.test(e.kind))
			s.locks.delete(e.location);
		else
			s.locks.set(e.location, l);
	}

	function apply(x, s, e) {
		if (e.fails)
			return;
		if (e.kind === 'update') {
			s.buffers.set(e.thread, (s.buffers.get(e.thread) || []).filter((w) => w.index !== e.index));
			store(x, s, e);
		} else if (e.buffered) {
			s.buffers.set(e.thread, (s.buffers.get(e.thread) || []).concat([e]));
		} else if (writes(e)) {
			store(x, s, e);
		} else if (e.kind === 'free') {
			bytesOf(e).forEach((b) => s.freed.set(b, e));
		} else {
			lock(s, e);
		}
	}

	// What a thread that has events left is about to do, or waits for.
	function outlook(s, next, ended) {
		const l = s.locks.get(next.location), name = (next.object || '').replace(/ readers$/, '') + ' ' + next.location;
		const waits = (text) => ({ status: 'waits', text, at: next });
		if (l && /^(lock|once)$/.test(next.kind) && l.holder >= 0 && l.holder !== next.thread && !(l.readers && /readers$/.test(next.object || '')))
			return waits('waits for ' + name + ', held by ' + (l.readers ? 'readers' : 'T' + l.holder));
		if (l && next.kind === 'enter' && l.inside >= 0 && l.inside !== next.thread)
			return waits('waits for ' + name + ', in use by T' + l.inside);
		if (l && next.kind === 'take' && l.value === '0')
			return waits('waits for ' + name);
		if (next.kind === 'sleep' && s.asleep.get(next.thread))
			return waits('sleeps until it is woken');
		if (next.kind === 'join' && !ended.has(+next.value))
			return { status: 'waits', text: 'waits for T' + next.value + ' to end', at: next };
		if (next.fails)
			return { status: 'next', text: next.kind === 'waits' ? 'is about to wait' : 'is about to fail', at: next };
		return { status: 'next', text: 'next: ' + describe(next), at: next };
	}

	function threadStates(x, s, step) {
		const ended = new Set(), created = new Set();
		for (const e of x.steps.slice(0, step + 1)) {
			if (e.kind === 'exit')
				ended.add(e.thread);
			else if (e.kind === 'create')
				created.add(+e.value);
		}
		return x.threads.map((t) => {
			const done = t.steps.filter((e) => e.step <= step), last = done[done.length - 1] || null;
			const next = t.steps.find((e) => e.step > step && e.kind !== 'update' && e.past) || t.steps.find((e) => e.step > step && e.kind !== 'update');
			let now;
			if (last && last.fails)
				now = { status: 'fails', text: last.kind === 'waits' ? last.text : last.kind, at: last };
			else if (ended.has(t.id))
				now = { status: 'ended', text: 'has ended', at: last };
			else if (!last)
				now = { status: 'none', text: created.has(t.id) ? 'is created' : t.id ? 'does not exist yet' : 'is about to start', at: null };
			else
				now = next ? outlook(s, next, ended) : { status: 'none', text: 'does nothing else', at: last };
			return Object.assign({ thread: t, last }, now);
		});
	}

	function stateAt(x, step) {
		// All that wait in the end do so at once.
		while (x.steps[step].kind === 'waits' && step + 1 < x.steps.length && x.steps[step + 1].kind === 'waits')
			step++;
		const s = { bytes: new Map(), freed: new Map(), buffers: new Map(), locks: new Map(), asleep: new Map() };
		for (let i = 0; i <= step && i < x.steps.length; i++)
			apply(x, s, x.steps[i]);
		s.memory = x.locations.map((l) => content(s, l));
		s.threads = threadStates(x, s, step);
		return s;
	}

	// ---- words ----

	function effect(e) {
		if (e.fails)
			return e.text;
		if (e.kind === 'create' || e.kind === 'join')
			return 'T' + e.value;
		if (e.location && e.value)
			return e.location + (e.kind === 'trylock' || e.kind === 'timedlock' ? ' ' : ' = ') + e.value.replace(' -> ', ' \u2192 ');
		return e.location || e.value;
	}
	const describe = (e) => (e.kind === 'waits' ? e.text : e.kind + (e.fails && e.text ? ': ' : ' ') + effect(e)).trim();

	return { prepare, stateAt, partText, effect, describe, reads, writes, halves };
})();
