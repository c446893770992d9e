#!/usr/bin/env python3
"""The judge of --preemptions: preemptions.py CHECKER EVERETT COUNT MODEL [FIRST]. CHECKER is tests/cli/preemptions.sh's interpreter.

Random programs of two or three threads, each a few reads, writes, increments and critical sections. Here all executions are enumerated by brute force, with the preemptions and
the accesses out of order that each has, and so for each class (who reads from whom; with the order of writes: traces) the fewest that it needs, both together. For each bound
Everett must count exactly the classes that need no more; as it has run an execution of each that it counts, equal numbers are equal sets. Without a bound it must count all.

An execution under sc, tso and pso is a run of threads and store buffers; under ra and rc11 it is an order of events, in which each read names a write before it as its source and
each write one that it comes right behind in modification order, and it is judged by the axioms of RC11 (Lahav, Vafeiadis, Kang, Hur, Dreyer, PLDI 2017), those of release/acquire
being the same with all orders release or acquire. Nothing here was taken from Everett but the words: docs/reducing.md defines them.
"""
import json
import os
import random
import subprocess
import sys

checker, everett, count, model = sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4]
first = int(sys.argv[5]) if len(sys.argv) > 5 else 0
SOURCES = model in ('ra', 'rc11')


def random_program(source):
    """Threads are lists of operations: (what, order, variable). L and U are one mutex, which every thread uses or none; F is a fence that drains the buffer."""
    threads = source.choice([2, 2, 3])
    locked = model == 'sc' and source.random() < 0.3
    most = {'sc': (5, 3), 'tso': (4, 2), 'pso': (4, 2)}.get(model, (3, 2))[threads > 2]
    orders = {'sc': 's', 'ra': 'a', 'rc11': 'rras'}.get(model, 'r')
    program = []
    for _ in range(threads):
        length = source.randint(1, most)
        ops = []
        for _ in range(length):
            what = source.choice('RRWWA')
            ops.append((what, 's' if what == 'A' and model != 'rc11' and model != 'ra' else source.choice(orders), source.randrange(2)))
        if locked:
            low = source.randrange(len(ops))
            ops[low:low + 1] = [('L', 's', 2), ops[low], ('U', 's', 2)]
        program.append(ops)
    return program


def visible(program):
    """Without accesses to what no two threads access, one of them to write: these are no events, and nobody is interrupted there."""
    def shared(variable):
        users = [{what for what, _, v in ops if v == variable} for ops in program]
        writers = [i for i, whats in enumerate(users) if whats - {'R'}]
        return sum(map(bool, users)) > 1 and bool(writers)
    return [[op for op in ops if shared(op[2])] for ops in program]


def note(found, key, cost):
    found[key] = min(found.get(key, cost), cost)


def class_of(sources, writes, ordered):
    return (tuple(sorted(sources.items())), tuple(map(tuple, writes)) if ordered else ())


# ---- sc, tso, pso

def updates(buffer):
    """Which stores of a buffer may reach memory: the oldest; or under pso the oldest to each variable."""
    if model == 'tso':
        return [0] if buffer else []
    return [i for i, (v, _) in enumerate(buffer) if all(v != u for u, _ in buffer[:i])]


def machine_classes(program, ordered):
    found = {}

    def steps(t, at, buffers, holder):
        """What thread t could do: 'op', or ('update', i)."""
        able = [('update', i) for i in updates(buffers[t])]
        if at[t] < len(program[t]):
            what = program[t][at[t]][0]
            if not (what == 'L' and holder is not None) and not (what in 'ALU' and buffers[t]):
                able.append('op')
        return able

    def step(at, buffers, last, holder, writes, sources, running, cost):
        able = [steps(t, at, buffers, holder) for t in range(len(program))]
        if not any(able):
            assert all(at[t] == len(ops) for t, ops in enumerate(program))
            note(found, class_of(sources, writes, ordered), cost)
            return
        for t, ways in enumerate(able):
            interrupts = running is not None and running != t and bool(able[running])
            for way in ways:
                new_at, new_buffers, new_last, new_holder = at, buffers, last, holder
                new_writes, new_sources, weak = writes, sources, 0
                reaches = None
                if way == 'op':
                    what, _, variable = program[t][at[t]]
                    name = (t, at[t])
                    weak = what == 'R' and bool(buffers[t])
                    new_at = at[:t] + (at[t] + 1,) + at[t + 1:]
                    if what in 'RALU':
                        own = [n for v, n in buffers[t] if v == variable]
                        new_sources = {**sources, name: own[-1] if own else last[variable]}
                    if what == 'W' and model != 'sc':
                        new_buffers = buffers[:t] + (buffers[t] + ((variable, name),),) + buffers[t + 1:]
                    elif what in 'WALU':
                        reaches = (variable, name)
                    new_holder = t if what == 'L' else None if what == 'U' else holder
                else:
                    i = way[1]
                    reaches = buffers[t][i]
                    weak = any(w != 'op' and w[1] < i for w in ways)
                    new_buffers = buffers[:t] + (buffers[t][:i] + buffers[t][i + 1:],) + buffers[t + 1:]
                if reaches:
                    v = reaches[0]
                    new_last = last[:v] + (reaches[1],) + last[v + 1:]
                    new_writes = [w + [reaches[1]] if v == u else w for u, w in enumerate(writes)]
                step(new_at, new_buffers, new_last, new_holder, new_writes, new_sources, t, cost + interrupts + weak)

    step((0,) * len(program), ((),) * len(program), (None,) * 3, None, [[], [], []], {}, None, 0)
    return found


