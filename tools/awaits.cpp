// Stateless reads-from exploration ("stateless rf"): each class (program order + reads-from) exactly once, with no tables.
// A toy to try the rules on small programs, against brute force.           g++ -O2 -std=c++17 stateless_rf.cpp -o stateless_rf
//
//   stateless_rf test MODEL SEED SECONDS KINDS ORDERS MAXEV [OPTIONS]   random programs; prints missing / twice / extra
//   stateless_rf bench MODEL [OPTIONS]                                  named programs: classes and what canonical() costs (option big: larger ones)
//
// With AWAITS (NOTES.md has the rule). Further KINDS: E await of a read, V await of an RMW, Q spin lock (await CAS or exchange 0->1), Z flag (store, or await != 0).
// Further OPTIONS: last (next() names awaits last), stuck (also graphs that are stuck in some runs only), unify (locks are awaits), trail prefix stop small (with show)
//     ablations: noskip (natural rule), principal (sets with one last event), nomin, nolevel, nomatch, noprune, nofmark, nomark, anyleaf, noend, softk, freeleaf, konly
// MODEL   sc tso pso ra rc11
// KINDS   letters, each as likely as the others: R read, W write, U fetch_add, X exchange, C compare-exchange, F fence,
//         L lock (released later, with luck), T trylock (or timedlock), G lock handed over (another thread releases it),
//         P mutex that is held at first, released by somebody (semaphore, condition variable), H choose, A assume,
//         M accesses of two cells (reads, writes, exchanges, compare-exchanges; sc, tso and pso only), D only reads and writes of them
// ORDERS  of rc11: n x a r b s (plain relaxed acquire release acq_rel seq_cst); tso, pso: x, r (release stores and fences), s (seq_cst ones); others: x
// OPTIONS low random              order of preference of sources, default: highest thread first (newest, oldest: by place in <G, which is wrong)
//         right hash              next(): default is the leftmost thread that can go on
//         show                    print the first program that goes wrong, and what is missing
//         cache                   answer canonical() from what was known when the read was added, where possible
//         ship                    write every subtree as a job, read it back, explore that (tests the job format)
//     ablations: nomax (no canonical()), nobad, noreplace, nok (no K marks), kback (back() after replace), nomere (locks take free sources only), nostuck, nochoice,
//         nowr (the read part of w itself does not count for canonical()), asklocks (ask for locks, too: must make no difference),
//         simple (a lock is an RMW that blocks: exact, counts blocked ones)
#include <bits/stdc++.h>
using namespace std;
typedef uint64_t u64;
enum { MAXT = 10, PER = 20, CODES = MAXT * PER, CELLS = 8, INIT = 1000, NOSRC = 2000, UNREAD = 2500, CHOICE = 3000 }; // UNREAD: of an event of two cells, whose second part is to come
static set<string> OPT;
static bool opt(const char *s) { return OPT.count(s); }
static map<string, long> ST;

