// What is drawn, and what happens when something is clicked.
(function () {
	const $ = (id) => document.getElementById(id);
	// The page as it came, for frames that show it again; and in such a frame the number of its finding.
	const original = '<!DOCTYPE html>\n' + document.documentElement.outerHTML;
	const pane = /^finding \d+$/.test(window.name) && window !== window.top ? +window.name.slice(8) : -1;
	document.documentElement.classList.toggle('pane', pane >= 0);
	const report = JSON.parse($('data').textContent);
	const svgNamespace = $('arrows').namespaceURI;
	const KINDS = [
		['po', 'program order: the events of a thread, one after the other'],
		['rf', 'reads from: from a write to a read of it'],
		['co', 'coherence: the order of the writes to a location'],
		['fr', 'from-reads: from a read to the next write of what it read'],
		['sw', 'synchronises with: from a release, by a write, a fence or an unlock, to the acquire that sees it'],
		['hb', 'happens before: from the creation of a thread to its start, and from its end to the thread that joins it'],
		['bu', 'from a write that waits in a store buffer to its update of memory'],
	];
	const ORDERS = { relaxed: 'rlx', acquire: 'acq', release: 'rel', acq_rel: 'acq_rel', seq_cst: 'sc' };
	const ROW = 36, NODE = 28, TALL = 42, CALL = .55;
	let gutter = 46, gap = 64; // less where there is little room
	const MANY_EDGES = 60, LONG_FILE = 4000;
	// So many events are drawn at once; of more, those that can be seen and some around them.
	const MANY_EVENTS = 1500, AROUND = 120, MANY_ROWS = 300;

	const findings = []; // { result, finding, replay }
	report.results.forEach((result) => result.findings.forEach((finding) => {
		const number = findings.length;
		findings.push({ result, finding, number, replay: report.replays[number] || '', models: report.models[number] || '', repeated: report.repeated[number] });
	}));

	const keyOf = (f) => JSON.stringify([f.finding.kind, f.finding.file, f.finding.line, f.finding.column, f.finding.other || '']);
	// The same finding under each model that has it, its own included.
	const alike = (f) => findings.filter((g) => g === f || (g.result !== f.result && keyOf(g) === keyOf(f)));
	// Each is listed once, for the strongest model that has it.
	const listed = findings.filter((f) => !f.repeated);

	// All that the page remembers. `open`: the groups that are not folded.
	const view = { number: -1, prepared: -1, x: null, step: 0, whole: false, open: new Set(), visible: [], on: {}, nodes: [], lines: null, file: '', shown: '' };

	// ---- elements ----

	function el(tag, properties, ...children) {
		const e = document.createElement(tag);
		for (const [name, value] of Object.entries(properties || {})) {
			if (name === 'class')
				e.className = value;
			else if (name.startsWith('on'))
				e.addEventListener(name.slice(2), value);
			else if (value !== null && value !== undefined && value !== false)
				e.setAttribute(name, value === true ? '' : value);
		}
		e.append(...children.filter((c) => c !== null && c !== undefined && c !== ''));
		return e;
	}
	function svg(tag, attributes, text) {
		const e = document.createElementNS(svgNamespace, tag);
		for (const [name, value] of Object.entries(attributes))
			e.setAttribute(name, value);
		if (text)
			e.textContent = text;
		return e;
	}
	const baseName = (path) => path.slice(path.lastIndexOf('/') + 1);
	const place = (o) => (o.file ? baseName(o.file) + ':' + o.line : '');
	// Where there is little room: the end of the name, with the line.
	function shortPlace(o) {
		const whole = place(o);
		return whole.length > 20 ? '\u2026' + whole.slice(-19) : whole;
	}
	const plural = (n, one, many) => (n === 0 ? 'no ' + one : n + ' ' + (n === 1 ? one : many));

	// ---- light and dark ----

	function stored(value) {
		try {
			if (value)
				localStorage.setItem('everett-theme', value);
			return localStorage.getItem('everett-theme');
		} catch (e) {
			return null; // a browser may keep nothing for a file
		}
	}
	function setTheme(theme) {
		document.documentElement.dataset.theme = theme;
		$('theme').textContent = theme === 'dark' ? 'Light' : 'Dark';
	}
	function initTheme() {
		const dark = matchMedia('(prefers-color-scheme: dark)');
		const chosen = stored();
		let own = chosen === 'dark' || chosen === 'light';
		setTheme(own ? chosen : dark.matches ? 'dark' : 'light');
		dark.addEventListener('change', () => own || setTheme(dark.matches ? 'dark' : 'light'));
		$('theme').addEventListener('click', () => {
			own = true;
			setTheme(document.documentElement.dataset.theme === 'dark' ? 'light' : 'dark');
			stored(document.documentElement.dataset.theme);
		});
	}

	// ---- overview ----

	function verdictWord(r) {
		if (report.command === 'robust' && r.verdict !== 'error' && r.verdict !== 'incomplete')
			return r.verdict === 'ok' ? 'robust' : r.findings.some((f) => f.kind === 'not-robust') ? 'not robust' : 'finding';
		return report.command === 'predict' && r.verdict === 'ok' ? 'nothing found' : r.verdict;
	}
	// What stands behind a verdict, so that nobody takes it for more than it is.
	function scope(r) {
		const words = [];
		if (r.error)
			return r.error;
		if (r.complete && r.verdict === 'incomplete')
			words.push('no execution ran to its end, so nothing was verified');
		else if (r.complete)
			words.push('all executions');
		else if (r.stopped)
			words.push('stopped: ' + r.stopped);
		else
			words.push(r.verdict === 'finding' ? 'stopped at a finding' : 'not all executions');
		if (r.complete && r.truncated && r.unroll !== null)
			words.push('within loop bound ' + r.unroll);
		if (r.complete && r.spurious !== undefined)
			words.push('within ' + plural(r.spurious, 'spurious wake-up', 'spurious wake-ups') + ' per thread');
		if (r.complete && r.spurious_cas !== undefined)
			words.push('within ' + plural(r.spurious_cas, 'spurious failure', 'spurious failures') + ' per thread');
		if (report.command === 'predict')
			return r.cycles.length + ' cycles predicted; this verifies nothing';
		if (report.command === 'orders' && r.verdict === 'ok')
			words.push('with the orders below');
		if (r.blocked)
			words.push(r.blocked + ' blocked');
		if (r.truncated)
			words.push(r.truncated + ' cut short');
		if (r.races_unchecked && r.verdict === 'ok')
			words.push('data races not looked for');
		return words.join(', ');
	}
	function verdictRow(r) {
		const first = findings.findIndex((f) => f.result === r);
		const sign = { ok: '\u2713 ', finding: '\u2717 ', incomplete: '\u2026 ', error: '! ' }[r.verdict] || '';
		const badge = report.command === 'predict' && r.verdict === 'ok' ? 'incomplete' : r.verdict;
		const found = first < 0 ? '' : el('a', { href: '#f' + (first + 1), onclick: (event) => { event.preventDefault(); choose(first); } },
			findings[first].finding.kind + ' ' + place(findings[first].finding));
		return el('tr', {}, el('td', {}, el('span', { class: 'model' }, r.model)), el('td', {}, el('span', { class: 'badge ' + badge }, sign + verdictWord(r))),
			el('td', {}, found), el('td', { class: 'number' }, r.executions.toLocaleString('en')), el('td', { class: 'number' }, r.seconds.explore.toFixed(2) + ' s'),
			el('td', { class: 'dim' }, scope(r)));
	}
	function drawOverview() {
		const subject = report.checker || report.files.join(' ');
		$('subject').textContent = report.command + ' ' + subject;
		$('subject').title = subject;
		document.title = (report.files.map(baseName).join(' ') || baseName(report.checker || '')) + ' \u2013 Everett';
		$('verdicts').append(el('thead', {}, el('tr', {}, ...['model', 'verdict', 'finding', 'executions', 'time', 'explored'].map((name) =>
			el('th', { scope: 'col', class: /executions|time/.test(name) ? 'number' : '' }, name)))), el('tbody', {}, ...report.results.map(verdictRow)));
		$('conclusion').textContent = [report.conclusion.trim(), ...new Set(report.results.flatMap((r) => r.notes.map((n) => 'Note: ' + n)))].join('\n').trim();
		$('footer').textContent = 'Everett ' + report.everett + ' runs a concurrent program in every way its memory model allows. Arrow keys step; a click on an event or a line selects it.';
		listed.forEach((f) => $('findings').append(el('button', { class: 'pick', type: 'button', onclick: () => choose(f.number) },
			el('strong', {}, f.finding.kind), f.finding.message ? ': ' + f.finding.message : '',
			el('div', { class: 'where' }, [alike(f).map((g) => g.result.model.toUpperCase()).join(', '), f.finding.file ? f.finding.file + ':' + f.finding.line : '', f.finding.function ? 'in ' + f.finding.function : '']
				.filter(Boolean).join(' \u00b7 ')))));
		if (!findings.length)
			$('findings').append(el('p', { class: 'dim' }, nothingFound()));
	}
	function nothingFound() {
		if (report.results.length && report.results.every((r) => r.verdict === 'ok') && report.command !== 'predict')
			return 'None. Every execution was explored, within the limits that the table names.';
		return 'None. Where the table says neither ok nor robust, nothing was verified.';
	}
	function drawCycles() {
		const rows = report.results.flatMap((r) => (r.cycles || []).filter((c) => c.schedule).map((c) => el('tr', {}, el('td', {}, el('span', { class: 'model' }, r.model)),
			el('td', {}, el('span', { class: 'badge ' + (c.verdict === 'buggy' ? 'finding' : '') }, c.verdict)), el('td', { class: 'number' }, c.confirmed + ' of ' + c.trials),
			el('td', { class: 'mono' }, c.labels.map((l, i) => (i === 0 ? '' : i % 2 ? ' ' : ' | ') + place(l)).join('')), el('td', {}, c.finding), el('td', { class: 'dim' }, c.fence))));
		$('cycles-card').hidden = rows.length === 0;
		$('cycles').append(el('thead', {}, el('tr', {}, ...['model', 'verdict', 'came about', 'accesses', 'finding', 'forbidden by'].map((name) => el('th', { scope: 'col' }, name)))),
			el('tbody', {}, ...rows));
	}

	// ---- memory orders ----

	// What is to be said of a site, in few words, and why.
	function siteMark(s) {
		const because = s.because ? s.because.kind + ' ' + place(s.because) + ' with ' + s.because.with : '';
		const text = !s.executed ? 'never executed' : !s.asked && (s.needed === null || s.needed === s.now) ? '' : s.needed === null ? s.now + ': not fixed' :
			s.needed === s.now ? s.now + ': needed' : (s.operation.startsWith('fence before ') ? 'no fence' : s.now) + ' \u2192 ' + s.needed;
		return { text, because: s.executed && s.asked && !because && s.needed === 'relaxed' ? 'nothing weaker exists' : because,
			kind: !s.executed ? 'dim' : s.needed !== s.now ? 'changes' : 'stays' };
	}
	function siteLine(lines, file, n, sites) {
		const text = el('span', {}, ...((lines && lines[n - 1]) || []).map(([kind, piece]) => (kind ? el('span', { class: kind }, piece) : piece)));
		const marks = sites.map(siteMark).filter((m) => m.text).map((m) => el('span', { class: 'order ' + m.kind, title: m.because }, m.text));
		return el('div', { class: marks.length ? 'ln marked' : 'ln' }, el('span', { class: 'no' }, String(n)), text, ...marks);
	}
	// Each file that has sites, with a marker beside each line that has one.
	function drawSites() {
		for (const r of report.results) {
			const sites = r.sites || [];
			for (const file of new Set(sites.filter((s) => s.asked || !s.executed).map((s) => s.file))) {
				const own = sites.filter((s) => s.file === file), lines = linesOf(file);
				const numbers = lines && lines.length <= LONG_FILE ? lines.map((l, i) => i + 1) : [...new Set(own.map((s) => s.line))];
				$('sites').append(el('h3', {}, r.model + ', ' + file),
					el('div', { class: 'code orders' }, el('div', { class: 'code-in' }, ...numbers.map((n) => siteLine(lines, file, n, own.filter((s) => s.line === n))))));
			}
		}
		$('sites-card').hidden = !$('sites').children.length;
	}

	// ---- coverage ----

	// File -> line -> whether it was executed under any model, and the ways of its branches that were not taken under any.
	const coverage = new Map();
	function readCoverage() {
		const taken = new Map();
		for (const r of report.results)
			for (const file of r.coverage ? r.coverage.files : []) {
				const lines = coverage.get(file.file) || coverage.set(file.file, new Map()).get(file.file);
				for (const n of file.lines.not_executed)
					if (!lines.has(n))
						lines.set(n, { executed: false, missing: [] });
				for (const n of file.lines.executed)
					lines.set(n, { executed: true, missing: [] });
				for (const b of file.branches) {
					const key = JSON.stringify([file.file, b.line, b.column, b.function, b.number, b.edge]), known = taken.get(key);
					taken.set(key, { file: file.file, line: b.line, edge: b.edge, executed: b.executed || (known && known.executed) });
				}
			}
		for (const b of taken.values()) {
			const line = coverage.get(b.file).get(b.line);
			if (line && !b.executed)
				line.missing.push(b.edge);
		}
	}
	// Names of classes, and what to say about it.
	function covered(file, n) {
		const line = (coverage.get(file) || new Map()).get(n);
		if (!line || (line.executed && !line.missing.length))
			return { class: '', text: '' };
		return line.executed ? { class: ' half', text: 'never: ' + line.missing.join(', ') } : { class: ' dead', text: 'not executed' };
	}
	function coverageLine(lines, file, n) {
		const c = covered(file, n);
		const text = el('span', {}, ...((lines && lines[n - 1]) || []).map(([kind, piece]) => (kind ? el('span', { class: kind }, piece) : piece)));
		return el('div', { class: 'ln' + c.class, title: c.text || null }, el('span', { class: 'no' }, String(n)), text);
	}
	// Each file in which something was not executed, folded.
	function drawCoverage() {
		readCoverage();
		for (const [file, known] of coverage) {
			const gaps = [...known.keys()].filter((n) => covered(file, n).class).sort((a, b) => a - b), lines = linesOf(file);
			const dead = [...known.values()].filter((l) => !l.executed).length;
			const numbers = lines && lines.length <= LONG_FILE ? lines.map((l, i) => i + 1) : gaps;
			if (gaps.length)
				$('coverage').append(el('details', {}, el('summary', {}, file + ': ' + dead + ' of ' + known.size + ' lines not executed'),
					el('div', { class: 'code orders' }, el('div', { class: 'code-in' }, ...numbers.map((n) => coverageLine(lines, file, n))))));
		}
		$('coverage-card').hidden = !$('coverage').children.length;
	}

	// ---- a finding ----

	function choose(number, step) {
		view.state = null;
		const { result, finding, replay } = findings[number], same = alike(findings[number]);
		view.number = number;
		// Nothing is compared with itself.
		for (const option of $('compare-with').options)
			option.hidden = option.disabled = option.value === String(number);
		if ($('compare-with').value === String(number))
			$('compare-with').value = '';
		if (!$('panes').hidden)
			compare();
		if (!$('panes').hidden)
			return;
		view.prepared = number;
		view.x = everett.prepare(result, finding);
		view.whole = false;
		view.open = new Set();
		view.closed = new Set();
		$('whole').checked = false;
		$('whole-label').hidden = view.x.steps.every((e) => e.past);
		[...$('findings').children].forEach((b, i) => b.setAttribute('aria-current', same.includes(listed[i])));
		$('execution').hidden = false;
		drawHeadline(findings[number], same);
		drawMore(finding, replay);
		drawEdgeSwitches();
		drawFiles();
		const failing = view.x.steps.filter((e) => e.fails);
		const target = failing.find((e) => e.thread === finding.thread) || failing[0] || view.x.steps[view.x.steps.length - 1];
		const wanted = view.x.steps[step];
		if (wanted && !wanted.past)
			view.whole = $('whole').checked = true;
		drawDiagram();
		if (wanted || target)
			select((wanted || target).step);
	}
	// The execution of another model that has the same finding.
	function linkTo(f) {
		return el('a', { href: '#f' + (f.number + 1), class: 'chip', onclick: (event) => { event.preventDefault(); choose(f.number); } }, f.result.model.toUpperCase());
	}
	// As the text report has it: a random execution is not one of the search, and has a number of its own.
	function executionText(finding) {
		if (!finding.drawn)
			return 'execution ' + finding.execution;
		return /^at most /.test(finding.drawn) ? `execution ${finding.execution} of those with ${finding.drawn}` : `random execution ${finding.execution} (${finding.drawn})`;
	}
	function drawHeadline(shown, same) {
		const { result, finding, models } = shown, others = same.filter((f) => f !== shown);
		const facts = [finding.file ? finding.file + ':' + finding.line : '', finding.function ? 'in ' + finding.function : '', finding.thread >= 0 ? 'thread T' + finding.thread : '',
			executionText(finding), result.model.toUpperCase() + (result.equivalence ? ', ' + result.equivalence : '')].filter(Boolean).join(' \u00b7 ');
		const simplest = finding.simplest && 'The simplest execution that shows it: ' + plural(finding.simplest.preemptions, 'preemption', 'preemptions') + ', ' +
			plural(finding.simplest.out_of_order, 'access out of order', 'accesses out of order') + (finding.hopeless ? '; every execution fails.' : '.');
		$('headline').replaceChildren(el('h1', {}, el('b', {}, finding.kind), finding.message ? ': ' + finding.message : ''), el('p', {}, facts), models ? el('p', { class: 'models' }, models[0].toUpperCase() + models.slice(1) + '. ', ...others.map(linkTo)) : '',
			simplest ? el('p', {}, simplest) : '');
	}
	function strongerText(finding) {
		if (!finding.stronger.length)
			return '';
		return (finding.kind === 'race' ? 'The two accesses would be ordered in this execution if' : 'This execution would be impossible if') + finding.stronger.map((c, i) => {
			const [operation, failure] = c.operation.split(' ');
			return '\n  ' + (i ? 'and ' : '') + 'the ' + operation + (c.location ? (operation === 'store' ? ' to ' : ' of ') + c.location : '') + ' at ' + c.file + ':' + c.line +
				' were ' + c.needed + (failure ? ' on failure' : '') + ' (it is ' + c.now + ')';
		}).join('');
	}
	function drawMore(finding, replay) {
		const parts = [];
		for (const [title, text] of [['What is wrong', finding.detail], ['What would have to be stronger', strongerText(finding)], ['Output of the program', finding.output], ['Run it again', replay]])
			if (text)
				parts.push(el('h2', {}, title), el('pre', {}, text.replace(/\n$/, '')));
		$('more').replaceChildren(...parts);
	}
	function drawEdgeSwitches() {
		const there = new Set(view.x.edges.map((e) => e.kind));
		const race = view.x.finding.kind === 'race';
		$('edges').replaceChildren($('edges').querySelector('legend'));
		for (const [kind, meaning] of KINDS) {
			if ((kind === 'bu' || kind === 'sw') && !there.has(kind))
				continue;
			if (!(kind in view.on))
				view.on[kind] = kind !== 'hb' || race;
			const box = el('input', { type: 'checkbox', id: 'edge-' + kind, 'aria-label': meaning, onchange: () => { view.on[kind] = box.checked; showEdges(); } });
			box.checked = view.on[kind];
			$('edges').append(el('label', { class: 'check', title: meaning }, box, el('span', { class: 'swatch ' + kind }), kind === 'bu' ? 'buffer' : kind));
		}
	}

	// ---- the diagram ----

	function classOf(e) {
		if (e.fails)
			return 'fail';
		if (e.kind === 'read' || e.kind === 'update')
			return e.kind;
		if (e.kind === 'write')
			return e.buffered ? 'write waiting' : 'write';
		return e.kind === 'rmw' || e.kind === 'cas' ? 'rmw' : /^(start|exit|create|join|choose|free)$/.test(e.kind) ? 'life' : 'sync';
	}
	// What stands in the diagram: a step, or those of a group that is folded.
	const textOf = (e) => (e.fold ? everett.partText(e.fold, e.parts) : everett.describe(e));
	function labelOf(e) {
		if (e.fold)
			return ['T' + e.thread + '#' + e.index + '\u2013' + e.parts[e.parts.length - 1].index, textOf(e), place(e)].concat(e.parts.map(stepLabel)).join(', ');
		return stepLabel(e);
	}
	function stepLabel(e) {
		return [e.fails ? 'T' + e.thread : e.id, e.fails ? '' : e.order, everett.describe(e), e.buffered ? 'waits in the store buffer' : '', e.initial ? 'the initial value' : '',
			e.source ? 'from T' + e.source.thread + '#' + e.source.index : '', e.file ? e.file + ':' + e.line : ''].filter(Boolean).join(', ');
	}
	// As wide as what is in them, or as there is room for; what is longer is cut, and the mouse shows it.
	function laneWidth() {
		const room = $('lanes').clientWidth, narrow = room < 600;
		let longest = 13;
		for (const e of view.visible)
			if (!e.fails)
				longest = Math.max(longest, textOf(e).length + (e.fold ? 2 : 0) + (ORDERS[e.order] ? ORDERS[e.order].length + 2 : 0));
		gutter = narrow ? 34 : 46;
		const share = (room - gutter) / view.lanes.length;
		gap = narrow ? 44 : share < longest * 7.3 + 90 ? 44 : 64;
		const needed = longest * 7.3 + 26 + gap;
		if (share >= needed)
			return Math.min(share, 420);
		// If there is to be scrolled anyway, they may as well be wider.
		return share >= 224 ? share : Math.max(share, Math.min(needed, narrow ? 200 : 300));
	}
	// What is drawn: a step each, but for a group that is folded, whose steps are one as long as nothing that is drawn comes between.
	function fold() {
		const x = view.x, groupOf = new Map();
		for (const g of x.groups)
			for (const e of g.steps)
				if (isFolded(g))
					groupOf.set(e, g);
		view.visible = [];
		for (const e of x.steps) {
			e.fold = e.parts = e.shown = null;
			e.begins = [];
			if (!view.whole && !e.past)
				continue;
			const last = view.visible[view.visible.length - 1], g = groupOf.get(e) || null;
			if (g && last && last.fold === g) {
				last.parts.push(e);
				e.shown = last;
				continue;
			}
			e.fold = g;
			e.parts = [e];
			e.shown = e;
			view.visible.push(e);
		}
		// What can be folded again is so where it begins; a function has a line of its own there.
		for (const e of x.steps)
			e.folds = null;
		for (const g of x.groups) {
			const first = g.steps.find((e) => e.shown);
			if (view.open.has(g))
				g.steps[0].folds = g;
			if (g.kind === 'function' && first && !isFolded(g) && !(first.shown.fold && first.shown.fold.kind === 'function'))
				first.shown.begins.unshift(g);
		}
	}
	// Calls of the program's own functions are unfolded at first, and all else is folded.
	const isFolded = (group) => (group.kind === 'function' ? view.closed.has(group) : !view.open.has(group));
	function toggle(group, at) {
		const changed = group.kind === 'function' ? view.closed : view.open;
		if (!changed.delete(group))
			changed.add(group);
		view.state = null;
		drawDiagram();
		select(at.step);
	}
	function drawDiagram() {
		const x = view.x, canvas = $('canvas');
		fold();
		view.lanes = x.threads.filter((t) => view.visible.some((e) => e.thread === t.id));
		const width = laneWidth(), rows = layOut(), lane = new Map(view.lanes.map((t, i) => [t.id, i]));
		const total = gutter + width * view.lanes.length, height = rows * ROW + 14;
		$('heads').style.width = canvas.style.width = Math.max(total, 0) + 'px';
		canvas.style.height = height + belowWindow() + 'px';
		$('heads').replaceChildren(...view.lanes.map((t, i) => {
			const head = el('div', { class: 'head', title: 'thread ' + t.id + (t.name ? ', ' + t.name : '') }, el('b', {}, 'T' + t.id), el('span', {}, t.name));
			head.style.left = gutter + i * width + gap / 2 - 2 + 'px';
			head.style.width = width - gap + 'px';
			return head;
		}));
		canvas.replaceChildren($('arrows'));
		view.lanes.forEach((t, i) => {
			if (i % 2)
				return;
			const stripe = el('div', { class: 'lane' });
			stripe.style.left = gutter + i * width + 'px';
			stripe.style.width = width + 'px';
			canvas.insertBefore(stripe, $('arrows'));
		});
		view.visible.forEach((e, i) => {
			e.position = i;
			e.left = gutter + lane.get(e.thread) * width + gap / 2;
			e.width = width - gap;
		});
		view.frame = [...canvas.children];
		view.width = total;
		view.height = height;
		view.range = null;
		drawWindow();
		$('slider').max = view.visible.length - 1;
	}
	// The first event in this row or below it.
	function eventAt(row) {
		let low = 0, high = view.visible.length;
		while (low < high) {
			const middle = (low + high) >> 1;
			if (view.visible[middle].row < row)
				low = middle + 1;
			else
				high = middle;
		}
		return low;
	}
	// Draws the events that can be seen, if they are not all there: the time that it takes does not depend on how many there are.
	function drawWindow() {
		const box = $('lanes'), n = view.visible.length;
		let first = 0, last = n;
		if (n > MANY_EVENTS) {
			first = eventAt(box.scrollTop / ROW - 2);
			last = eventAt((box.scrollTop + box.clientHeight) / ROW + 1);
		}
		if (view.range && view.range[0] <= first && view.range[1] >= last)
			return false;
		const focused = document.activeElement && document.activeElement.classList.contains('node');
		view.range = [Math.max(0, first - AROUND), Math.min(n, last + AROUND)];
		$('canvas').replaceChildren(...view.frame);
		view.nodes = [];
		view.visible.slice(...view.range).reduce((numbered, e) => drawEvent(e, numbered), -1);
		drawEdges(view.width, view.height);
		if (view.state)
			mark(focused);
		return true;
	}
	function drawEvent(e, numbered) {
		const canvas = $('canvas');
		canvas.append(nodeOf(e));
		e.begins.forEach((group, i) => {
			const line = el('button', { class: 'begins', type: 'button', title: group.text + '\nFold (\u2212)', onclick: () => toggle(group, e) }, '\u25be ' + group.text);
			line.style.left = e.left + 22 + 'px';
			line.style.width = e.width + gap / 2 - 26 + 'px';
			line.style.top = (e.row - (e.begins.length - i) * CALL) * ROW + 9 + 'px';
			canvas.append(line);
		});
		if (e.row !== numbered) {
			const number = el('div', { class: 'step', 'aria-hidden': 'true' }, String(e.step + 1));
			number.style.top = e.row * ROW + 14 + 'px';
			canvas.append(number);
		}
		if (e.parts.some((part) => part.decides)) {
			const remark = el('div', { class: 'decides' }, '\u2191 from here on every execution fails');
			remark.style.left = e.left + 26 + 'px';
			remark.style.width = e.width + gap / 2 - 28 + 'px';
			remark.style.top = (e.row + 1) * ROW + 4 + 'px';
			canvas.append(remark);
		}
		return e.row;
	}
	// A row for each event; those that wait in the end stand in one, and there is room for a remark. Returns the number of rows.
	function layOut() {
		let row = 0;
		view.visible.forEach((e, i) => {
			const before = view.visible[i - 1];
			if (before && e.kind === 'waits' && before.kind === 'waits')
				row = before.row;
			row += e.begins.length * CALL;
			e.row = row;
			row += e.parts.some((part) => part.decides) ? 1.8 : e.fails ? 1.4 : 1;
		});
		return row + (view.visible.some((e) => e.until >= 0) ? 1 : .2);
	}
	// What unfolds a group, or folds it.
	function sign(e) {
		const group = e.fold || e.folds;
		if (!group || (group.steps.length === 1 && group.kind !== 'function'))
			return [];
		return [el('span', { class: 'fold', title: e.fold ? 'Show its ' + plural(group.steps.length, 'event', 'events') + ' (+)' : 'Fold: ' + group.text + ' (\u2212)',
			onclick: (event) => { event.preventDefault(); event.stopPropagation(); toggle(group, e); } }, e.fold ? '\u25b8' : '\u25be')];
	}
	function nodeOf(e) {
		const node = el('a', { class: 'node ' + (e.fold ? 'sync folded' : classOf(e)), href: e.file ? '#' + lineId(e.file, e.line) : '#', title: labelOf(e), 'aria-label': labelOf(e), tabindex: -1, role: 'listitem',
			'data-step': e.step, 'data-file': e.file, 'data-line': e.line, onclick: (event) => { event.preventDefault(); select(e.step); } },
		...sign(e), ...(e.fails || e.fold ? [] : [el('span', { class: 'k' }, e.kind)]), e.fails || e.fold ? el('span', { class: 't' }, textOf(e)) : el('span', { class: 't end' }, el('bdi', { dir: 'ltr' }, everett.effect(e))),
		ORDERS[e.order] && !e.fold ? el('span', { class: 'o' }, ORDERS[e.order]) : '');
		node.style.left = e.left + 'px';
		node.style.top = e.row * ROW + 10 + 'px';
		node.style.width = e.width + 'px';
		node.step = e.step;
		view.nodes[e.step] = node;
		return node;
	}

	// ---- edges ----

	// From side to side; both ends are shifted by kind, so that two edges of the same events stay apart.
	function pathOf(edge) {
		const { from, to, kind } = edge, shift = { rf: -5, co: 0, fr: 5, sw: 9, hb: 8, bu: -2, race: 2 }[kind] || 0;
		const y1 = from.row * ROW + 10 + NODE / 2 + shift, y2 = to.row * ROW + 10 + NODE / 2 + shift;
		if (kind === 'po') {
			const x = from.left + 16;
			return { d: `M${x} ${from.row * ROW + 10 + NODE}L${x} ${to.row * ROW + 7}`, x, y: (y1 + y2) / 2 };
		}
		if (kind === 'wait') {
			const right = to.left > from.left, a = from.left + from.width * (right ? .62 : .38), b = to.left + to.width * (right ? .38 : .62), y = from.row * ROW + 10 + TALL;
			const deep = right ? 16 : 26;
			return { d: `M${a} ${y}C${a} ${y + deep} ${b} ${y + deep} ${b} ${y + 2}`, x: (a + b) / 2, y: y + deep };
		}
		if (from.left === to.left) {
			const side = kind === 'co' || kind === 'bu' ? -1 : 1, x = side > 0 ? from.left + from.width : from.left;
			const out = side * Math.min(kind === 'bu' ? 14 : 24, 9 + Math.abs(to.row - from.row) * 1.5);
			return { d: `M${x} ${y1}C${x + out * 1.35} ${y1} ${x + out * 1.35} ${y2} ${x + side * 2} ${y2}`, x: x + out, y: (y1 + y2) / 2 };
		}
		const right = to.left > from.left, x1 = right ? from.left + from.width : from.left, x2 = right ? to.left - 2 : to.left + to.width + 2;
		const bend = Math.max(26, Math.min(120, Math.abs(x2 - x1) * .45)) * (right ? 1 : -1);
		// Labels are not all in the middle, so that those of edges that cross stay apart.
		const t = { rf: .3, co: .38, fr: .3, sw: .5, hb: .22, race: .55 }[kind] || .5, u = 1 - t;
		const part = (a, b, c, d) => u * u * u * a + 3 * u * u * t * b + 3 * u * t * t * c + t * t * t * d;
		return { d: `M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`, x: part(x1, x1 + bend, x2 - bend, x2), y: part(y1, y1, y2, y2) };
	}
	function tip(edge) {
		const meaning = (KINDS.find(([kind]) => kind === edge.kind) || ['', edge.kind === 'race' ? 'data race' : 'waits for'])[1];
		return meaning + '\n' + stepLabel(edge.from) + '\n\u2192 ' + stepLabel(edge.to);
	}
	function drawEdges(width, height) {
		const arrows = $('arrows');
		arrows.setAttribute('width', width);
		arrows.setAttribute('height', height);
		const defs = svg('defs', {});
		for (const kind of ['po', 'rf', 'co', 'fr', 'sw', 'hb', 'bu', 'wait', 'race']) {
			const marker = svg('marker', { id: 'tip-' + kind, viewBox: '0 0 8 8', refX: 7, refY: 4, markerWidth: 8, markerHeight: 8, markerUnits: 'userSpaceOnUse', orient: 'auto' });
			marker.append(svg('path', { d: 'M0 0.6L8 4L0 7.4z', class: 'tip-' + kind }));
			defs.append(marker);
		}
		arrows.replaceChildren(defs);
		const inRange = (e) => e.position >= view.range[0] && e.position < view.range[1], groups = {}, there = new Set();
		let count = 0;
		view.drawn = [];
		for (const whole of view.x.edges) {
			const edge = { kind: whole.kind, from: whole.from.shown, to: whole.to.shown };
			if (!edge.from || !edge.to || edge.from === edge.to || (!inRange(edge.from) && !inRange(edge.to)))
				continue;
			// Of a group that is folded, one for all of its steps.
			const name = edge.kind + ' ' + edge.from.step + ' ' + edge.to.step;
			if (there.has(name))
				continue;
			there.add(name);
			const { d, x, y } = pathOf(edge), kind = edge.kind;
			if (!groups[kind])
				arrows.append(groups[kind] = svg('g', { 'data-kind': kind }));
			const path = svg('path', { d, class: 'edge ' + kind, [kind === 'race' ? 'data-pair' : 'marker-end']: 'url(#tip-' + kind + ')', 'data-from': edge.from.id, 'data-to': edge.to.id });
			path.append(svg('title', {}, tip(whole)));
			groups[kind].append(path);
			const label = /^(rf|co|fr|sw|hb|race)$/.test(kind) ? svg('text', { class: 'label ' + kind, x, y }, kind) : null;
			if (label)
				groups[kind].append(label);
			count += kind !== 'po';
			view.drawn.push({ edge, path, label });
		}
		arrows.classList.toggle('many', count > MANY_EDGES);
		showEdges();
	}
	function showEdges() {
		for (const group of $('arrows').querySelectorAll('g'))
			group.style.display = view.on[group.dataset.kind] === false ? 'none' : '';
	}

	// ---- the source ----

	const sourceIndex = (file) => report.sources.findIndex((s) => s.file === file);
	const lineId = (file, line) => 's' + Math.max(0, sourceIndex(file)) + 'L' + line;
	const TOKENS = /(\/\/.*)|(\/\*[^]*?(?:\*\/|$))|("(?:\\.|[^"\\])*"?|'(?:\\.|[^'\\])*'?)|(\b(?:auto|break|case|char|const|continue|default|do|double|else|enum|extern|float|for|goto|if|inline|int|long|register|restrict|return|short|signed|sizeof|static|struct|switch|typedef|union|unsigned|void|volatile|while|bool|true|false|NULL|nullptr|class|namespace|template|new|delete|_Atomic|_Bool|_Thread_local|_Static_assert|_Alignas|thread_local|(?:atomic_|pthread_|u?int\d+_|size_|uintptr_|mtx_|cnd_|thrd_|sem_)\w*t)\b)|(\b(?:0[xX][0-9a-fA-F]+|\d[\d.]*(?:[eE][-+]?\d+)?)[uUlLfF]*\b)|(^\s*#\s*\w+)/gm;
	const CLASSES = ['c-comment', 'c-comment', 'c-string', 'c-word', 'c-number', 'c-directive'];

	// The lines of a file, each as pieces [class, text]: a comment may go over several.
	function highlight(text) {
		const lines = [[]];
		const put = (kind, piece) => piece.split('\n').forEach((part, i) => {
			if (i)
				lines.push([]);
			if (part)
				lines[lines.length - 1].push([kind, part]);
		});
		let at = 0;
		for (const m of text.matchAll(TOKENS)) {
			put('', text.slice(at, m.index));
			put(CLASSES[m.slice(1).findIndex((g) => g !== undefined)], m[0]);
			at = m.index + m[0].length;
		}
		put('', text.slice(at));
		if (lines.length > 1 && !lines[lines.length - 1].length)
			lines.pop();
		return lines;
	}
	function linesOf(file) {
		const source = report.sources[sourceIndex(file)];
		if (!source || source.text === null)
			return null;
		// What is very long has no colours: nobody reads it, and it takes its time.
		if (!source.lines)
			source.lines = source.text.length < 1000000 ? highlight(source.text.replace(/\r/g, '')) : source.text.split('\n').map((l) => [['', l]]);
		return source.lines;
	}
	function drawFiles() {
		const files = new Set(view.x.steps.map((e) => e.file).filter(Boolean));
		if (view.x.finding.file)
			files.add(view.x.finding.file);
		$('file').replaceChildren(...[...files].map((f) => el('option', { value: f }, f)));
		view.file = view.shown = '';
	}
	// The whole file, or what is around a line of a long one.
	function drawSource(file, line) {
		const lines = linesOf(file), key = file + (lines && lines.length > LONG_FILE ? ':' + Math.floor(line / 500) : '');
		if (view.shown === key)
			return;
		view.shown = key;
		view.file = file;
		view.lines = new Map();
		$('file').value = file;
		if (!lines) {
			$('code').replaceChildren(el('p', { class: 'absent' }, file ? 'The text of ' + file + ' was missing when this page was written.' : 'This event has no place in the source.'));
			return;
		}
		const busy = new Set(view.x.steps.filter((e) => e.file === file).map((e) => e.line));
		const first = lines.length > LONG_FILE ? Math.max(1, Math.floor(line / 500) * 500 - 500) : 1;
		const last = lines.length > LONG_FILE ? Math.min(lines.length, first + 1500) : lines.length;
		const all = el('div', { class: 'code-in' });
		for (let n = first; n <= last; n++) {
			const has = busy.has(n), number = has ? el('a', { class: 'no', href: '#' + lineId(file, n), 'aria-label': 'line ' + n + ': next event here' }, String(n)) : el('span', { class: 'no' }, String(n));
			const text = el('span', {}, ...lines[n - 1].map(([kind, piece]) => (kind ? el('span', { class: kind }, piece) : piece)));
			const c = covered(file, n);
			const row = el('div', { class: (has ? 'ln has' : 'ln') + c.class, title: c.text || null, id: lineId(file, n), 'data-line': n }, number, text, el('span', { class: 'at' }));
			if (has)
				row.addEventListener('click', (event) => { event.preventDefault(); selectLine(file, n); });
			view.lines.set(n, row);
			all.append(row);
		}
		$('code').replaceChildren(all);
	}
	// The next event on that line, from the selected one on; after the last comes the first again.
	function selectLine(file, line) {
		const there = view.x.steps.filter((e) => e.file === file && e.line === line);
		if (there.length && !there.some((e) => e.past))
			setWhole(true);
		const here = there.filter((e) => e.shown === e);
		const next = here.find((e) => e.step > view.step) || here[0] || there.find((e) => e.shown);
		if (next)
			select(next.step);
	}
	function markSource(e) {
		drawSource(e.file, e.line);
		for (const row of view.lines.values()) {
			if (row.classList.contains('current'))
				row.classList.remove('current', 'fail');
			if (row.lastChild.firstChild)
				row.lastChild.replaceChildren();
		}
		// Where the others are.
		for (const t of view.state.threads) {
			const at = t.last && t.last.file === view.file && !(t.status === 'ended') && t.last !== e ? view.lines.get(t.last.line) : null;
			if (at)
				at.lastChild.append(el('b', {}, 'T' + t.thread.id));
		}
		const row = view.lines.get(e.line);
		if (!row || e.file !== view.file)
			return;
		row.classList.add('current');
		row.classList.toggle('fail', e.fails);
		row.lastChild.prepend(el('b', {}, 'T' + e.thread + ' \u25c2'));
		const code = $('code');
		const top = row.offsetTop - code.offsetTop;
		if (top < code.scrollTop + 30 || top > code.scrollTop + code.clientHeight - 50)
			code.scrollTop = top - code.clientHeight * .4;
	}

	// ---- state ----

	function eventLink(e) {
		return el('a', { href: '#' + (e.file ? lineId(e.file, e.line) : ''), title: labelOf(e), onclick: (event) => { event.preventDefault(); select(e.step); } }, e.id || 'T' + e.thread);
	}
	const row = (changed, ...cells) => el('tr', { class: changed ? 'changed' : '' }, ...cells);
	const cell = (kind, ...content) => el('td', { class: kind }, ...content);
	function section(title, head, rows) {
		return rows.length ? [el('h2', {}, title), el('table', { class: 'table' }, head ? el('thead', {}, el('tr', {}, ...head.map((h) => el('th', { scope: 'col' }, h)))) : '', el('tbody', {}, ...rows))] : [];
	}
	function threadRows(state, e) {
		return state.threads.map((t) => row(t.thread.id === e.thread, cell('', el('b', {}, 'T' + t.thread.id)), cell('dim mono name', t.thread.name),
			cell('', t.text), cell('name', t.at && t.at.file ? el('a', { href: '#' + lineId(t.at.file, t.at.line),
				title: place(t.at), onclick: (event) => { event.preventDefault(); drawSource(t.at.file, t.at.line); markPlace(t.at); } }, shortPlace(t.at)) : '')));
	}
	// Look at a place without going there.
	function markPlace(e) {
		const line = view.lines.get(e.line);
		if (line)
			line.scrollIntoView({ block: 'center' });
	}
	const isChange = (c, e) => c.freed === e || c.by.some((w) => w === e || (e.kind === 'update' && w.thread === e.thread && w.index === e.index));
	// Of many locations those that the event changes, and the first ones.
	function memoryRows(state, e) {
		const shown = state.memory.length > MANY_ROWS ? [...new Set([...state.memory.filter((c) => isChange(c, e)), ...state.memory])].slice(0, MANY_ROWS) : state.memory;
		const rows = memoryRowsOf(shown, e);
		if (shown.length < state.memory.length)
			rows.push(row(false, cell('dim', 'and ' + (state.memory.length - shown.length) + ' more locations'), cell('', ''), cell('', '')));
		return rows;
	}
	function memoryRowsOf(memory, e) {
		return memory.map((c) => {
			const changed = isChange(c, e);
			let value = c.value;
			if (c.mixed)
				value = el('span', { class: 'dim' }, 'in part: ' + c.by.map((w) => everett.effect(w)).join(', '));
			else if (value === null)
				value = el('span', { class: 'dim', title: 'no event of this execution shows it' }, 'unchanged');
			const by = c.by.length ? c.by.flatMap((w, i) => [i ? ', ' : '', eventLink(w)]) : [el('span', { class: 'dim' }, 'initial')];
			return row(changed, cell('mono', c.name), cell('mono', value, c.freed ? el('span', { class: 'dim' }, ' (freed)') : ''), cell('', ...by));
		});
	}
	function bufferRows(state, e) {
		if (!view.x.steps.some((o) => o.buffered))
			return [];
		return view.x.threads.filter((t) => view.x.steps.some((o) => o.buffered && o.thread === t.id)).map((t) => {
			const waiting = state.buffers.get(t.id) || [];
			return row(e.thread === t.id && (e.buffered || e.kind === 'update'), cell('', el('b', {}, 'T' + t.id)),
				cell('', ...(waiting.length ? waiting.map((w) => el('span', { class: w === e ? 'chip new' : 'chip' }, w.location + ' = ' + w.value)) : [el('span', { class: 'dim' }, 'empty')])));
		});
	}
	function lockWords(l) {
		const words = [];
		if (l.object === 'semaphore')
			words.push(l.value === '' ? '' : 'value ' + l.value);
		else if (l.object === 'condition variable')
			words.push(/T/.test(l.value) ? l.value.replace(/[{}]/g, '').replace(/,/g, ', ') + (/,/.test(l.value) ? ' wait' : ' waits') : 'nobody waits');
		else if (l.holder >= 0)
			words.push('held by ' + (l.readers ? l.value + (l.value === '1' ? ' reader' : ' readers') : 'T' + l.holder) + (l.depth > 1 ? ', ' + l.depth + ' times' : ''));
		else if (l.object !== 'barrier')
			words.push('free');
		if (l.inside >= 0)
			words.push('in use by T' + l.inside);
		return words.filter(Boolean).join('; ');
	}
	function lockRows(state, e) {
		return [...state.locks.values()].map((l) => row(e.parts.includes(l.by), cell('mono', l.name), cell('dim', l.object), cell('', lockWords(l)), cell('', eventLink(l.by))));
	}
	// Of the functions that the thread is in, the innermost first.
	function localRows(e) {
		const frames = e.parts[e.parts.length - 1].frames;
		return [...frames].reverse().flatMap((f) => {
			const kept = new Set(f.locals.map((l) => l.name));
			const all = [...f.call.arguments.filter((a) => a.value !== null && !kept.has(a.name)), ...f.locals];
			return all.length ? [el('tr', {}, el('td', { class: 'dim mono', colspan: 2 }, f.call.function)), ...all.map((l) => row(false, cell('mono', l.name), cell('mono', l.value)))] : [];
		});
	}
	function drawState(e) {
		const s = view.state;
		const weak = view.x.namesSources ? 'Memory (the newest writes; threads may still read older ones)' : 'Memory';
		$('state').replaceChildren(...section('Locals of T' + e.thread, null, localRows(e)), ...section('Store buffers, oldest first', null, bufferRows(s, e)), ...section(weak, null, memoryRows(s, e)),
			...section('Locks and conditions', null, lockRows(s, e)), ...section('Threads', null, threadRows(s, e)));
	}
	// "synchronises with T2#3, T3#1"
	function synchronisation(e) {
		const edges = view.x.edges.filter((edge) => edge.kind === 'sw');
		const list = (words, events) => (events.length ? el('div', {}, words, ...events.flatMap((o, i) => [i ? ', ' : '', eventLink(o)])) : '');
		return [list('synchronises with ', edges.filter((edge) => edge.from.shown === e).map((edge) => edge.to)),
			list('is synchronised with by ', edges.filter((edge) => edge.to.shown === e).map((edge) => edge.from))];
	}
	function drawNow(e) {
		const notes = [];
		if (e.order)
			notes.push(e.order);
		if (e.buffered)
			notes.push('waits in the store buffer of T' + e.thread);
		if (e.initial)
			notes.push('the initial value');
		// Of a call, the first of its events that goes back to another thread.
		const source = e.parts.map(view.x.sourceOf).find((o) => o && (!e.fold || o.thread !== e.thread));
		const from = source ? el('span', {}, notes.length ? ', ' : '', everett.reads(e) ? 'written by ' : 'after ', eventLink(source)) : '';
		const where = el('span', { class: 'note' }, e.file ? e.file + ':' + e.line + (e.function && !e.fails ? ' in ' + e.function : '') : 'no place in the source');
		const id = e.fold && e.parts.length > 1 ? e.id + '\u2013' + e.parts[e.parts.length - 1].index : e.id;
		$('now').replaceChildren(el('div', { class: e.fails ? 'what alarm' : 'what' }, (e.fails ? 'T' + e.thread : id) + '  ' + textOf(e)),
			el('div', {}, notes.join(', '), from), ...synchronisation(e), where, e.parts.some((part) => part.decides) ? el('div', { class: 'alarm' }, 'From here on every execution fails.') : '');
	}

	// ---- stepping ----

	// What is drawn shows which event is selected, and what comes after it.
	function mark(focused) {
		const e = view.x.steps[view.step], node = view.nodes[view.step];
		for (const other of view.nodes) {
			if (!other)
				continue;
			other.classList.toggle('later', other.step > view.step && view.x.steps[other.step].row !== e.row);
			if (other !== node && other.tabIndex === 0) {
				other.classList.remove('current');
				other.removeAttribute('aria-current');
				other.tabIndex = -1;
			}
		}
		for (const { edge, path, label } of view.drawn) {
			const on = edge.from === e || edge.to === e, later = (edge.from.step > view.step || edge.to.step > view.step) && edge.kind !== 'wait';
			for (const part of label ? [path, label] : [path]) {
				part.classList.toggle('on', on);
				part.classList.toggle('later', later);
			}
		}
		// Somebody may have scrolled away from it.
		if (!node)
			return;
		node.classList.add('current');
		node.setAttribute('aria-current', 'step');
		node.tabIndex = 0;
		if (focused)
			node.focus({ preventScroll: true });
	}

	function select(wanted) {
		const e = view.x.steps[wanted].shown || view.x.steps[wanted], step = e.step;
		view.step = step;
		view.state = everett.stateAt(view.x, e.parts[e.parts.length - 1].step);
		const position = e.position;
		reveal(e);
		if (!drawWindow())
			mark(document.activeElement && document.activeElement.classList.contains('node'));
		$('slider').value = position;
		$('slider').setAttribute('aria-valuetext', labelOf(e));
		$('position').replaceChildren(el('span', { class: 'long' }, 'event '), String(position + 1), ' of ' + view.visible.length);
		$('first').disabled = $('back').disabled = position <= 0;
		$('last').disabled = $('forward').disabled = position >= view.visible.length - 1;
		drawNow(e);
		markSource(e);
		drawState(e);
		try {
			history.replaceState(null, '', '#f' + (view.number + 1) + 's' + (step + 1));
		} catch (error) {
			// Some browsers allow no such thing in a file, or not so often.
		}
	}
	// So much of the diagram's box is below the window, as the page is scrolled: the last events can be scrolled up by that.
	function belowWindow() {
		const box = $('lanes').getBoundingClientRect(), bar = $('slider').parentElement;
		const end = getComputedStyle(bar).position === 'fixed' ? bar.getBoundingClientRect().top : innerHeight;
		return Math.max(0, Math.min(box.bottom - end, box.height - 6 * ROW));
	}
	// Scrolls the diagram only, never the page.
	function reveal(e) {
		const box = $('lanes'), head = $('heads').offsetHeight, visible = box.clientHeight - belowWindow();
		const top = e.row * ROW + 10 + head, left = e.left;
		if (top < box.scrollTop + head + 8 || top + ROW * 2 > box.scrollTop + visible)
			box.scrollTop = top - visible * .55;
		if (left < box.scrollLeft + 8 || left + e.width > box.scrollLeft + box.clientWidth)
			box.scrollLeft = left - Math.max(8, (box.clientWidth - e.width) / 2);
	}
	function go(position) {
		const e = view.visible[Math.max(0, Math.min(view.visible.length - 1, position))];
		if (e)
			select(e.step);
	}
	const here = () => view.x.steps[view.step].position;
	// The next event that the words are about, from the selected one on; after the last comes the first again.
	function search(backwards) {
		const words = $('search').value.trim().toLowerCase(), n = view.visible.length;
		const is = (e) => (labelOf(e) + ' ' + e.function).toLowerCase().includes(words);
		const found = words ? view.visible.filter(is) : [];
		$('found').textContent = !words ? '' : !found.length ? 'nothing found' : '';
		if (!found.length)
			return;
		const after = (e) => (backwards ? here() - e.position + n - 1 : e.position - here() + n - 1) % n;
		const next = found.reduce((best, e) => (after(e) < after(best) ? e : best));
		select(next.step);
		$('found').textContent = (found.indexOf(next) + 1) + ' of ' + found.length;
	}
	function setWhole(whole) {
		const current = view.x.steps[view.step];
		view.whole = $('whole').checked = whole;
		view.state = null;
		drawDiagram();
		// What is no longer shown cannot stay selected.
		const shown = view.visible.filter((e) => e.step <= current.step);
		select(current.shown ? current.step : (shown[shown.length - 1] || view.visible[0]).step);
	}
	// Unfolds what is selected, or folds the group that it is of.
	function toggleHere() {
		const e = view.x.steps[view.step], group = e.fold || view.x.groups.find((g) => g.steps.includes(e) && !isFolded(g));
		if (group)
			toggle(group, e.fold ? e : group.steps[0]);
	}
	function keys(event) {
		const target = event.target;
		if (event.key === '/' && view.x && !/^(INPUT|SELECT|TEXTAREA)$/.test(target.tagName)) {
			$('search').focus();
			event.preventDefault();
			return;
		}
		if (!view.x || event.ctrlKey || event.altKey || event.metaKey || /^(INPUT|SELECT|TEXTAREA)$/.test(target.tagName))
			return;
		// The panels scroll with these.
		const scrolls = target.id === 'code' || target.closest('.findings');
		const moves = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: scrolls ? 0 : 1, ArrowUp: scrolls ? 0 : -1 };
		if (moves[event.key])
			go(here() + moves[event.key]);
		else if (/^[-+]$/.test(event.key) && event.key === (view.x.steps[view.step].fold ? '+' : '-'))
			toggleHere();
		else if (event.key === 'Home' && !scrolls)
			go(0);
		else if (event.key === 'End' && !scrolls)
			go(view.visible.length - 1);
		else
			return;
		event.preventDefault();
	}
	function listen() {
		$('first').addEventListener('click', () => go(0));
		$('back').addEventListener('click', () => go(here() - 1));
		$('forward').addEventListener('click', () => go(here() + 1));
		$('last').addEventListener('click', () => go(view.visible.length - 1));
		$('slider').addEventListener('input', () => go(+$('slider').value));
		$('lanes').addEventListener('scroll', () => view.x && drawWindow(), { passive: true });
		$('search').addEventListener('keydown', (event) => {
			if (event.key === 'Enter')
				search(event.shiftKey);
		});
		$('search').addEventListener('input', () => { $('found').textContent = ''; });
		$('whole').addEventListener('change', () => setWhole($('whole').checked));
		$('file').addEventListener('change', () => {
			const e = view.x.steps.find((o) => o.file === $('file').value);
			drawSource($('file').value, e ? e.line : 1);
		});
		document.addEventListener('keydown', keys);
		let width = $('lanes').clientWidth;
		addEventListener('resize', () => {
			if (!view.x || $('lanes').clientWidth === width)
				return;
			width = $('lanes').clientWidth;
			drawDiagram();
			select(view.step);
		});
	}

	// ---- two findings side by side ----

	// Each is this page once more, in a frame that shows nothing but its finding.
	function drawComparison() {
		$('compare').hidden = findings.length < 2 || pane >= 0;
		$('compare-with').replaceChildren(el('option', { value: '' }, 'nothing'), ...findings.map((f) => el('option', { value: f.number },
			f.result.model.toUpperCase() + ': ' + f.finding.kind + ' ' + place(f.finding))));
		$('compare-with').addEventListener('change', () => {
			compare();
			// Another finding may have been chosen meanwhile.
			if ($('panes').hidden && view.prepared !== view.number)
				choose(view.number);
		});
	}
	function compare() {
		const other = $('compare-with').value, on = other !== '';
		const frame = (number) => el('iframe', { name: 'finding ' + number, title: 'finding ' + (number + 1), srcdoc: original });
		$('panes').replaceChildren(...(on ? [frame(view.number), frame(+other)] : []));
		$('panes').hidden = !on;
		$('execution').hidden = on;
	}

	initTheme();
	drawOverview();
	drawComparison();
	drawCycles();
	drawSites();
	drawCoverage();
	listen();
	const wanted = /^#f(\d+)(?:s(\d+))?$/.exec(location.hash);
	if (findings.length)
		choose(findings[pane] ? pane : wanted && findings[wanted[1] - 1] ? wanted[1] - 1 : 0, wanted && wanted[2] ? wanted[2] - 1 : undefined);
})();