# ---- ra, rc11

def closure(pairs, nodes):
    after = {n: {b for a, b in pairs if a == n} for n in nodes}
    changed = True
    while changed:
        changed = False
        for n in nodes:
            more = set().union(*(after[m] for m in after[n])) - after[n] if after[n] else set()
            if more:
                after[n] |= more
                changed = True
    return {(a, b) for a in nodes for b in after[a]}


def compose(r, s):
    return {(a, d) for a, b in r for c, d in s if b == c}


def acyclic(pairs, nodes):
    return all(a != b for a, b in closure(pairs, nodes))


def allowed(program, done, sources, writes):
    """The axioms, for the events `done`. Initial writes are None: before everything in modification order, and never the problem of happens-before."""
    what = {e: program[e[0]][e[1]] for e in done}
    po = {(a, b) for a in done for b in done if a[0] == b[0] and a[1] < b[1]}
    rf = {(w, r) for r, w in sources.items() if w is not None}
    mo = {(w[i], w[k]) for w in writes for i in range(len(w)) for k in range(i + 1, len(w))}
    rb = set()
    for r, w in sources.items():
        order = writes[what[r][2]]
        rb |= {(r, x) for x in order[(order.index(w) + 1 if w is not None else 0):] if x != r}
    # A release write, and the read-modify-writes that follow it from one to the next, synchronise with an acquire read.
    sw = set()
    for r, w in sources.items():
        head = w
        while head is not None and what[r][1] in 'as':
            if what[head][1] in 'as':
                sw.add((head, r))
            head = sources[head] if what[head][0] == 'A' else None
    hb = closure(po | sw, done)
    eco = closure(rf | mo | rb, done)
    if any(a == b for a, b in hb) or any((b, a) in eco for a, b in hb) or any(a == b for a, b in eco):
        return False
    for r, w in sources.items():
        if what[r][0] == 'A':
            order = writes[what[r][2]]
            if order.index(r) != (order.index(w) + 1 if w is not None else 0):
                return False
    if model == 'ra':
        return True
    elsewhere = {(a, b) for a, b in po if what[a][2] != what[b][2]}
    scb = po | compose(compose(elsewhere, hb), elsewhere) | {(a, b) for a, b in hb if what[a][2] == what[b][2]} | mo | rb
    strong = [e for e in done if what[e][1] == 's']
    return acyclic({(a, b) for a, b in scb if a in strong and b in strong}, strong)


def axiom_classes(program, ordered):
    found = {}

    def step(at, done, newest, writes, sources, running, cost):
        able = [t for t, ops in enumerate(program) if at[t] < len(ops)]
        if not able:
            note(found, class_of(sources, writes, ordered), cost)
            return
        for t in able:
            what, _, v = program[t][at[t]]
            name = (t, at[t])
            for choice in [None] + writes[v]:
                new_sources = {**sources, name: choice} if what != 'W' else sources
                new_writes = writes
                if what != 'R':
                    place = writes[v].index(choice) + 1 if choice is not None else 0
                    new_writes = [w[:place] + [name] + w[place:] if u == v else w for u, w in enumerate(writes)]
                if not allowed(program, done + [name], new_sources, new_writes):
                    continue
                step(at[:t] + (at[t] + 1,) + at[t + 1:], done + [name], newest[:v] + (name,) + newest[v + 1:] if what != 'R' else newest,
                     new_writes, new_sources, t, cost + (choice != newest[v]) + (running in able and running != t))

    step((0,) * len(program), [], (None,) * 2, [[], []], {}, None, 0)
    return found


def classes(program, ordered):
    return (axiom_classes if SOURCES else machine_classes)(program, ordered)


def explored(program, equivalence, options):
    words = [''.join(f'{what}{order}{variable}' for what, order, variable in ops) for ops in program]
    subprocess.run([everett, 'run', '-q', '-m', model, '-e', equivalence, *options, '--json', 'p.json', checker, '--', *words],
                   stderr=subprocess.DEVNULL, check=False)
    with open('p.json') as file:
        return json.load(file)['results'][0]


wrong = judged = 0
for seed in range(first, first + count):
    program = random_program(random.Random(seed))
    for equivalence in ('rf', 'traces'):
        needs = classes(visible(program), equivalence == 'traces')
        most = max(needs.values())
        for bound in [*range(most + 1), None]:
            want = sum(1 for n in needs.values() if bound is None or n <= bound)
            result = explored(program, equivalence, ['--preemptions', str(bound)] if bound is not None else [])
            judged += 1
            if (result['executions'], result['verdict']) != (want, 'ok'):
                wrong += 1
                print(f'seed {seed}, {model}, {equivalence}, bound {bound}: {result["executions"]} classes ({result["verdict"]}), not {want}: {program}')
print(f'{judged} searches of {count} programs under {model}, {wrong} wrong')
sys.exit(wrong > 0)