// ---------------------------------------------------------------- programs
struct Op { char k; int x = 0, y = -1, reg = 0, vk = 0, v = 0, vr = 0, e = 0, nw = 0, skip = 0; char o = 'x', of = 'x'; unsigned aw = 0; }; // aw: an await; the set of values (as bits) that it waits for, the others are futile
struct Prog { vector<vector<Op>> th; int init[CELLS] = {0}; };
static bool isread(char k) { return strchr("RUXCLTH", k); }
static bool isrmw(char k) { return strchr("UXCLT", k); }
struct State { int pc; array<int, 32> r; };
static int skip_local(const vector<Op> &th, int pc, const array<int, 32> &r) // assume, if: -1 = the thread has stopped
{
	while (pc < (int)th.size()) {
		const Op &o = th[pc];
		if (o.k == 'A') { if (r[o.reg] != o.v) return -1; pc++; }
		else if (o.k == 'I') pc += r[o.reg] != o.v ? 1 + o.skip : 1;
		else return pc;
	}
	return pc;
}
// ---------------------------------------------------------------- graphs
// An event is a code: thread * PER + index. A graph is a set of codes with sources (of both cells; or the choice).
struct Items {
	bitset<CODES> have; array<array<short, 2>, CODES> src;
	Items() { for (auto &s : src) s = {-1, -1}; }
	void set(int c, array<short, 2> s) { have[c] = 1; src[c] = s; }
	bool has(int c) const { return have[c]; }
	bool operator<(const Items &b) const { return src < b.src; }
	bool operator==(const Items &b) const { return src == b.src; }
};
struct Ev { int code; const Op *op; int cell[2], src[2], rv[2], wv[2]; bool R, W, F; char o; int n() const { return cell[1] >= 0 ? 2 : cell[0] >= 0 ? 1 : 0; } bool at(int x) const { return x >= 0 && (cell[0] == x || cell[1] == x); } };
struct Lab { vector<Ev> ev; array<State, MAXT> st; array<short, CODES> at; int half; }; // half: an event of which one cell is still to be read, or -1
static void run_op(const Op &o, Ev &e, State &s) // e.rv is known
{
	int n = e.n(), val = e.rv[0] + (n == 2 ? 3 * e.rv[1] : 0);
	auto write = [&](int a, int b) { e.W = true; e.wv[0] = a; e.wv[1] = b; };
	switch (o.k) {
	case 'R': s.r[o.reg] = val; break;
	case 'W': { int v = o.vk == 0 ? o.v : o.vk == 1 ? s.r[o.vr] : s.r[o.vr] + o.v; write(v, v + 1); break; }
	case 'U': s.r[o.reg] = val; write(e.rv[0] + 1, e.rv[1] + 1); break;
	case 'X': s.r[o.reg] = val; write(o.v, o.v); break;
	case 'C': s.r[o.reg] = val; if (val == o.e) write(o.nw, o.nw + 1); else e.o = o.of; break;
	case 'T': s.r[o.reg] = !e.rv[0]; if (!e.rv[0]) write(1, 0), e.o = 'a'; else e.o = 'x'; break;
	case 'L': write(1, 0); e.o = 'a'; break;
	case 'N': write(0, 0); e.o = 'r'; break;
	case 'H': s.r[o.reg] = e.src[0] - CHOICE; break;
	}
}
static Ev new_event(const Op &o, int c, array<short, 2> src)
{
	Ev e; e.code = c; e.op = &o; e.R = isread(o.k) && o.k != 'H'; e.W = false; e.F = o.k == 'F'; e.o = o.o;
	e.cell[0] = o.k == 'F' || o.k == 'H' ? -1 : o.x; e.cell[1] = e.cell[0] < 0 ? -1 : o.y;
	for (int i = 0; i < 2; i++) e.src[i] = src[i], e.rv[i] = e.wv[i] = 0;
	return e;
}
static bool futile(const Op &o, int v) { return o.aw && !(o.aw >> min(max(v, 0), 31) & 1); }
static bool blocks(const Op &o, const Ev &e) { return (o.k == 'L' && e.rv[0] && !opt("simple")) || futile(o, e.rv[0]); }
// The events of a graph in an order that respects po and rf, with their values. False: the sources do not fit the program.
static bool label(const Prog &P, const Items &it, Lab &L)
{
	int T = P.th.size(), nx[MAXT] = {0}, n = it.have.count(); L.ev.clear(); L.at.fill(-1); L.half = -1;
	for (int t = 0; t < T; t++) { L.st[t].r.fill(0); L.st[t].pc = skip_local(P.th[t], 0, L.st[t].r); }
	for (bool go = true; (int)L.ev.size() < n && go;) {
		go = false;
		for (int t = 0; t < T; t++)
			while (nx[t] < PER && it.has(t * PER + nx[t])) {
				int c = t * PER + nx[t]; State &s = L.st[t]; if (s.pc < 0 || s.pc >= (int)P.th[t].size()) return false;
				const Op &o = P.th[t][s.pc]; Ev e = new_event(o, c, it.src[c]); bool wait = false;
				if (e.R) for (int i = 0; i < e.n(); i++) {
					int q = e.src[i]; if (q == NOSRC || q >= CHOICE) return false;
					if (q == UNREAD) { L.half = c; continue; }
					if (q == INIT) { e.rv[i] = P.init[e.cell[i]]; continue; }
					if (!it.has(q)) return false;
					if (L.at[q] < 0) { wait = true; break; }
					const Ev &w = L.ev[L.at[q]]; if (!w.W || !w.at(e.cell[i])) return false;
					e.rv[i] = w.wv[w.cell[0] == e.cell[i] ? 0 : 1];
				} else if (o.k == 'H' ? e.src[0] < CHOICE : e.src[0] != NOSRC) return false;
				if (wait) break;
				if (L.half == c) { if (it.has(c + 1)) return false; L.at[c] = L.ev.size(); L.ev.push_back(e); nx[t]++; go = true; continue; }
				if (blocks(o, e)) return false;
				run_op(o, e, s);
				bool stop = o.k == 'L' && e.rv[0]; if (stop) e.W = false;
				s.pc = stop ? -1 : skip_local(P.th[t], s.pc + 1, s.r); L.at[c] = L.ev.size(); L.ev.push_back(e); nx[t]++; go = true;
			}
	}
	return (int)L.ev.size() == n;
}
// ---------------------------------------------------------------- rc11 and ra: masks over events (index in Lab), initial writes behind them
static inline bool acq(char o) { return o == 'a' || o == 'b' || o == 's'; }
static inline bool rel(char o) { return o == 'r' || o == 'b' || o == 's'; }
enum { NG = 60 };
struct G { int n, N; int loc[NG], thr[NG], rf[NG]; bool R[NG], W[NG], F[NG]; char o[NG]; u64 sb[NG], hbp[NG]; vector<int> wr[CELLS]; bool anysc; };
static bool C11RS = false;
typedef bitset<CODES> Set;
static void build(const Lab &L, G &g, const Set &pending, bool ra)
{
	g.n = L.ev.size(); g.N = g.n + CELLS; g.anysc = false; for (auto &w : g.wr) w.clear();
	if (g.N > NG) { fprintf(stderr, "too many events\n"); exit(2); }
	u64 im = ((1ull << CELLS) - 1) << g.n;
	for (int i = 0; i < g.n; i++) {
		const Ev &e = L.ev[i]; g.loc[i] = e.cell[0]; g.thr[i] = e.code / PER; g.R[i] = e.R; g.W[i] = e.W && !pending[e.code]; g.F[i] = e.F; g.o[i] = ra ? (e.F ? 'x' : 'b') : e.op->k == 'H' ? 'n' : e.o; if (g.o[i] == 's') g.anysc = true;
		g.rf[i] = e.R ? (e.src[0] == INIT ? g.n + e.cell[0] : L.at[e.src[0]]) : -1; g.sb[i] = im; for (int j = 0; j < i; j++) if (g.thr[j] == g.thr[i]) g.sb[i] |= 1ull << j;
	}
	for (int x = 0; x < CELLS; x++) { int i = g.n + x; g.loc[i] = x; g.thr[i] = -1; g.R[i] = false; g.W[i] = true; g.F[i] = false; g.o[i] = 'n'; g.rf[i] = -1; g.sb[i] = g.hbp[i] = 0; g.wr[x].push_back(i); }
	u64 C[MAXT], rf_[MAXT], pn[MAXT], rl[NG], last[MAXT][CELLS]; for (int t = 0; t < MAXT; t++) { C[t] = im; rf_[t] = pn[t] = 0; } memset(rl, 0, sizeof rl); memset(last, 0, sizeof last);
	for (int i = 0; i < g.n; i++) {
		int t = g.thr[i]; u64 c = C[t]; char o = g.o[i];
		if (g.R[i] && o != 'n') { u64 s = rl[g.rf[i]]; if (acq(o)) c |= s; else pn[t] |= s; }
		if (g.F[i] && acq(o)) c |= pn[t];
		g.hbp[i] = c; c |= 1ull << i; C[t] = c; if (g.F[i] && rel(o)) rf_[t] = c;
		if (g.W[i]) { g.wr[g.loc[i]].push_back(i); if (o != 'n') { u64 q = rf_[t]; if (rel(o)) q |= c; u64 own = q; if (g.R[i]) q |= rl[g.rf[i]]; if (C11RS) { q |= last[t][g.loc[i]]; last[t][g.loc[i]] |= own; } rl[i] = q; } }
	}
}
static void comp(const G &g, const u64 *a, const u64 *b, u64 *o) { for (int i = 0; i < g.N; i++) { u64 q = 0; for (u64 m = a[i]; m; m &= m - 1) q |= b[__builtin_ctzll(m)]; o[i] = q; } }
static bool psc_ok(const G &g, const u64 *hbp, const u64 *mo, const u64 *rb, const u64 *eco)
{
	int N = g.N; u64 hba[NG] = {0}, sba[NG] = {0}, hbl[NG] = {0}, sbn[NG] = {0}, t1[NG], t2[NG], scb[NG], left[NG], right[NG], base[NG], adj[NG];
	for (int i = 0; i < N; i++) for (int j = 0; j < N; j++) { bool same = g.loc[i] >= 0 && g.loc[i] == g.loc[j]; if (hbp[j] >> i & 1) { hba[i] |= 1ull << j; if (same) hbl[i] |= 1ull << j; } if (g.sb[j] >> i & 1) { sba[i] |= 1ull << j; if (!same) sbn[i] |= 1ull << j; } }
	comp(g, sbn, hba, t1); comp(g, t1, sbn, t2);
	u64 fm = 0, em = 0; for (int i = 0; i < N; i++) { scb[i] = sba[i] | t2[i] | hbl[i] | mo[i] | rb[i]; if (g.o[i] == 's') { if (g.F[i]) fm |= 1ull << i; else em |= 1ull << i; } }
	for (int i = 0; i < N; i++) { left[i] = (em >> i & 1) ? 1ull << i : (fm >> i & 1) ? (1ull << i | hba[i]) : 0; right[i] = ((em | fm) >> i & 1 ? 1ull << i : 0) | (hba[i] & fm); }
	comp(g, left, scb, t1); comp(g, t1, right, base); comp(g, hba, eco, t1); comp(g, t1, hba, t2);
	for (int i = 0; i < N; i++) { adj[i] = ((em | fm) >> i & 1) ? base[i] : 0; if (fm >> i & 1) adj[i] |= (hba[i] | t2[i]) & fm; }
	u64 live = em | fm; for (bool ch = true; ch && live;) { ch = false; for (int i = 0; i < N; i++) if ((live >> i & 1) && !(adj[i] & live)) { live &= ~(1ull << i); ch = true; } }
	return !live;
}
static void rels(const G &g, const u64 *mo, u64 *rb, u64 *eco)
{
	u64 rd[NG] = {0}; for (int i = 0; i < g.n; i++) if (g.R[i]) rd[g.rf[i]] |= 1ull << i;
	for (int i = 0; i < g.N; i++) rb[i] = eco[i] = 0;
	for (int i = 0; i < g.n; i++) if (g.R[i]) rb[i] = mo[g.rf[i]] & ~(1ull << i);
	for (int i = 0; i < g.N; i++) { u64 q = 0; if (g.W[i]) { q |= rd[i] | mo[i]; for (u64 m = mo[i]; m; m &= m - 1) q |= rd[__builtin_ctzll(m)]; } if (g.R[i]) { q |= rb[i]; for (u64 m = rb[i]; m; m &= m - 1) q |= rd[__builtin_ctzll(m)]; } eco[i] = q & ~(1ull << i); }
}
// By definition: all modification orders.
static bool definition(const G &g)
{
	vector<vector<int>> good[CELLS];
	for (int x = 0; x < CELLS; x++) {
		vector<int> ws(g.wr[x].begin() + 1, g.wr[x].end()); sort(ws.begin(), ws.end());
		do {
			vector<int> m{g.wr[x][0]}; m.insert(m.end(), ws.begin(), ws.end()); int pos[NG]; for (int i = 0; i < (int)m.size(); i++) pos[m[i]] = i; bool ok = true;
			for (int w : ws) if (g.R[w] && pos[w] != pos[g.rf[w]] + 1) ok = false;
			if (ok) { u64 mo[NG] = {0}, rb[NG], eco[NG]; for (int i = 0; i < (int)m.size(); i++) for (int j = i + 1; j < (int)m.size(); j++) mo[m[i]] |= 1ull << m[j]; rels(g, mo, rb, eco); for (int a = 0; a < g.N && ok; a++) if (g.loc[a] == x && (g.hbp[a] & eco[a])) ok = false; }
			if (ok) good[x].push_back(m);
		} while (next_permutation(ws.begin(), ws.end()));
		if (good[x].empty()) return false;
	}
	if (!g.anysc) return true;
	function<bool(int, u64 *)> rec = [&](int x, u64 *mo) -> bool {
		if (x == CELLS) { u64 rb[NG], eco[NG]; rels(g, mo, rb, eco); return psc_ok(g, g.hbp, mo, rb, eco); }
		for (auto &m : good[x]) { for (int w : m) mo[w] = 0; for (int i = 0; i < (int)m.size(); i++) for (int j = i + 1; j < (int)m.size(); j++) mo[m[i]] |= 1ull << m[j]; if (rec(x + 1, mo)) return true; }
		return false; };
	u64 mo[NG] = {0}; return rec(0, mo);
}
// The fast oracle: blocks of read-modify-writes, forced edges between them, then psc.
static bool fast(const G &g)
{
	int blk[NG], place[NG], nxt[NG]; memset(nxt, -1, sizeof nxt);
	for (int x = 0; x < CELLS; x++) {
		for (int w : g.wr[x]) if (g.R[w]) { if (nxt[g.rf[w]] >= 0) return false; nxt[g.rf[w]] = w; }
		for (int w : g.wr[x]) if (!g.R[w]) for (int c = w, p = 0; c >= 0; c = nxt[c]) { blk[c] = w; place[c] = p++; }
	}
	u64 af[NG] = {0}; vector<int> B; for (int x = 0; x < CELLS; x++) for (int w : g.wr[x]) if (blk[w] == w) { B.push_back(w); if (w != g.wr[x][0]) af[g.wr[x][0]] |= 1ull << w; }
	for (int i = 0; i < g.n; i++) {
		int x = g.loc[i]; if (x < 0) continue;
		int la[MAXT + 1]; memset(la, -1, sizeof la); for (int j = 0; j < g.n; j++) if ((g.hbp[i] >> j & 1) && g.loc[j] == x) la[g.thr[j]] = j;
		la[MAXT] = g.n + x;
		for (int j : la) if (j >= 0) {
			int w = g.W[j] ? j : g.R[j] ? g.rf[j] : j;
			if (g.R[i]) { int s = g.rf[i]; if (w == s) continue; if (blk[w] == blk[s]) { if (place[w] > place[s]) return false; } else af[blk[w]] |= 1ull << blk[s]; }
			else if (g.W[i]) { if (blk[w] == blk[i]) return false; af[blk[w]] |= 1ull << blk[i]; }
		}
	}
	for (int k : B) for (int i : B) if (af[i] >> k & 1) af[i] |= af[k];
	for (int i : B) if (af[i] >> i & 1) return false;
	if (!g.anysc) return true;
	auto ok = [&](const u64 *a) { u64 mo[NG] = {0}, rb[NG], eco[NG]; for (int x = 0; x < CELLS; x++) for (int w : g.wr[x]) for (int v : g.wr[x]) if (v != w && ((a[blk[w]] >> blk[v] & 1) || (blk[w] == blk[v] && place[w] < place[v]))) mo[w] |= 1ull << v; rels(g, mo, rb, eco); return psc_ok(g, g.hbp, mo, rb, eco); };
	auto add = [&](u64 *a, int p, int q) { u64 m = 1ull << q | a[q]; for (int u : B) if (u == p || (a[u] >> p & 1)) a[u] |= m; };
	auto dec = [&](const u64 *a, int p, int q) { return (a[p] >> q & 1) || (a[q] >> p & 1); };
	vector<pair<int, int>> und; for (int a : B) for (int b : B) if (a < b && g.loc[a] == g.loc[b] && !dec(af, a, b)) und.push_back({a, b});
	auto guided = [&](const u64 *a) { u64 c[NG]; memcpy(c, a, sizeof c); for (auto &p : und) if (!dec(c, p.first, p.second)) add(c, p.first, p.second); return ok(c); };
	if (guided(af)) return true;
	if (!ok(af)) return false;
	function<bool(u64 *)> search = [&](u64 *a) -> bool {
		for (bool ch = true; ch;) { ch = false; for (auto &p : und) if (!dec(a, p.first, p.second)) { u64 c[NG], d[NG]; memcpy(c, a, sizeof c); memcpy(d, a, sizeof d); add(c, p.first, p.second); add(d, p.second, p.first); bool o1 = ok(c), o2 = ok(d); if (!o1 && !o2) return false; if (!o1) { memcpy(a, d, sizeof d); ch = true; } else if (!o2) { memcpy(a, c, sizeof c); ch = true; } } }
		int k = -1; for (int i = 0; i < (int)und.size(); i++) if (!dec(a, und[i].first, und[i].second)) { k = i; break; }
		if (k < 0 || guided(a)) return true;
		u64 c[NG]; memcpy(c, a, sizeof c); add(c, und[k].first, und[k].second); if (search(c)) return true; memcpy(c, a, sizeof c); add(c, und[k].second, und[k].first); return search(c); };
	return search(af);
}
// ---------------------------------------------------------------- sc, tso, pso: is there a run with these sources?
static string MODEL = "sc";
// a release fence lets its thread go on, but later stores wait for earlier ones; a release store leaves the buffer last of those before it;
// what follows a seq_cst store waits until the buffer is empty
static bool drains(const Op &o) { return strchr("UXCFLTN", o.k) && !(o.k == 'F' && o.o == 'r'); }
static bool machine_ok(const Lab &L, const Set &pending)
{
	int mode = MODEL == "sc" ? 0 : MODEL == "tso" ? 1 : 2; vector<int> th[MAXT];
	for (int i = 0; i < (int)L.ev.size(); i++) th[L.ev[i].code / PER].push_back(i);
	struct M { array<signed char, MAXT> pos; array<short, CELLS> mem; vector<array<short, 3>> buf[MAXT]; // buffered: (cell, event, release fences before it); one entry a cell under pso, one a store under tso
		bool operator<(const M &b) const { if (pos != b.pos) return pos < b.pos; if (mem != b.mem) return mem < b.mem; for (int t = 0; t < MAXT; t++) if (buf[t] != b.buf[t]) return buf[t] < b.buf[t]; return false; } };
	set<M> dead; M s0; s0.pos.fill(0); s0.mem.fill(INIT);
	function<bool(const M &)> rec = [&](const M &s) -> bool {
		bool all = true; for (int t = 0; t < MAXT; t++) if (s.pos[t] < (int)th[t].size()) all = false;
		if (all) return true;
		if (dead.count(s)) return false;
		for (int t = 0; t < MAXT; t++) {
			if (s.pos[t] < (int)th[t].size()) {
				int i = th[t][s.pos[t]]; const Ev &e = L.ev[i]; bool ok = !(mode && !s.buf[t].empty() && (drains(*e.op) || (s.pos[t] && L.ev[th[t][s.pos[t] - 1]].op->k == 'W' && L.ev[th[t][s.pos[t] - 1]].o == 's')));
				short ep = 0; if (mode == 2 && e.op->k == 'W') for (int b = 0; b < s.pos[t]; b++) if (L.ev[th[t][b]].F && L.ev[th[t][b]].o == 'r') ep++;
				if (ok && e.R) for (int c = 0; c < e.n(); c++) { int v = s.mem[e.cell[c]]; for (auto &b : s.buf[t]) if (L.ev[b[1]].at(e.cell[c]) && (mode == 1 || b[0] == e.cell[c])) v = L.ev[b[1]].code; if (e.src[c] != UNREAD && v != e.src[c]) ok = false; }
				if (ok) {
					M q = s; q.pos[t]++;
					if (e.W && !pending[e.code]) { if (mode && e.op->k == 'W') { if (mode == 1 || e.n() == 1) q.buf[t].push_back({(short)e.cell[0], (short)i, ep}); else for (int c = 0; c < 2; c++) q.buf[t].push_back({(short)e.cell[c], (short)i, ep}); } else for (int c = 0; c < e.n(); c++) q.mem[e.cell[c]] = e.code; }
					if (rec(q)) return true;
				}
			}
			for (int b = 0; b < (int)s.buf[t].size(); b++) {
				if (b && mode == 1) break;
				const Ev &e = L.ev[s.buf[t][b][1]]; bool first = true; vector<int> go{b};
				if (mode == 2) { // all cells of a store reach memory together; each must be the oldest of its cell
					go.clear(); for (int d = 0; d < (int)s.buf[t].size(); d++) if (s.buf[t][d][1] == s.buf[t][b][1]) go.push_back(d);
					if (go[0] != b) continue;
					for (int d : go) for (int a = 0; a < d; a++) if (s.buf[t][a][1] != s.buf[t][d][1] && (s.buf[t][a][0] == s.buf[t][d][0] || rel(e.o) || s.buf[t][a][2] < s.buf[t][d][2])) first = false;
				}
				if (!first) continue;
				M q = s; for (int k = go.size() - 1; k >= 0; k--) q.buf[t].erase(q.buf[t].begin() + go[k]);
				for (int c = 0; c < e.n(); c++) q.mem[e.cell[c]] = e.code;
				if (rec(q)) return true;
			}
		}
		dead.insert(s); return false; };
	return rec(s0);
}
static bool axiomatic() { return MODEL == "ra" || MODEL == "rc11"; }
static bool consistent(const Lab &L, const Set &pending = Set())
{
	ST["questions"]++;
	if (!axiomatic()) return machine_ok(L, pending);
	static G g; build(L, g, pending, MODEL == "ra"); return fast(g);
}
// ---------------------------------------------------------------- brute force, which knows nothing of the above: all runs / all graphs
static bool brute_machine(const Prog &P, set<Items> &full, size_t limit)
{
	int mode = MODEL == "sc" ? 0 : MODEL == "tso" ? 1 : 2, T = P.th.size();
	struct B { short code; array<short, 2> cell, val; short epoch; bool release; bool operator<(const B &b) const { return tie(code, cell, val) < tie(b.code, b.cell, b.val); } bool operator==(const B &b) const { return code == b.code && cell == b.cell && val == b.val; } };
	struct M { Items it; array<short, CELLS> mem, val; vector<B> buf[MAXT]; bool operator<(const M &b) const { if (mem != b.mem) return mem < b.mem; if (!(it == b.it)) return it < b.it; for (int t = 0; t < MAXT; t++) if (!(buf[t] == b.buf[t])) return buf[t] < b.buf[t]; return false; } };
	struct S { M m; array<State, MAXT> st; array<int, MAXT> n; array<char, MAXT> dirty; array<short, MAXT> epoch; };
	S s; s.dirty.fill(0); s.epoch.fill(0); s.m.mem.fill(INIT); for (int x = 0; x < CELLS; x++) s.m.val[x] = P.init[x]; s.n.fill(0);
	for (int t = 0; t < T; t++) { s.st[t].r.fill(0); s.st[t].pc = skip_local(P.th[t], 0, s.st[t].r); }
	set<M> seen; vector<S> todo{s}; seen.insert(s.m);
	while (!todo.empty()) {
		S s = todo.back(); todo.pop_back(); bool any = false;
		auto push = [&](const S &q) { any = true; if (seen.insert(q.m).second) todo.push_back(q); };
		for (int t = 0; t < T; t++) {
			vector<B> &buf = s.m.buf[t];
			for (int b = 0; b < (int)buf.size(); b++) {
				if (b && mode == 1) break;
				bool first = true; for (int a = 0; a < b; a++) for (int c : buf[a].cell) for (int d : buf[b].cell) if ((c >= 0 && c == d) || (mode == 2 && (buf[b].release || buf[a].epoch < buf[b].epoch))) first = false;
				if (!first) continue;
				S q = s; B w = buf[b]; q.m.buf[t].erase(q.m.buf[t].begin() + b); for (int c = 0; c < 2; c++) if (w.cell[c] >= 0) { q.m.mem[w.cell[c]] = w.code; q.m.val[w.cell[c]] = w.val[c]; } push(q);
			}
			int pc = s.st[t].pc; if (pc < 0 || pc >= (int)P.th[t].size()) continue;
			const Op &o = P.th[t][pc]; if (mode && (drains(o) || s.dirty[t]) && !buf.empty()) continue;
			int c = t * PER + s.n[t];
			for (int h = 0; h < (o.k == 'H' ? o.v : 1); h++) {
				array<short, 2> src{NOSRC, NOSRC}; if (o.k == 'H') src[0] = CHOICE + h;
				Ev e = new_event(o, c, src); bool rd = isread(o.k) && o.k != 'H';
				if (rd) for (int k = 0; k < e.n(); k++) { int x = e.cell[k]; src[k] = s.m.mem[x]; e.rv[k] = s.m.val[x]; for (auto &w : buf) for (int d = 0; d < 2; d++) if (w.cell[d] == x) { src[k] = w.code; e.rv[k] = w.val[d]; } }
				if ((o.k == 'L' && e.rv[0]) || futile(o, e.rv[0])) continue;
				S q = s; run_op(o, e, q.st[t]); q.st[t].pc = skip_local(P.th[t], pc + 1, q.st[t].r); q.n[t]++; q.m.it.set(c, src); q.dirty[t] = o.k == 'W' && o.o == 's'; if (o.k == 'F' && o.o == 'r') q.epoch[t]++;
				if (e.W) { if (mode && o.k == 'W') q.m.buf[t].push_back({(short)c, {(short)e.cell[0], (short)e.cell[1]}, {(short)e.wv[0], (short)e.wv[1]}, q.epoch[t], o.o == 'r' || o.o == 's'}); else for (int k = 0; k < e.n(); k++) { q.m.mem[e.cell[k]] = c; q.m.val[e.cell[k]] = e.wv[k]; } }
				push(q);
			}
		}
		if (!any) full.insert(s.m.it);
		if (seen.size() > limit) return false;
	}
	return true;
}
static bool brute_graphs(const Prog &P, set<Items> &full, size_t limit)
{
	set<Items> seen; vector<Items> todo{Items()}; seen.insert(Items()); int T = P.th.size(); static G g;
	while (!todo.empty()) {
		Items it = todo.back(); todo.pop_back(); Lab L, M; if (!label(P, it, L)) continue;
		bool any = false;
		for (int t = 0; t < T; t++) {
			int pc = L.st[t].pc; if (pc < 0 || pc >= (int)P.th[t].size()) continue;
			const Op &o = P.th[t][pc]; int i = 0; while (it.has(t * PER + i)) i++;
			int c = t * PER + i; vector<short> cand;
			if (o.k == 'H') for (int h = 0; h < o.v; h++) cand.push_back(CHOICE + h);
			else if (isread(o.k)) { cand.push_back(INIT); for (auto &e : L.ev) if (e.W && e.at(o.x)) cand.push_back(e.code); } else cand.push_back(NOSRC);
			for (short s : cand) {
				Items j = it; j.set(c, {s, NOSRC}); if (!label(P, j, M)) continue;
				const Ev &e = M.ev[M.at[c]]; bool bad = false; if (e.R && e.W) for (auto &q : L.ev) if (q.R && q.W && q.src[0] == s && q.cell[0] == e.cell[0]) bad = true;
				if (bad) continue;
				if (o.k == 'L' || o.k == 'T' || o.aw) { build(M, g, Set(), MODEL == "ra"); if (!definition(g)) continue; }
				any = true; if (seen.insert(j).second) todo.push_back(j);
			}
		}
		if (!any) { build(L, g, Set(), MODEL == "ra"); if (definition(g)) full.insert(it); }
		if (seen.size() > limit) return false;
	}
	return true;
}
static bool extensible(const Prog &P, const Items &it) // some await that waits could go on, in another run of the same graph
{
	Lab L, M; if (!label(P, it, L)) return false;
	for (int t = 0; t < (int)P.th.size(); t++) {
		int pc = L.st[t].pc; if (pc < 0 || pc >= (int)P.th[t].size() || !P.th[t][pc].aw) continue;
		int i = 0; while (it.has(t * PER + i)) i++;
		vector<short> cand{INIT}; for (auto &e : L.ev) if (e.W && e.at(P.th[t][pc].x)) cand.push_back(e.code);
		for (short s : cand) { Items j = it; j.set(t * PER + i, {s, NOSRC}); if (label(P, j, M) && consistent(M)) return true; }
	}
	return false;
}
// ---------------------------------------------------------------- the exploration
struct Part { int e; char p; bool k; int canon; }; // event; R (first cell), S (second cell), W, B (its write was not possible); K mark; cache: its canonical source when it was added, -1 unknown
typedef vector<Part> Order;
struct Explorer {
	const Prog &P; vector<Items> found; long visits = 0, revisits = 0, canon = 0, dead = 0, blocked = 0, steps = 0, asked = 0, yes = 0, no = 0, calls = 0; bool broken = false; u64 salt; long limit = 4000000;
	int nextmode, pref;
	bool seqcst = false;
	Explorer(const Prog &p, u64 s) : P(p), salt(s) { for (auto &t : p.th) for (auto &o : t) if (MODEL == "rc11" && (o.o == 's' || (o.k == 'C' && o.of == 's'))) seqcst = true;
		nextmode = opt("right") ? 1 : opt("hash") ? 2 : 0; pref = opt("low") ? 1 : opt("random") ? 2 : opt("newest") ? 3 : opt("oldest") ? 4 : 0; }
	typedef array<short, 2> Src;
	// order of preference of sources; newest and oldest: by the place in <G, so `od` is needed
	long key(int c, const Order &od) const {
		if (pref >= 3) { if (c == INIT) return pref == 3 ? 1000000 : -1; for (int i = 0; i < (int)od.size(); i++) if (od[i].e == c && od[i].p == 'W') return pref == 3 ? -i : i; return 0; }
		if (pref == 2) { u64 h = (c + 1) * 0x9e3779b97f4a7c15ull ^ salt; h ^= h >> 29; h *= 0xbf58476d1ce4e5b9ull; return (long)(h >> 20); }
		return pref == 1 ? (c == INIT ? -1 : c) : c == INIT ? 1 : -c; }
	void past(const Items &it, int e, Set &out) const { // (po u rf)-past of e, e not included
		vector<int> todo{e};
		while (!todo.empty()) { int q = todo.back(); todo.pop_back(); auto add = [&](int z) { if (!out[z]) { out[z] = 1; todo.push_back(z); } }; if (q % PER) add(q - 1); if (it.has(q)) for (int s : it.src[q]) if (s >= 0 && s < CODES) add(s); }
	}
	bool local() const { return axiomatic() && !seqcst && !opt("nolocal"); }
	static bool reads(const Part &p) { return p.p == 'R' || p.p == 'S'; }
	static Set pending_of(const Lab &L, const Order &od) { Set w, p; for (auto &q : od) if (q.p == 'W') w[q.e] = 1; for (auto &e : L.ev) if (e.R && e.W && !w[e.code]) p[e.code] = 1; return p; }
	vector<short> sources(const Lab &M, const Op &op, const Set &pn, const Order &od, int cell) const { // all sources for a cell, in the order of preference
		vector<short> a; if (op.k == 'H') { for (int h = 0; h < op.v; h++) a.push_back(CHOICE + h); return a; }
		int x = cell ? op.y : op.x; a.push_back(INIT); for (auto &v : M.ev) if (v.W && v.at(x) && !pn[v.code]) a.push_back(v.code);
		sort(a.begin(), a.end(), [&](int p, int q) { return key(p, od) < key(q, od); }); return a; }
	void ship(const Order &od, const Items &it) { // a job: what a subtree is a function of
		if (!opt("ship")) { visit(od, it); return; }
		string job; for (auto &p : od) { job += char(p.e); job += char(p.p | (p.k ? 128 : 0)); for (short s : it.src[p.e]) { if (p.p == 'K') s = p.canon; job += char(s & 255); job += char(s >> 8); } }
		Order o2; Items j; for (size_t i = 0; i < job.size(); i += 6) { Part p; p.e = (unsigned char)job[i]; p.p = job[i + 1] & 127; p.k = job[i + 1] & 128; p.canon = -1; Src s; for (int k = 0; k < 2; k++) s[k] = (short)((unsigned char)job[i + 2 + 2 * k] | job[i + 3 + 2 * k] << 8); o2.push_back(p); if (p.p != 'K') j.set(p.e, s); else o2.back().canon = s[0]; }
		visit(o2, j); }
	set<Items> watch; vector<string> trail;
	struct Pop { vector<string> &t; bool on; ~Pop() { if (on) t.pop_back(); } };
	static string text(const Order &od, const Items &it) { string s; char b[64]; for (auto &p : od) { snprintf(b, 64, " %s%d.%d%c", p.k ? "!" : "", p.e / PER, p.e % PER, p.p); s += b; if (p.p == 'R') { int q = it.src[p.e][0]; if (q == INIT) s += "<i"; else { snprintf(b, 64, "<%d.%d", q / PER, q % PER); s += b; } } } return s; }
	void visit(const Order &od, const Items &it) {
		Pop pop{trail, !watch.empty()}; if (!watch.empty()) trail.push_back(text(od, it));
		if (opt("prefix")) for (auto &c : watch) { bool sub_ = true; for (int q = 0; q < CODES; q++) if (it.has(q) && (!c.has(q) || it.src[q] != c.src[q])) sub_ = false; if (sub_) printf("  part of it: %s\n", text(od, it).c_str()); }
		if (broken || ++visits > limit) { broken = true; return; }
		Lab L; if (!label(P, it, L)) { broken = true; return; }
		Set pn = pending_of(L, od);
		if (L.half >= 0) { // the second cell of a read whose first has its source
			int e = L.half; const Op &op = *L.ev[L.at[e]].op;
			for (short s : sources(L, op, pn, od, 1)) { Items j = it; j.src[e][1] = s; Lab M; if (!label(P, j, M)) continue; Order o2 = od; o2.push_back({e, 'S', false, -1}); if (consistent(M, pending_of(M, o2))) ship(o2, j); }
			return;
		}
		Set stuck; for (auto &p : od) if (p.p == 'B') stuck[p.e] = 1;
		if ((pn & ~stuck).any()) { // the write of an RMW whose read parts have their sources
			int e = (pn & ~stuck)._Find_first(); Order o2 = od; o2.push_back({e, 'W', false, -1}); Set p2 = pn; p2[e] = 0;
			if (consistent(L, p2)) ship(o2, it);
			else if (L.ev[L.at[e]].n() == 2 && !opt("nostuck")) { Order o3 = od; o3.push_back({e, 'B', false, -1}); ship(o3, it); } // its second cell may get another source
			back(o2, it, e, L); return;
		}
		int T = P.th.size(); vector<int> ts(T); iota(ts.begin(), ts.end(), 0); if (nextmode == 1) reverse(ts.begin(), ts.end());
		if (nextmode == 2) { size_t h = it.have.count() * 0x9e3779b97f4a7c15ull; for (int t = 0; t < T; t++) { int i = 0; while (it.has(t * PER + i)) i++; h = (h ^ i) * 0x9e3779b97f4a7c15ull; } rotate(ts.begin(), ts.begin() + (h >> 40) % T, ts.end()); }
		vector<pair<int, const Op *>> waiting;
		for (int pass = opt("last") ? 0 : 1; pass < 2; pass++) for (int t : ts) {
			if (pass == 0 || opt("last")) { int pc = L.st[t].pc; if (pc >= 0 && pc < (int)P.th[t].size() && (P.th[t][pc].aw != 0) != (pass == 1)) continue; }
			int pc = L.st[t].pc; if (pc < 0 || pc >= (int)P.th[t].size()) continue;
			const Op &op = P.th[t][pc]; int i = 0; while (it.has(t * PER + i)) i++;
			if (i && stuck[t * PER + i - 1]) continue;
			int c = t * PER + i; if (i >= PER) { broken = true; return; }
			if (!isread(op.k)) {
				Items j = it; j.set(c, {NOSRC, NOSRC}); Order o2 = od; o2.push_back({c, 'W', false, -1}); Lab M;
				if (!label(P, j, M) || !consistent(M, stuck)) { broken = true; return; } // cannot be: what does not read is always possible
				ship(o2, j); if (op.k != 'F') back(o2, j, c, M); return;
			}
			if (op.k == 'L' && !opt("simple")) {
				if (take(od, it, c, op, L, false, stuck)) return;
				waiting.push_back({c, &op}); continue;
			}
			if (op.aw && !enabled(it, L, c, op, stuck, od)) { waiting.push_back({c, &op}); continue; }
			vector<Items> next; int first = -1; Levels lv = levels(od, it, L, c, &op, od.size());
			for (short s : sources(L, op, stuck, od, 0)) {
				if (op.aw && lv.of(s) != (int)lv.pl.size() - 1) continue;
				Items j = it; j.set(c, {s, (short)(op.y >= 0 ? UNREAD : NOSRC)}); Lab M; if (!label(P, j, M)) continue;
				Set p2 = stuck; if (M.ev[M.at[c]].R && M.ev[M.at[c]].W) p2[c] = 1;
				if (op.k != 'H' && !consistent(M, p2)) continue;
				next.push_back(j); if (first < 0 && op.y < 0 && (!p2[c] || consistent(M, stuck))) first = s;
			}
			for (auto &j : next) { Order o2 = od; o2.push_back({c, 'R', false, first}); ship(o2, j); }
			return;
		}
		bool quit = false, call = false, held = false; if (opt("simple")) for (auto &e : L.ev) if (e.op->k == 'L' && e.rv[0]) held = true;
		if (held || stuck.any()) blocked++;
		else if (!right_markers(od, it, L)) { blocked++; quit = opt("quitpruned"); if (watch.count(it)) { printf("  PRUNED by:\n"); for (auto &x : trail) printf("     %s\n", x.c_str()); } }
		else if (!waiting.empty() && extensible(P, it)) { ST["dead: could go on"]++; blocked++; if (!opt("freeleaf")) skip_all(od, it, L); }
		else { call = true; found.push_back(it); if (watch.count(it)) { printf("  found by:\n"); for (auto &x : trail) printf("     %s\n", x.c_str()); } }
		if (!opt("deadtoo") && !call) goto over;
		if (opt("stuck")) stuck_graphs(od, it, L);
		skip_all(od, it, L);
	over:
		if (quit) return;
		for (auto &w : waiting) if (w.second->aw) wait_end(od, it, w.first, *w.second, L, stuck); else take(od, it, w.first, *w.second, L, true, stuck);
	}
	// ---- awaits. A marker (part K) of await e at place p: e could have gone on with what was there (N = what is before p), and was left out because of the parts that follow and have the flag k.
	// A source c of e is good for N if it is in N, or if e has a source that is good for N with which it can be added to N + past(c) + c's read part. The level of a source: the first of e's
	// places (its markers, then its own) for which it is good.
	struct Sub { Order od; Items it; Lab L; Set pn; bool ok; };
	template<class F> Sub sub(const Order &od, const Items &it, const Lab &L, F in) const { Sub x; for (auto &q : od) if (in(q, (int)(&q - &od[0]))) { x.od.push_back(q); put(x.it, it, L, q); } x.ok = label(P, x.it, x.L); if (x.ok) x.pn = pending_of(x.L, x.od); return x; }
	bool fits(const Sub &x, int e, short c) const { if (!x.ok) return false; Items j = x.it; j.set(e, {c, NOSRC}); Lab M; return label(P, j, M) && consistent(M, x.pn); } // e[c], with its write, in addition
	vector<int> places(const Order &od, int e, int upto) const { vector<int> a; for (int k = 0; k < upto; k++) if (od[k].p == 'K' && od[k].e == e) a.push_back(k); a.push_back(upto); return a; }
	const Op *op_of(const Order &od, const Items &it, const Lab &L, int e) const { return L.at[e] >= 0 ? L.ev[L.at[e]].op : [&] { int t = e / PER, pc = L.st[t].pc; return &P.th[t][pc]; }(); }
	struct Levels { const Explorer &E; const Order &od; const Items &it; const Lab &L; int e; const Op *op; vector<int> pl; map<int, int> memo;
		int of(int c) { // 0.. index into pl; pl.size(): none
			if (c == INIT) return 0;
			auto f = memo.find(c); if (f != memo.end()) return f->second;
			int pos = -1; for (int k = 0; k < (int)od.size(); k++) if (od[k].e == c && od[k].p == 'W') pos = k;
			Set pc; E.past(it, c, pc); int r = pl.size();
			if (opt("nolevel")) { for (int i = 0; i < (int)pl.size() && r == (int)pl.size(); i++) if (pos >= 0 && pos < pl[i]) r = i; return memo[c] = min(r, (int)pl.size() - 1); }
			for (int i = 0; i < (int)pl.size() && r == (int)pl.size(); i++) {
				if (pos >= 0 && pos < pl[i]) { r = i; break; }
				Sub x = E.sub(od, it, L, [&](const Part &q, int k) { return q.e != e && (k < pl[i] || pc[q.e] || (q.e == c && q.p == 'R')); });
				if (x.ok) for (short s : E.sources(x.L, *op, x.pn, od, 0)) if (of(s) == i && E.fits(x, e, s)) { r = i; break; }
				if (r == (int)pl.size() && i + 1 < (int)pl.size() && !opt("nomatch") && !E.right_marker(od, it, L, pl[i], e, op, pc, c)) { r = pl.size() + 1; break; } // another marker's
			}
			return memo[c] = r; } };
	Levels levels(const Order &od, const Items &it, const Lab &L, int e, const Op *op, int place) const { return Levels{*this, od, it, L, e, op, places(od, e, place), {}}; }
	// the first source that e has in x, at its last place; NOSRC: none
	short first_source(const Sub &x, int e, const Op *op, Levels &lv, const Order &od) const { if (!x.ok) return NOSRC; for (short s : sources(x.L, *op, x.pn, od, 0)) if (lv.of(s) == (int)lv.pl.size() - 1 && fits(x, e, s)) return s; return NOSRC; }
	bool enabled(const Items &it, const Lab &L, int c, const Op &op, const Set &pn, const Order &od) {
		Levels lv = levels(od, it, L, c, &op, od.size()); Sub x = sub(od, it, L, [](const Part &, int) { return true; }); return first_source(x, c, &op, lv, od) != NOSRC; }
	// has e a source in every closed set between what is before its place and x? (Sets of whole events, but for one mere read at most)
	bool always(const Order &od, const Items &it, const Lab &L, vector<char> in, int e, const Op *op, Levels &lv, int place) const {
		Sub x = sub(od, it, L, [&](const Part &, int k) { return in[k]; }); short c = first_source(x, e, op, lv, od); if (c == NOSRC) return false;
		if (c == INIT) return true;
		for (int k = 0; k < place; k++) if (od[k].e == c && od[k].p == 'W') return true;
		int r = -1; for (int k = place; k < (int)od.size(); k++) { Set p; past(it, od[k].e, p); if (od[k].e == c) { if (od[k].p == 'R') r = k; else in[k] = 0; } else if (p[c]) in[k] = 0; } // those with c are well
		if (r < 0) return always(od, it, L, in, e, op, lv, place);
		Set mere = x.pn; vector<char> v = in; v[r] = 0; if (!always(od, it, L, v, e, op, lv, place)) return false; // without c
		for (int k = place; k < (int)od.size(); k++) if (mere[od[k].e]) in[k] = 0; // with c as a mere read
		return always(od, it, L, in, e, op, lv, place);
	}
	// od is a whole execution, and e, at place i, is left out for X = before(e) + down(F) + f[g], if X disables e and nothing less does; all that is not in X must have been canonical.
	// f is the last of X by its key; or (write false) an RMW without its write. F: further events, without which X would not disable e
	static int pkey(const Part &q) { return q.e * 2 + (q.p == 'W'); }
	void skip(const Order &od, const Items &it, const Lab &L, int f, short g, const Op *fop) {
		Set pf; bool rmw; { Items q = it; q.set(f, {g, NOSRC}); past(q, f, pf); }
		int n = od.size(), at = n; for (int k = 0; k < n; k++) if (od[k].e == f && od[k].p == 'R') at = k;
		vector<Set> ps(n); for (int k = 0; k < n; k++) if (od[k].p != 'K') past(it, od[k].e, ps[k]);
		for (int i = 0; i < n && !broken; i++) {
			int e = od[i].e; if (od[i].p != 'R' || e == f || pf[e] || od[i].k || !L.ev[L.at[e]].op->aw || at < i) continue;
			const Op *op = L.ev[L.at[e]].op; Levels lv = levels(od, it, L, e, op, i);
			if (!opt("nofmark")) { vector<int> pl = places(od, f, i); if (pl.size() > 1) { pl.back() = n; Levels l3{*this, od, it, L, f, op_of(od, it, L, f), pl, {}}; if (l3.of(g) != (int)pl.size() - 1) continue; } }
			vector<char> in(n, 0); for (int k = 0; k < n; k++) in[k] = k < i || (od[k].p != 'K' && pf[od[k].e]);
			{ Sub x = sub(od, it, L, [&](const Part &, int k) { return in[k]; }); if (!x.ok) continue; Items q = x.it; q.set(f, {g, NOSRC}); Lab M; if (!label(P, q, M)) continue; rmw = M.ev[M.at[f]].W; }
			for (int write = 0; write <= (int)rmw; write++) more(od, it, L, f, write, rmw, g, i, lv, op, in, {}, i + 1, pf, ps);
		}
	}
	void more(const Order &od, const Items &it, const Lab &L, int f, bool write, bool rmw, short g, int i, Levels &lv, const Op *op, const vector<char> &in, const vector<int> &F, int from, const Set &pf, const vector<Set> &ps) {
		int n = od.size(), e = od[i].e, kf = rmw && !write ? INT_MAX : f * 2 + write; Order o2; Items j; ST["tries"]++;
		for (int k = 0; k < n; k++) { if (k == i) o2.push_back({e, 'K', true, -1}); if (!in[k]) continue; Part q = od[k]; if (q.p != 'K') q.canon = -1; if (k >= i) q.k = true; o2.push_back(q); put(j, it, L, q); }
		o2.push_back({f, 'R', true, -1}); if (write) o2.push_back({f, 'W', true, -1}); j.set(f, {g, NOSRC});
		Sub x; x.od = o2; x.it = j; x.ok = label(P, j, x.L); if (!x.ok) return;
		x.pn = pending_of(x.L, o2); if (!consistent(x.L, x.pn)) return; // then no larger one is, either
		Levels l2{*this, x.od, x.it, x.L, e, op, lv.pl, {}};
		if (first_source(x, e, op, l2, od) == NOSRC) { // disabled
			if (!opt("nomin")) for (int a = -1; a < (int)F.size(); a++) { // without any of its last events it is not, nor is anything smaller
				int q = a < 0 ? f : od[F[a]].e; vector<char> less(o2.size(), 1); for (int d = 0; d < (int)o2.size(); d++) if (o2[d].e == q) less[d] = 0;
				if (!always(x.od, x.it, x.L, less, e, op, l2, i)) return;
				if (x.pn.none()) { bool w = false; for (int d = 0; d < (int)o2.size(); d++) if (o2[d].e == q) { if (o2[d].p == 'R') less[d] = 1; else w = true; } if (w && !always(x.od, x.it, x.L, less, e, op, l2, i)) return; }
			}
			if (!completes(od, it, L, in, e, op, &lv, i)) return;
			o2[i].canon = o2.size() - i - 1; ST["skips"]++; if (F.size()) ST["skips for several"]++;
			ship(o2, j); return;
		}
		if (opt("principal") || F.size() >= 3) return;
		for (int k = from; k < n; k++) {
			const Part &q = od[k]; if (in[k] || q.p == 'K' || q.e == e || q.e == f || ps[k][e] || ps[k][f] || pkey(q) > kf || !L.ev[L.at[q.e]].R || q.p == 'B' || (q.p == 'R' && L.ev[L.at[q.e]].W)) continue;
			vector<char> v = in; for (int z = i; z < n; z++) if (od[z].p != 'K' && (ps[k][od[z].e] || od[z].e == q.e)) v[z] = 1;
			bool anti = true; for (int z : F) if (ps[k][od[z].e]) anti = false;
			if (!anti) continue; // comes otherwise
			vector<int> F2 = F; F2.push_back(k); more(od, it, L, f, write, rmw, g, i, lv, op, v, F2, k + 1, pf, ps);
		}
	}
	// Is the whole execution what follows from `in` (and, first, e with its canonical source) if the leftmost thread goes on, each read with its first source?
	bool completes(const Order &od, const Items &it, const Lab &L, const vector<char> &in, int e, const Op *eop, Levels *lv, int upto) {
		Sub x = sub(od, it, L, [&](const Part &, int k) { return in[k]; }); if (!x.ok) return false;
		if (e >= 0) { if (first_source(x, e, eop, *lv, od) != it.src[e][0]) return false; x.it.set(e, it.src[e]); if (!label(P, x.it, x.L)) return false; }
		if (opt("anyleaf")) return true;
		for (bool go = true; go;) {
			go = false;
			for (int t = 0; t < (int)P.th.size() && !go; t++) {
				int pc = x.L.st[t].pc; if (pc < 0 || pc >= (int)P.th[t].size()) continue;
				const Op &op = P.th[t][pc]; int i = 0; while (x.it.has(t * PER + i)) i++;
				int d = t * PER + i; Src s{NOSRC, NOSRC};
				if (op.k == 'H') s[0] = CHOICE;
				else if (isread(op.k)) { vector<int> pl; if (op.aw && !opt("freeleaf")) { pl = places(od, d, upto); pl.back() = od.size(); } Levels l3{*this, od, it, L, d, &op, pl, {}}; // what was left out before e's place is so still
					for (short c : sources(x.L, op, Set(), od, 0)) if ((pl.size() < 2 || l3.of(c) == (int)pl.size() - 1) && fits(x, d, c)) { s[0] = c; break; } if (s[0] == NOSRC) continue; }
				if (!it.has(d) || it.src[d] != s) return false;
				x.it.set(d, s); if (!label(P, x.it, x.L)) return false;
				go = true;
			}
		}
		return x.it == it;
	}
	// may the part od[k] go, if those `in` are kept?
	// does the part belong to a marker at or after place i? Then it may go as the marker goes
	static bool of_marker(const Order &od, int k, int i) { for (int z = i; z < k; z++) if (od[z].p == 'K' && k <= z + od[z].canon) return true; return false; }
	bool goes(const Order &od, const Items &it, const Lab &L, int k, const vector<char> &in, int i) {
		if (od[k].p == 'K') { // its await must not be possible with what is kept
			int e = od[k].e; for (int z = k; z < (int)od.size(); z++) if (in[z] && od[z].e == e) return true;
			const Op *op = op_of(od, it, L, e); Levels lv = levels(od, it, L, e, op, k);
			Sub x = sub(od, it, L, [&](const Part &q, int z) { return q.e != e && (z < k || in[z]); });
			return first_source(x, e, op, lv, od) == NOSRC; }
		if (od[k].k && (!opt("softk") || !of_marker(od, k, i))) return false;
		if (!reads(od[k])) return true;
		int a = known(od, it, L, k, in); return a >= 0 ? a : canonical(od, it, L, k, in);
	}
	// Graphs in which threads wait that could go on in other runs of the same graph: part of a whole execution, from which awaits and all that comes after them have gone, which were canonical.
	// Everett would ask its oracle about each whether there is a run after which the values of all that wait are futile.
	vector<Items> partial;
	void stuck_graphs(const Order &od, const Items &it, const Lab &L) {
		int n = od.size(); vector<int> aw; for (auto &q : od) if (q.p == 'R' && L.ev[L.at[q.e]].op->aw) aw.push_back(q.e);
		vector<Set> ps(n); for (int k = 0; k < n; k++) if (od[k].p != 'K') past(it, od[k].e, ps[k]);
		function<void(size_t, vector<char>, vector<int>)> rec = [&](size_t a, vector<char> in, vector<int> E) {
			if (a == aw.size()) {
				if (E.empty()) return;
				Sub x = sub(od, it, L, [&](const Part &, int k) { return in[k]; }); if (!x.ok) { broken = true; return; }
				for (int e : E) { const Op *op = L.ev[L.at[e]].op; bool can = false, any = false; for (auto &v : x.L.ev) if (v.W && v.at(op->x)) { any = true; if (futile(*op, v.wv[0])) can = true; } if (!any && futile(*op, P.init[op->x])) can = true; if (!can) return; } // its last write must be futile
				if (!completes(od, it, L, in, -1, nullptr, nullptr, 0)) return;
				partial.push_back(x.it); return; }
			rec(a + 1, in, E);
			int e = aw[a]; bool there = false; for (int k = 0; k < n; k++) if (od[k].e == e && in[k]) there = true;
			if (!there) return;
			for (int x : E) { Set p; past(it, x, p); if (p[e]) return; } // comes otherwise
			for (int k = 0; k < n; k++) if (od[k].p != 'K' && (od[k].e == e || ps[k][e])) in[k] = 0;
			E.push_back(e); rec(a + 1, in, E); };
		vector<char> in(n, 0); for (int k = 0; k < n; k++) in[k] = od[k].p != 'K'; rec(0, in, {});
	}
	// a whole execution: reads that were there, or wait, with sources that are not possible unless an await is left out
	void skip_all(const Order &od, const Items &it, const Lab &L) {
		if (opt("noskip")) return;
		bool any = false; for (auto &e : L.ev) if (e.op->aw) any = true;
		if (!any) return;
		for (int t = 0; t < (int)P.th.size(); t++) for (int i = 0; i < PER; i++) {
			int f = t * PER + i; bool there = it.has(f); const Op *op; if (i && !it.has(f - 1)) break;
			if (there) op = L.ev[L.at[f]].op; else { int pc = L.st[t].pc; if (pc < 0 || pc >= (int)P.th[t].size()) break; op = &P.th[t][pc]; }
			if (op->k == 'H' || !isread(op->k)) continue;
			for (short g : sources(L, *op, Set(), od, 0)) {
				if (there && it.src[f][0] == g) continue;
				Set pg; if (g != INIT) { past(it, g, pg); if (pg[f] || g == f) continue; }
				skip(od, it, L, f, g, op);
			}
		}
	}
	// Is the marker at place i of od the one by which classes are to be reached that contain what is before it and `ok` and c's read part? Of all sets in there that disable e and are minimal, it must be the first
	bool right_marker(const Order &od, const Items &it, const Lab &L, int i, int e, const Op *op, const Set &ok, int c) const {
		int n = od.size(); vector<Set> ps(n); for (int k = 0; k < n; k++) if (od[k].p != 'K') past(it, od[k].e, ps[k]);
		Levels lv{*this, od, it, L, e, op, places(od, e, i), {}};
		vector<int> mine; // the last parts of its own set
		int end = i + 1 + od[i].canon;
		auto inside = [&](const Part &q) { return ok[q.e] || (q.e == c && q.p == 'R'); };
		for (int k = i + 1; k < end; k++) { if (!inside(od[k])) return false; bool last = true; for (int z = i + 1; z < end; z++) if (ps[z][od[k].e] || (od[z].e == od[k].e && z > k)) last = false; if (last) mine.push_back(pkey(od[k])); }
		if (opt("noprune")) return true;
		sort(mine.begin(), mine.end());
		bool bad = false; vector<int> cand; for (int k = i + 1; k < n; k++) if (od[k].p != 'K' && od[k].e != e && !ps[k][e] && inside(od[k]) && L.ev[L.at[od[k].e]].R) cand.push_back(k);
		function<void(vector<char>, vector<int>, size_t)> rec = [&](vector<char> v, vector<int> F, size_t from) {
			if (bad) return;
			if (F.size()) {
				Sub x = sub(od, it, L, [&](const Part &, int z) { return v[z]; });
				if (first_source(x, e, op, lv, od) == NOSRC) {
					vector<int> ks; for (int k : F) ks.push_back(pkey(od[k])); sort(ks.begin(), ks.end()); if (ks >= mine) return;
					for (int k : F) { vector<char> u = v; for (int z = i; z < n; z++) if (od[z].e == od[k].e) u[z] = 0; if (!always(od, it, L, u, e, op, lv, i)) return; if (x.pn.none() && od[k].p == 'W') { u = v; u[k] = 0; if (!always(od, it, L, u, e, op, lv, i)) return; } }
					bad = true; return; }
			}
			if (F.size() >= (opt("principal") ? 1 : 4)) return;
			for (size_t c = from; c < cand.size(); c++) { int k = cand[c]; if (v[k]) continue; bool anti = true; if (od[k].p == 'R' && L.ev[L.at[od[k].e]].W) for (int z : F) if (od[z].p == 'R' && L.ev[L.at[od[z].e]].W) anti = false; for (int z : F) if (ps[k][od[z].e] || od[z].e == od[k].e) anti = false; if (!anti) continue;
				vector<char> u = v; for (int z = i; z < n; z++) if (od[z].p != 'K' && (ps[k][od[z].e] || (od[z].e == od[k].e && (od[z].p == 'R' || od[k].p == 'W')))) u[z] = 1;
				vector<int> F2 = F; F2.push_back(k); rec(u, F2, c + 1); } };
		vector<char> v(n, 0); for (int z = 0; z < i; z++) v[z] = 1;
		rec(v, {}, 0); return !bad;
	}
	bool right_markers(const Order &od, const Items &it, const Lab &L) { // of awaits that are not in this execution
		Set all; all.set();
		for (int i = 0; i < (int)od.size(); i++) if (od[i].p == 'K' && !it.has(od[i].e) && !right_marker(od, it, L, i, od[i].e, op_of(od, it, L, od[i].e), all, -1)) { ST["pruned"]++; return false; }
		return true;
	}
	// await c waits at the end of an execution. A read-modify-write may have a source as a mere read, and be in the place of who took it
	void wait_end(const Order &od, const Items &it, int c, const Op &op, const Lab &L, const Set &stuck) {
		if (!isrmw(op.k) || opt("noend")) return;
		Order o2 = od; o2.push_back({c, 'R', false, -1}); o2.push_back({c, 'W', false, -1}); Levels lv = levels(od, it, L, c, &op, od.size());
		for (short s : sources(L, op, stuck, od, 0)) { if (lv.of(s) != (int)lv.pl.size() - 1) continue; Items j = it; j.set(c, {s, NOSRC}); Lab M; if (!label(P, j, M)) continue; Set p2 = stuck; if (M.ev[M.at[c]].W) { p2[c] = 1; if (consistent(M, p2)) back(o2, j, c, M); } }
	}
	// Lock c: goes on if there is a free source; then, or at the end of an execution (waits): it may take a mutex instead of those who took it
	bool take(const Order &od, const Items &it, int c, const Op &op, const Lab &L, bool waits, const Set &stuck) {
		vector<pair<Items, bool>> all; int free_ = -1; // with each source that is free, or was when somebody took it
		for (short s : sources(L, op, stuck, od, 0)) {
			Items j = it; j.set(c, {s, NOSRC}); Lab M; if (!label(P, j, M)) continue; // it does not say "free"
			bool taken = false; for (auto &q : L.ev) if (q.R && q.W && q.cell[0] == op.x && q.src[0] == s && !stuck[q.code]) taken = true;
			if (taken && opt("nomere")) continue;
			if (!taken) { if (!consistent(M, stuck)) continue; free_ = all.size(); }
			all.push_back({j, taken});
		}
		if (free_ < 0 && !waits) return false;
		Order o2 = od; o2.push_back({c, 'R', false, -1}); o2.push_back({c, 'W', false, -1});
		if (free_ >= 0) ship(o2, all[free_].first);
		for (auto &a : all) { Lab M; label(P, a.first, M); Set p2 = stuck; p2[c] = 1; int mere = a.second ? -1 : 1; back(o2, a.first, c, M, &mere, p2); }
		return true;
	}
	// w's write, the last part of od, has been added: let it be read by reads that were there before, and let locks that it excludes go
	// (a lock: *mere says whether its read part alone is possible; -1: not asked yet)
	void back(const Order &od, const Items &it, int w, const Lab &L, int *mere = nullptr, const Set &pending = Set()) {
		const Ev &ew = L.ev[L.at[w]]; int n = od.size(); Set pw; past(it, w, pw);
		for (int i = 0; i < n - 1; i++) {
			int r = od[i].e, cell = od[i].p == 'S'; if (!reads(od[i]) || r == w || pw[r] || od[i].k) continue;
			const Ev &er = L.ev[L.at[r]]; if (!er.R || !ew.at(er.cell[cell])) continue;
			if (er.op->k == 'L' && !opt("simple")) { // only one that takes the mutex as w does
				if (!opt("noreplace") && isrmw(ew.op->k) && it.src[w][0] == it.src[r][0]) revisit(od, it, w, L, i, pw, nullptr, mere, pending);
				continue;
			}
			Src s = it.src[r]; s[cell] = w; if (!cell && er.n() == 2) s[1] = UNREAD;
			revisit(od, it, w, L, i, pw, &s, mere, pending);
		}
	}
	// r = od[i] gets the source w, its event then has the sources s (a lock: goes away); `keep` stays, and what was there before r; the rest goes, and must have been canonical
	void revisit(const Order &od, const Items &it, int w, const Lab &L, int i, const Set &keep, const Src *s, int *mere, const Set &pending) {
		if (broken) return;
		int n = od.size(); steps++; vector<char> del(n, 0); int r = od[i].e;
		for (int k = i + (s ? 1 : 0); k < n; k++) del[k] = !keep[od[k].e] && od[k].e != w;
		vector<char> in(n, 0); for (int k = 0; k < n; k++) in[k] = od[k].p != 'K' && (keep[od[k].e] || (od[k].e == w && od[k].p != 'W' && !opt("nowr")));
		for (int k = i + 1; k < n; k++) if (od[k].p == 'K') { del[k] = 1; if (!opt("nomark") && !goes(od, it, L, k, in, i)) return; }
		for (int k = 0; k < n; k++) if (del[k] && od[k].p != 'K') {
			if (od[k].k && !opt("nok") && (!opt("softk") || !of_marker(od, k, i))) return;
			if (od[k].p == 'W' && !opt("nobad")) for (int q = 0; q < k; q++) if (reads(od[q]) && q != i && it.src[od[q].e][od[q].p == 'S'] == od[k].e) return;
		}
		if (s && L.ev[L.at[r]].op->aw) { Levels lv = levels(od, it, L, r, L.ev[L.at[r]].op, i); if (lv.of(w) != (int)lv.pl.size() - 1) return; }
		if (!opt("nomax")) { // those that are known first
			vector<int> ask;
			for (int k = i; k < n; k++) if ((k == i || del[k]) && reads(od[k])) { calls++; int a = known(od, it, L, k, in); if (a == 0) { no++; return; } if (a > 0) yes++; else ask.push_back(k); }
			if (mere && *mere < 0 && opt("nowr")) *mere = 1;
			if (mere && *mere < 0) { ST["mere"]++; *mere = consistent(L, pending); }
			if (mere && !*mere) return;
			for (int k : ask) if (!canonical(od, it, L, k, in)) return;
		}
		Order o2; Items j; bool forget[CELLS] = {false}; // local: what a read of a cell may read depends on the accesses of that cell only
		for (int k = i; k < n; k++) if ((k == i || del[k]) && od[k].p != 'K') { const Ev &e = L.ev[L.at[od[k].e]]; for (int x : e.cell) if (x >= 0) forget[x] = true; }
		for (int k = 0; k < n; k++) { if (del[k]) continue; Part p = od[k]; if (k > i && p.p != 'K' && (!local() || forget[max(0, L.ev[L.at[p.e]].cell[0])])) p.canon = -1; if (k > i && opt("dropk")) p.k = false; if (!s && (p.e == w || (k >= i && !opt("konly"))) && !opt("nok")) p.k = true; /* w's past after r's place, too: an await there is not at a place of its own */ o2.push_back(p); put(j, it, L, p); }
		if (s) j.set(r, *s);
		Lab M; if (!label(P, j, M)) { dead++; return; }
		revisits++; if (!consistent(M, pending_of(M, o2))) { dead++; return; }
		ship(o2, j);
		if (!s && opt("kback")) back(o2, j, w, M);
	}
	// canonical() without a question: 1 yes, 0 no, -1 not known
	int known(const Order &od, const Items &it, const Lab &L, int k, const vector<char> &in) {
		int e = od[k].e; const Ev &ee = L.ev[L.at[e]];
		if (ee.op->k == 'H') return it.src[e][0] == CHOICE || opt("nochoice");
		if (ee.op->aw) return -1;
		if (ee.op->k == 'L' && !opt("simple") && !opt("asklocks")) return 1; // always: the mutex's chain, without what comes after e, ends at e's source
		int c = od[k].canon; if (!opt("cache") || c < 0 || ee.n() > 1) { ST["not known: since a revisit"]++; return -1; }
		bool fresh = false, any = false; // P has more than what was there when e was added? A write that is better than c?
		for (int q = k + 1; q < (int)od.size(); q++) if (od[q].e != e && in[q] && (!local() || L.ev[L.at[od[q].e]].at(ee.cell[0]))) { any = true; if (od[q].p == 'W' && L.ev[L.at[od[q].e]].at(ee.cell[0]) && key(od[q].e, od) < key(c, od)) fresh = true; }
		if (fresh) { ST["not known: a preferred write is new"]++; return -1; }
		if (c == it.src[e][0]) return 1; // all better ones were not possible then, and are not now
		if (any) ST["not known: another was canonical"]++;
		return any ? -1 : 0;
	}
	// Is the source of the read part od[k] the first, in the order of preference, that is possible with what was there before it and what is kept?
	bool canonical(const Order &od, const Items &it, const Lab &L, int k, const vector<char> &in) {
		int e = od[k].e; const Ev &ee = L.ev[L.at[e]];
		int c = opt("cache") ? od[k].canon : -1; bool fresh = false;
		for (int q = k + 1; q < (int)od.size(); q++) if (od[q].e != e && in[q] && od[q].p == 'W' && c >= 0 && L.ev[L.at[od[q].e]].at(ee.cell[0]) && key(od[q].e, od) < key(c, od)) fresh = true;
		Items j; Order po; int cell = od[k].p == 'S'; bool two = ee.n() == 2 && !cell;
		for (int q = 0; q < (int)od.size(); q++) { if (od[q].e == e ? q >= k : q >= k && !in[q]) continue; put(j, it, L, od[q]); po.push_back(od[q]); }
		Lab M, A; if (!label(P, j, M)) return false;
		Set pn = pending_of(M, po); asked++;
		auto possible = [&](const Src &s) { Items q = j; q.set(e, s); if (!label(P, q, A)) return false; canon++; return consistent(A, pn); };
		if (ee.op->aw) { Levels lv = levels(od, it, L, e, ee.op, k); for (short s : sources(M, *ee.op, pn, od, 0)) if (lv.of(s) == (int)lv.pl.size() - 1 && possible({s, NOSRC})) return it.src[e][0] == s; return false; }
		for (int mere = 0; mere < 2; mere++) { // an RMW counts with its write; only if it can write with no source at all (two cells), without
			if (mere) { if (ee.n() < 2 || !isrmw(ee.op->k)) break; pn[e] = 1; }
			for (short s : sources(M, *ee.op, pn, od, cell)) {
				if (c >= 0 && !fresh && key(s, od) < key(c, od)) continue; // not possible then
				Src v{NOSRC, NOSRC}; if (cell) v[0] = it.src[e][0]; v[cell] = s; bool ok = false;
				if (!two) ok = possible(v);
				else if (!isrmw(ee.op->k)) v[1] = UNREAD, ok = possible(v);
				else for (short z : sources(M, *ee.op, pn, od, 1)) { v[1] = z; if (possible(v)) { ok = true; break; } } // its write counts, and needs both
				if (ok) return it.src[e][cell] == s;
			}
		}
		return false;
	}
	static void put(Items &j, const Items &it, const Lab &L, const Part &p) { // adds the part
		if (p.p == 'B' || p.p == 'K') return;
		const Ev &e = L.ev[L.at[p.e]]; Src s = it.src[p.e]; if (p.p == 'R' && e.n() == 2) s[1] = UNREAD; if (p.p == 'W' && j.has(p.e)) return; j.set(p.e, s); }
};
// ---------------------------------------------------------------- random programs
struct Rng { mt19937_64 g; Rng(u64 s) : g(s) {} int n(int k) { return g() % k; } double d() { return (g() >> 11) * 0x1p-53; } char c(const string &s) { return s[n(s.size())]; } };
static Prog gen(Rng &r, const string &kinds, const string &orders, int maxev)
{
	string ro, wo, uo, fo, fl; for (char c : orders) { if (strchr("nxas", c)) ro += c; if (strchr("nxrs", c)) wo += c; if (c != 'n') uo += c; if (strchr("arbs", c)) fo += c; }
	for (string *q : {&ro, &wo, &uo}) if (q->empty()) *q = "x";
	if (fo.empty()) fo = "s";
	for (char c : ro) if (c != 'n') fl += c;
	if (fl.empty()) fl = "x";
	for (;;) {
		Prog P; int T = 2 + (r.n(5) >= 2) + (r.n(5) == 4), nl = r.n(3) ? 2 : 1, cnt = 0, mx = maxev > 7 ? 4 : 3, nm = 1 + (r.n(3) == 0), flag = 4; // cells 0 1 data, 2 3 mutexes, 4 5 6 flags
		bool post = kinds.find('P') != string::npos && r.n(2), hand = kinds.find('G') != string::npos; if (post) P.init[3] = 1, nm = 2;
		P.th.resize(T); vector<pair<int, int>> handed; int poster = post ? r.n(T) : -1, postat = r.n(3);
		for (int t = 0; t < T; t++) {
			auto &th = P.th[t]; int nr = 0, n = 1 + r.n(mx); set<int> held;
			auto add = [&](Op o) { th.push_back(o); if (o.k != 'I' && o.k != 'A') cnt++; };
			auto unlock = [&](int m) { Op u; u.k = 'N'; u.x = m; u.o = 'r'; add(u); };
			for (int i = 0; i < n; i++) {
				if (t == poster && i == postat) unlock(3), poster = -1;
				Op o; o.k = r.c(kinds); o.x = r.n(nl); o.reg = nr;
				if (o.k == 'G' && flag > 6) o.k = 'L';
				if (o.k == 'P') o.k = "LT"[r.n(2)];
				switch (o.k) {
				case 'R': o.o = r.c(ro); nr++; break;
				case 'W': o.o = r.c(wo); o.v = 1 + r.n(2); if (nr && r.d() < .3) { o.vk = 1 + r.n(2); o.vr = nr - 1; if (o.vk == 2) o.v = 1; } break;
				case 'U': o.o = r.c(uo); nr++; break;
				case 'X': o.o = r.c(uo); o.v = 1 + r.n(3); nr++; break;
				case 'C': o.o = r.c(uo); o.of = r.c(fl); o.e = r.n(2); o.nw = 1 + r.n(2); nr++; break;
				case 'F': o.o = r.c(fo); break;
				case 'H': o.v = 2 + r.n(2); nr++; break;
				case 'M': case 'D': { const char *ks = "RWRWXC"; o.k = ks[r.n(o.k == 'M' ? 6 : 4)]; o.x = 0; o.y = 1; if (r.n(5) == 0) o.y = -1, o.x = r.n(2); o.v = 1 + r.n(2); o.e = r.n(2) ? 0 : r.n(3) * 3 + r.n(3); o.nw = 1 + r.n(2); if (o.k != 'W') nr++; break; }
				case 'E': o.k = 'R'; o.o = r.c(ro); o.aw = 1 + r.n(15); if (o.aw == 15) o.aw = 2; nr++; break; // await of a read
				case 'V': o.k = "UXC"[r.n(3)]; o.o = o.of = r.c(uo); o.aw = 1 + r.n(14); o.v = 1 + r.n(3); o.e = r.n(2); o.nw = 1 + r.n(2); if (o.k == 'C') o.aw = 1u << o.e; nr++; break; // of a read-modify-write
				case 'Q': case 'Z': { // spin lock: compare-exchange or exchange 0 -> 1; a flag
					int m = 2 + r.n(nm); if (o.k == 'Z') { o.k = "WR"[r.n(2)]; o.x = 4 + r.n(2); o.o = o.k == 'W' ? r.c(wo) : r.c(ro); o.v = 1; if (o.k == 'R') o.aw = ~1u, nr++; break; }
					if (held.count(m) && r.n(8)) { Op u; u.k = 'W'; u.x = m; u.o = 'r'; u.v = 0; add(u); held.erase(m); continue; }
					o.x = m; o.k = "CX"[r.n(2)]; o.e = 0; o.nw = o.v = 1; o.aw = 1; o.o = o.of = 'a'; nr++; add(o); held.insert(m); continue; }
				case 'A': if (nr) { o.reg = r.n(nr); o.v = r.n(2); add(o); } continue;
				case 'L': case 'G': case 'T': {
					int m = 2 + r.n(nm); o.x = m; o.o = 'a';
					if (held.count(m) && o.k != 'T' && r.n(8)) { unlock(m); held.erase(m); continue; }
					if (o.k == 'G') { if (held.count(m)) continue; o.k = 'L'; add(o); Op w; w.k = 'W'; w.x = flag; w.v = 1; w.o = 'r'; add(w); handed.push_back({flag++, m}); continue; }
					if (o.k == 'L') { add(o); held.insert(m); continue; }
					nr++; add(o); if (r.n(8)) { Op c; c.k = 'I'; c.reg = o.reg; c.v = 1; c.skip = 1; bool in = r.n(3) == 0; if (in) c.skip = 2; th.push_back(c); if (in) { Op w; w.k = "RW"[r.n(2)]; w.x = r.n(nl); w.v = 1 + r.n(2); w.reg = nr; w.o = 'x'; if (w.k == 'R') nr++; add(w); } unlock(m); }
					continue; }
				}
				add(o);
				if (nr && kinds.find_first_of("LTGPQ") == string::npos && r.d() < .15) { Op c; c.k = r.d() < .6 ? 'I' : 'A'; c.reg = r.n(nr); c.v = r.n(2); c.skip = 1; th.push_back(c); }
			}
			if (t == poster) unlock(3), poster = -1;
			for (int m : held) if (r.d() < .8) { if (kinds.find('Q') != string::npos) { Op u; u.k = 'W'; u.x = m; u.o = 'r'; u.v = 0; add(u); } else unlock(m); }
			for (auto &o : th) if (o.k == 'I') { int at = &o - &th[0]; if (at + o.skip >= (int)th.size()) o.skip = th.size() - 1 - at; }
		}
		if (hand) for (auto &h : handed) { auto &th = P.th[r.n(T)]; Op o; o.k = 'R'; o.x = h.first; o.reg = 20 + h.first; o.o = 'a'; Op c; c.k = 'I'; c.reg = o.reg; c.v = 1; c.skip = 1; Op u; u.k = 'N'; u.x = h.second; u.o = 'r'; if (r.n(8)) { th.push_back(o); th.push_back(c); th.push_back(u); cnt += 2; } }
		if (cnt <= maxev) return P;
	}
}
static string show(const Prog &P)
{
	string s; char b[99];
	if (P.init[3]) s += "{3 held} ";
	for (auto &th : P.th) { for (auto &o : th) { if (o.aw) { s += "await["; for (int i = 0; i < 4; i++) if (o.aw >> i & 1) s += char('0' + i); s += "]"; } if (o.k == 'W') snprintf(b, 99, "W%c %d=%s%d%s ", o.o, o.x, o.vk == 1 ? "r" : o.vk == 2 ? "r+" : "", o.vk ? o.vr : o.v, o.y >= 0 ? "(2)" : ""); else if (o.k == 'F') snprintf(b, 99, "F%c ", o.o); else if (o.k == 'A' || o.k == 'I') snprintf(b, 99, "%s(r%d==%d%s) ", o.k == 'A' ? "assume" : "if", o.reg, o.v, o.k == 'I' && o.skip > 1 ? ",2" : ""); else if (o.k == 'C') snprintf(b, 99, "C%c%c %d%s %d->%d ", o.o, o.of, o.x, o.y >= 0 ? "(2)" : "", o.e, o.nw); else if (o.k == 'H') snprintf(b, 99, "r%d=choose(%d) ", o.reg, o.v); else snprintf(b, 99, "%c%c %d%s ", o.k, o.o, o.x, o.y >= 0 ? "(2)" : ""); s += b; } s += "|| "; }
	return s;
}
static string show(const Prog &P, const Items &it)
{
	Lab L; string s; if (!label(P, it, L)) return "?";
	for (auto &e : L.ev) { char b[99]; snprintf(b, 99, " t%d.%d%c%d", e.code / PER, e.code % PER, e.op->k, e.cell[0]); s += b; if (e.R) for (int k = 0; k < e.n(); k++) { if (e.src[k] == INIT) s += "<init"; else { snprintf(b, 99, "<t%d.%d", e.src[k] / PER, e.src[k] % PER); s += b; } } }
	return s;
}
static double now() { return chrono::duration<double>(chrono::steady_clock::now().time_since_epoch()).count(); }
// ---------------------------------------------------------------- named programs
static int bench()
{
	auto R = [](int x, int reg) { Op o; o.k = 'R'; o.x = x; o.reg = reg; return o; };
	auto W = [](int x, int v) { Op o; o.k = 'W'; o.x = x; o.v = v; return o; };
	auto I = [](int reg, int v, int skip) { Op o; o.k = 'I'; o.reg = reg; o.v = v; o.skip = skip; return o; }; // if (reg == v), else skip
	auto M = [](char k) { Op o; o.k = k; o.x = 2; o.o = k == 'L' ? 'a' : 'r'; return o; };
	auto C = [](int x, int e, int nw) { Op o; o.k = 'C'; o.x = x; o.e = e; o.nw = nw; return o; };
	typedef vector<Op> Th; vector<pair<string, Prog>> all; auto put = [&](string n, vector<Th> th, int i0 = 0, int i1 = 0) { Prog p; p.th = th; p.init[0] = i0; p.init[1] = i1; all.push_back({n, p}); };
	{ vector<Th> t{{W(0, 42)}}; for (int i = 0; i < 8; i++) t.push_back({R(0, 0)}); put("readers 8", t); }
	{ int N = 5; Th z; for (int i = N; i >= 1; i--) { z.push_back(R(i, 0)); z.push_back(I(0, 0, 1)); z.push_back(I(31, 1, 3 * i)); } z.push_back(R(0, 0)); vector<Th> t{z}; for (int i = 1; i <= N; i++) { Op w = W(i, 1); w.vk = 2; w.vr = 0; t.push_back({R(i - 1, 0), w}); } put("lastzero 5", t); }
	{ int N = 4; Th z; for (int i = 0; i < N; i++) z.push_back(W(0, i + 1)); vector<Th> t{z}; for (int i = 0; i < N; i++) t.push_back({R(0, 0), W(4, 1)}); put("sigma 4 (no create edges)", t); }
	{ vector<Th> t; for (int i = 0; i < 6; i++) t.push_back({C(0, i, i + 1)}); put("casrot 6", t); }
	{ int N = 3; vector<Th> t(2); for (int a = 0; a < 2; a++) for (int i = 0; i < N; i++) { t[a].push_back(R(a, 0)); t[a].push_back(R(1 - a, 1)); t[a].push_back(W(a, 1)); } put("fib 3 without main", t); }
	{ int N = 2; vector<Th> t(2); for (int a = 0; a < 2; a++) for (int i = 0; i < N; i++) { t[a].push_back(R(a, 0)); t[a].push_back(R(1 - a, 1)); t[a].push_back(W(a, 1)); } t.push_back({R(0, 0), R(1, 1)}); put("fib 2", t); }
	{ int N = 3; vector<Th> t(2); for (int a = 0; a < 2; a++) for (int i = 0; i < N; i++) { t[a].push_back(M('L')); t[a].push_back(R(a, 0)); t[a].push_back(I(0, 1, 2)); t[a].push_back(W(a, 0)); t[a].push_back(W(1 - a, 1)); t[a].push_back(M('N')); } put("circular buffer 3 (mutex)", t, 1, 0); }
	{ int N = 3; vector<Th> t(2); for (int a = 0; a < 2; a++) for (int i = 0; i < N; i++) { t[a].push_back(W(0, a)); t[a].push_back(W(1, 1)); t[a].push_back(R(0, 0)); t[a].push_back(I(0, a, 2)); t[a].push_back(R(1, 1)); t[a].push_back(I(31, 1, 99)); } put("opt_lock 3", t); }
	{ vector<Th> t; for (int i = 0; i < 3; i++) t.push_back({M('L'), R(0, 0), W(0, 1), M('N'), M('L'), R(0, 0), M('N')}); put("3 threads, 2 critical sections", t); }
	{ vector<Th> t; for (int i = 0; i < 3; i++) { Op T = M('T'); T.reg = 1; t.push_back({T, I(1, 1, 3), R(0, 0), W(0, 1), M('N'), M('L'), W(1, 1), M('N')}); } put("3 threads, trylock then lock", t); }
	if (opt("big")) { // casrot's numbers of classes are known from the papers: 2048, 8597
		all.clear(); for (int n = 8; n <= 9; n++) { vector<Th> t; for (int i = 0; i < n; i++) t.push_back({C(0, i, i + 1)}); put("casrot " + to_string(n), t); }
		int N = 3; vector<Th> t(2); for (int a = 0; a < 2; a++) for (int i = 0; i < N; i++) { t[a].push_back(R(a, 0)); t[a].push_back(R(1 - a, 1)); t[a].push_back(W(a, 1)); } t.push_back({R(0, 0), R(1, 1)}); put("fib 3", t);
	}
	printf("%s%s\n%-30s %9s %9s %9s | per class: %6s %6s | %8s %8s %8s %9s %6s | %s\n", MODEL.c_str(), opt("cache") ? " cache" : "", "", "classes", "visits", "revisits", "all q.", "tries", "calls", "known", "asked", "questions", "mere", "blocked");
	for (auto &p : all) {
		ST.clear(); Explorer E(p.second, 1); E.limit = 4000000; E.visit({}, Items()); double n = E.found.size(); set<Items> u(E.found.begin(), E.found.end());
		printf("%-30s %9.0f %9ld %9ld |            %6.1f %6.2f | %8.2f %8.3f %8.2f %9.2f %6.2f | %ld%s%s\n", p.first.c_str(), n, E.visits, E.revisits, ST["questions"] / n, E.steps / n, E.calls / n, E.calls ? double(E.yes + E.no) / E.calls : 1., E.asked / n, E.canon / n, ST["mere"] / n, E.blocked, E.broken ? " BROKEN" : "", u.size() != E.found.size() ? " TWICE" : ""); fflush(stdout);
	}
	return 0;
}
int main(int c, char **v)
{
	if (c < 3) { fprintf(stderr, "see the top of the source\n"); return 2; }
	string mode = v[1]; MODEL = v[2];
	if (mode == "bench") { for (int i = 3; i < c; i++) OPT.insert(v[i]); return bench(); }
	if (mode != "test" || c < 8) { fprintf(stderr, "see the top of the source\n"); return 2; }
	Rng r(atoi(v[3])); double t0 = now(), S = atof(v[4]); string ks = v[5], os = v[6]; int me = atoi(v[7]); for (int i = 8; i < c; i++) OPT.insert(v[i]);
	long n = 0, cls = 0, miss = 0, dup = 0, extra = 0, bad = 0, skip = 0, vis = 0, can = 0, rev = 0, brk = 0, blk = 0, calls = 0, cy = 0, cn = 0, asked = 0, open_ = 0; string ex; size_t exl = 1e9;
	while (now() - t0 < S) {
		Prog P = gen(r, ks, os, me); if (opt("unify")) for (auto &th : P.th) for (auto &o : th) if (o.k == 'L') o.k = 'X', o.v = 1, o.aw = 1, o.reg = 31, o.of = 'a'; C11RS = MODEL == "rc11" && r.n(3) == 0; set<Items> full;
		if (!(axiomatic() ? brute_graphs(P, full, 60000) : brute_machine(P, full, 100000))) { skip++; continue; }
		set<Items> opens; for (auto q = full.begin(); q != full.end();) { if (extensible(P, *q)) { open_++; opens.insert(*q); q = full.erase(q); } else ++q; }
		n++; cls += full.size(); Explorer E(P, r.g()); E.limit = 1000 + 60 * full.size(); E.visit({}, Items());
		vis += E.visits; can += E.canon; rev += E.revisits; blk += E.blocked; calls += E.calls; cy += E.yes; cn += E.no; asked += E.asked;
		set<Items> u(E.found.begin(), E.found.end()); long m = 0, x = 0; for (auto &i : full) if (!u.count(i)) m++;
		for (auto &i : u) if (!full.count(i)) x++;
		if (opt("simple")) { m = 0; for (auto &i : full) if (!u.count(i)) { Lab L; label(P, i, L); bool waits = false; for (int t = 0; t < (int)P.th.size(); t++) if (L.st[t].pc >= 0 && L.st[t].pc < (int)P.th[t].size()) waits = true; if (!waits) m++; } } // those that wait for ever are among the blocked
		long d = E.found.size() - u.size(); miss += m; dup += d; extra += x; brk += E.broken;
		if (opt("stuck")) { set<Items> v(E.partial.begin(), E.partial.end()); long m2 = 0; for (auto &i : opens) if (!v.count(i)) m2++; ST["stuck: questions"] += E.partial.size(); ST["stuck: yes"] += opens.size() - m2; ST["stuck: missing"] += m2; ST["stuck: twice"] += E.partial.size() - v.size(); if ((m2 || v.size() != E.partial.size()) && opt("show") && !bad) { printf("%s\n", show(P).c_str()); for (auto &i : opens) if (!v.count(i)) printf("  stuck missing:%s\n", show(P, i).c_str()); map<Items, int> k; for (auto &i : E.partial) if (++k[i] == 2) printf("  stuck twice:%s\n", show(P, i).c_str()); bad++; } }
		if (m || d || x || E.broken) {
			if (opt("show") && !bad && (!opt("small") || show(P).size() < 90)) { printf("%s\n", show(P).c_str()); for (auto &i : full) if (!u.count(i)) printf("  missing:%s\n", show(P, i).c_str()); map<Items, int> k; for (auto &i : E.found) if (++k[i] == 2) printf("  twice:%s\n", show(P, i).c_str()); for (auto &i : u) if (!full.count(i)) printf("  extra:%s\n", show(P, i).c_str()); if (opt("trail")) { Explorer E2(P, E.salt); E2.limit = E.limit; map<Items, int> k2; for (auto &i : E.found) if (++k2[i] == 2 && E2.watch.empty()) E2.watch.insert(i); for (auto &i : full) if (!u.count(i) && E2.watch.empty()) E2.watch.insert(i); for (auto &i : E2.watch) printf("  watch %s\n", show(P, i).c_str()); E2.visit({}, Items()); } fflush(stdout); if (opt("stop")) return 0; }
			bad++; string s = show(P); if (s.size() < exl) { exl = s.size(); char b[199]; snprintf(b, 199, " [classes %zu missing %ld twice %ld extra %ld broken %d]", full.size(), m, d, x, E.broken); ex = s + b; }
		}
	}
	string os2; for (auto &s : OPT) os2 += " " + s;
	printf("%s %s %s%s: programs %ld classes %ld BAD %ld (missing %ld twice %ld extra %ld broken %ld) skipped %ld; visits %ld revisits %ld; canonical() calls %ld asked %ld questions %ld", MODEL.c_str(), ks.c_str(), os.c_str(), os2.c_str(), n, cls, bad, miss, dup, extra, brk, skip, vis, rev, calls, asked, can);
	printf("; known yes %ld no %ld", cy, cn);
	for (auto &k : ST) if (k.first[0] != 'n' || opt("cache")) printf("; %s %ld", k.first.c_str(), k.second);
	printf("; stuck in some runs only %ld", open_); if (blk) printf("; blocked %ld", blk);
	printf("\n"); if (bad) printf("    %s\n", ex.c_str());
}
